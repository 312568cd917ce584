package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.dispatch.Authorization;
import io.gregor.testing.Fake;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.CommandSession;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AclCommandsTest {
    private static final CommandSession SESSION = Fake.of(CommandSession.class, (proxy, method, arguments) -> null);

    private final StandardAuthorizer authorizer = new StandardAuthorizer();
    private final AclCommands commands = new AclCommands();

    @BeforeEach
    void load() {
        authorizer.configure(Map.of("super.users", "User:root"));
        authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), new LinkedHashMap<>()));
        add("ord", PatternType.PREFIXED, "User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW);
        add("orders", PatternType.LITERAL, "User:*", "10.0.0.1", AclOperation.ALL, AclPermissionType.DENY);
        authorizer.completeInitialLoad();
        commands.authorizations = List.of(Fake.of(
                Authorization.class,
                (proxy, method, arguments) -> method.getName().equals("authorizer") ? Optional.of(authorizer) : null));
    }

    @Test
    void listsWhatMatches() {
        assertThat(commands.list("permission=DENY")).contains("orders").doesNotContain("alice");
        assertThat(commands.list()).contains("PREFIXED", "LITERAL", "User:alice", "10.0.0.1");
    }

    @Test
    void saysByWhichRightsSomethingIsAllowedOrDenied() {
        assertThat(commands.test(SESSION, "User:alice", "read", "topic:orders"))
                .isEqualTo("allowed: User:alice READ on topic:orders\n"
                        + "  by ALLOW User:alice from * READ on TOPIC PREFIXED ord");
        assertThat(commands.test(SESSION, "User:alice", "DESCRIBE", "topic:orders"))
                .contains("allowed: ", "by ALLOW User:alice from * READ");
        assertThat(commands.test(SESSION, "User:alice", "READ", "topic:orders", "--host", "10.0.0.1"))
                .isEqualTo("denied: User:alice READ on topic:orders\n"
                        + "  by DENY User:* from 10.0.0.1 ALL on TOPIC LITERAL orders");
    }

    @Test
    void saysWhenNoRightIsAboutIt() {
        assertThat(commands.test(SESSION, "User:alice", "WRITE", "topic:orders"))
                .isEqualTo("denied: User:alice WRITE on topic:orders\n  no access right allows it");
        assertThat(commands.test(SESSION, "User:root", "ALTER", "cluster"))
                .startsWith(
                        "allowed: User:root ALTER on cluster:kafka-cluster\n  no access right says so: a super user");
    }

    @Test
    void refusesWhatIsNoQuestion() {
        assertThatThrownBy(() -> commands.test(SESSION, "User:a", "READ", "table:x"))
                .hasMessage("resource=table:x must be as topic:orders, group:g or cluster");
        assertThatThrownBy(() -> commands.test(SESSION, "User:a", "LOOK", "topic:x"))
                .hasMessage("operation=LOOK must be one as READ or WRITE");
        commands.authorizations = List.of();
        assertThatThrownBy(commands::list).hasMessageStartingWith("no authorizer: everything is allowed");
    }

    private void add(
            String topic,
            PatternType pattern,
            String principal,
            String host,
            AclOperation operation,
            AclPermissionType permission) {
        authorizer.addAcl(
                Uuid.randomUuid(),
                new StandardAcl(ResourceType.TOPIC, topic, pattern, principal, host, operation, permission));
    }
}
