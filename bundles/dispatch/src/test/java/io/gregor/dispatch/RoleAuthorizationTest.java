package io.gregor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.dispatch.internal.Decider;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;
import org.junit.jupiter.api.Test;

class RoleAuthorizationTest {
    /** Read, write, create, delete, alter, describe, describe and alter configs, as a broker without authorizer tells. */
    private static final int ALL_OF_A_TOPIC = 3576;

    private static final RequestContext WHO = new RequestContext(
            new RequestHeader(ApiKeys.METADATA, (short) 12, "test", 1),
            "connection",
            InetAddress.getLoopbackAddress(),
            KafkaPrincipal.ANONYMOUS,
            new ListenerName("PLAINTEXT"),
            SecurityProtocol.PLAINTEXT,
            ClientInformation.EMPTY,
            false);

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
        Decider readers = Decider.of(new ReadersOnly(), new Metrics());
        RoleAuthorization reading = new RoleAuthorization(() -> readers);
        assertThat(reading.isOpen()).isFalse();
        assertThat(reading.allowedOperations(WHO, ResourceType.TOPIC, "t")).isEqualTo(1 << AclOperation.READ.code());
        assertThatThrownBy(() -> reading.requireCluster(WHO, AclOperation.ALTER))
                .isInstanceOf(ClusterAuthorizationException.class)
                .hasMessageContaining("ALTER");
    }

    /** Allows to read, and nothing else. */
    private static final class ReadersOnly implements Authorizer {
        @Override
        public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
            return actions.stream()
                    .map(action -> action.operation() == AclOperation.READ
                            ? AuthorizationResult.ALLOWED
                            : AuthorizationResult.DENIED)
                    .toList();
        }

        @Override
        public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
            return Map.of();
        }

        @Override
        public List<? extends CompletionStage<AclCreateResult>> createAcls(
                AuthorizableRequestContext context, List<AclBinding> bindings) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
                AuthorizableRequestContext context, List<AclBindingFilter> filters) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterable<AclBinding> acls(AclBindingFilter filter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public void close() {}
    }
}
