package io.gregor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.dispatch.internal.Decider;
import io.gregor.dispatch.internal.FakeAuthorizer;
import io.gregor.testing.FakeRequest;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class RoleAuthorizationTest {
    /** Read, write, create, delete, alter, describe, describe and alter configs, as a broker without authorizer tells. */
    private static final int ALL_OF_A_TOPIC = 3576;

    private static final RequestContext WHO = FakeRequest.context(ApiKeys.METADATA, 12, "PLAINTEXT");

    @Test
    void everythingIsAllowedWithoutAuthorizer() {
        RoleAuthorization open = new RoleAuthorization(() -> Decider.OPEN);
        assertThat(open.isOpen()).isTrue();
        assertThat(open.isAllowed(WHO, AclOperation.DELETE, ResourceType.TOPIC, "t"))
                .isTrue();
        assertThat(open.allowed(WHO, AclOperation.READ, ResourceType.TOPIC, List.of("a", "b"), Function.identity()))
                .containsExactlyInAnyOrder("a", "b");
        assertThat(open.allowedOperations(WHO, ResourceType.TOPIC, "t")).isEqualTo(ALL_OF_A_TOPIC);
        assertThatCode(() -> open.requireCluster(WHO, AclOperation.ALTER)).doesNotThrowAnyException();
    }

    @Test
    void authorizerDecidesWhereThereIsOne() {
        Decider readers =
                Decider.of(new FakeAuthorizer((who, action) -> action.operation() == AclOperation.READ), new Metrics());
        RoleAuthorization reading = new RoleAuthorization(() -> readers);
        assertThat(reading.isOpen()).isFalse();
        assertThat(reading.allowedOperations(WHO, ResourceType.TOPIC, "t")).isEqualTo(1 << AclOperation.READ.code());
        assertThatThrownBy(() -> reading.requireCluster(WHO, AclOperation.ALTER))
                .isInstanceOf(ClusterAuthorizationException.class)
                .hasMessageContaining("ALTER");
    }
}
