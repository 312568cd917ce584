package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialDeletion;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfigCollection;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AlterUserScramCredentialsRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.DeleteAclsRequest;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.ElectLeadersRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.RenewDelegationTokenRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AuditLogTest {
    private static final String NAME = "delete\ngroup\u202e\u007f\"";

    @Test
    void lineTellsWhoDidWhatAndWhatCameOfIt() {
        Map<Errors, Integer> errors = new TreeMap<>(Map.of(Errors.NONE, 1, Errors.GROUP_AUTHORIZATION_FAILED, 2));

        String line = AuditLog.line(who("alice", "tool"), true, List.of("group:g"), errors);

        assertThat(line)
                .isEqualTo("{\"principal\":\"User:alice\",\"client\":\"127.0.0.1\",\"listener\":\"EXTERNAL\","
                        + "\"connection\":\"connection-1\",\"forwarded\":true,\"clientId\":\"tool\","
                        + "\"api\":\"DELETE_GROUPS\",\"version\":2,\"resources\":[\"group:g\"],"
                        + "\"errors\":{\"NONE\":1,\"GROUP_AUTHORIZATION_FAILED\":2}}");
    }

    @Test
    void whatStrangersChooseStaysOnItsLineAndInItsPlace() {
        String line = AuditLog.line(who(NAME, NAME), false, List.of(NAME), Map.of());

        assertThat(line).matches("\\p{Print}+");
        assertThat(line).contains("\"resources\":[\"delete\\ngroup\\u202E?\\\"\"]");
    }

    @Test
    void namesAreBoundedInLengthAndNumber() {
        String line = AuditLog.line(who("a", "c"), false, Collections.nCopies(1000, "x".repeat(5000)), Map.of());

        assertThat(line).contains("\"and 950 more\"").hasSizeLessThan(50 * 270 + 500);
        assertThat(line).contains("\"" + "x".repeat(256) + "...\"");
    }

    static Stream<Arguments> requests() {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        topics.add(new CreatableTopic().setName("t"));
        return Stream.of(
                Arguments.of(
                        new CreateTopicsRequest.Builder(new CreateTopicsRequestData().setTopics(topics)).build(),
                        List.of("topic:t")),
                Arguments.of(
                        new CreateTopicsRequest.Builder(new CreateTopicsRequestData()
                                        .setTopics(topics)
                                        .setValidateOnly(true))
                                .build(),
                        List.of("validate only", "topic:t")),
                Arguments.of(
                        new DeleteGroupsRequest.Builder(new DeleteGroupsRequestData().setGroupsNames(List.of("g", "h")))
                                .build(),
                        List.of("group:g", "group:h")),
                Arguments.of(
                        new DeleteAclsRequest.Builder(new DeleteAclsRequestData()
                                        .setFilters(List.of(DeleteAclsRequest.deleteAclsFilter(new AclBindingFilter(
                                                ResourcePatternFilter.ANY, AccessControlEntryFilter.ANY)))))
                                .build(),
                        List.of("ANY <any> host:<any> ANY ANY:ANY:<any>")),
                Arguments.of(
                        new ElectLeadersRequest.Builder(ElectionType.PREFERRED, null, 1).build(), List.of("topic:*")));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void namesOfRequests(AbstractRequest request, List<String> names) {
        assertThat(AuditedNames.of(request)).isEqualTo(names);
    }

    @Test
    void secretsAreNotNamed() {
        byte[] secret = "secret".getBytes(StandardCharsets.UTF_8);

        assertThat(AuditedNames.of(
                        new AlterUserScramCredentialsRequest.Builder(new AlterUserScramCredentialsRequestData()
                                        .setUpsertions(List.of(new ScramCredentialUpsertion()
                                                .setName("alice")
                                                .setMechanism((byte) 1)
                                                .setSalt(secret)
                                                .setSaltedPassword(secret)))
                                        .setDeletions(List.of(new ScramCredentialDeletion()
                                                .setName("bob")
                                                .setMechanism((byte) 2))))
                                .build()))
                .containsExactly("set user:alice SCRAM-SHA-256", "delete user:bob SCRAM-SHA-512");
        assertThat(AuditedNames.of(
                        new RenewDelegationTokenRequest.Builder(new RenewDelegationTokenRequestData().setHmac(secret))
                                .build()))
                .isEmpty();
        assertThat(AuditedNames.of(new CreateDelegationTokenRequest.Builder(new CreateDelegationTokenRequestData()
                                .setOwnerPrincipalType("User")
                                .setOwnerPrincipalName("alice"))
                        .build()))
                .containsExactly("owner:User:alice");
    }

    @Test
    void onlyLoggersAreDecidedHereOfSettingsThatAreSentOn() {
        AbstractRequest request = new IncrementalAlterConfigsRequest.Builder(new IncrementalAlterConfigsRequestData()
                        .setResources(resources(ConfigResource.Type.TOPIC, ConfigResource.Type.BROKER_LOGGER)))
                .build();

        assertThat(AuditedNames.of(request)).containsExactly("TOPIC:0 key", "BROKER_LOGGER:1 key");
        assertThat(AuditedNames.decidedHere(request)).containsExactly("BROKER_LOGGER:1 key");
    }

    private static IncrementalAlterConfigsRequestData.AlterConfigsResourceCollection resources(
            ConfigResource.Type... types) {
        IncrementalAlterConfigsRequestData.AlterConfigsResourceCollection all =
                new IncrementalAlterConfigsRequestData.AlterConfigsResourceCollection();
        IntStream.range(0, types.length).forEach(i -> {
            AlterableConfigCollection configs = new AlterableConfigCollection();
            configs.add(new AlterableConfig().setName("key").setValue("value"));
            all.add(new AlterConfigsResource()
                    .setResourceType(types[i].id())
                    .setResourceName(Integer.toString(i))
                    .setConfigs(configs));
        });
        return all;
    }

    private static RequestContext who(String principal, String client) {
        return new RequestContext(
                new RequestHeader(ApiKeys.DELETE_GROUPS, (short) 2, client, 1),
                "connection-1",
                InetAddress.getLoopbackAddress(),
                new KafkaPrincipal("User", principal),
                new ListenerName("EXTERNAL"),
                SecurityProtocol.SASL_SSL,
                ClientInformation.EMPTY,
                false);
    }
}
