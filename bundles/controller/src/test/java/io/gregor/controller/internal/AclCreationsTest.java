package io.gregor.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData.AclCreationResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AclCreationsTest {
    @Test
    void eachAclGetsItsOwnResultInTheOrderOfTheRequest() {
        AclCreations creations = AclCreations.of(
                List.of(topic(""), topic("a"), topic("x").setResourceType(ResourceType.CLUSTER.code()), topic("b")));

        List<AclCreationResult> results = creations.results(
                List.of(AclCreateResult.SUCCESS, new AclCreateResult(new NotControllerException("elsewhere"))));

        assertThat(creations.valid()).extracting(acl -> acl.pattern().name()).containsExactly("a", "b");
        assertThat(results)
                .extracting(result -> Errors.forCode(result.errorCode()))
                .containsExactly(Errors.INVALID_REQUEST, Errors.NONE, Errors.INVALID_REQUEST, Errors.NOT_CONTROLLER);
        assertThat(results)
                .extracting(AclCreationResult::errorMessage)
                .containsExactly(
                        "Invalid empty resource name",
                        "",
                        "The only valid name for the CLUSTER resource is kafka-cluster",
                        "elsewhere");
    }

    @Test
    void onlyWhatWasCreatedIsWaitedFor() {
        AclCreations creations = AclCreations.of(List.of(topic("a"), topic("b")));

        List<AclBinding> created = creations.created(
                List.of(new AclCreateResult(new InvalidRequestException("no")), AclCreateResult.SUCCESS));

        assertThat(created).extracting(acl -> acl.pattern().name()).containsExactly("b");
    }

    @ParameterizedTest
    @EnumSource(
            value = PatternType.class,
            names = {"ANY", "MATCH"})
    void patternsOfFiltersAreRefused(PatternType type) {
        List<AclCreation> asked = List.of(topic("a").setResourcePatternType(type.code()));

        assertThatThrownBy(() -> AclCreations.of(asked)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void operationsOfFiltersAreRefused() {
        List<AclCreation> asked = List.of(topic("a").setOperation(AclOperation.ANY.code()));

        assertThatThrownBy(() -> AclCreations.of(asked)).isInstanceOf(InvalidRequestException.class);
    }

    private static AclCreation topic(String name) {
        return new AclCreation()
                .setResourceType(ResourceType.TOPIC.code())
                .setResourceName(name)
                .setResourcePatternType(PatternType.LITERAL.code())
                .setPrincipal("User:alice")
                .setHost("*")
                .setOperation(AclOperation.READ.code())
                .setPermissionType(AclPermissionType.ALLOW.code());
    }
}
