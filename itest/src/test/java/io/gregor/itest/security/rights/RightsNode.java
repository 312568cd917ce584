package io.gregor.itest.security.rights;

import java.util.List;

/** How a node is set up that is asked: a super user, three others, SASL PLAIN on both listeners that are asked. */
final class RightsNode {
    private static final String USERS = "org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"admin\" password=\"admin-secret\" user_admin=\"admin-secret\""
            + " user_mallory=\"mallory-secret\" user_dora=\"dora-secret\" user_alice=\"alice-secret\";";

    private RightsNode() {}

    /** {@code key=value}, but for listeners and their ports. */
    static List<String> settings() {
        return List.of(
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,"
                        + "CONTROLLER:SASL_PLAINTEXT",
                "sasl.enabled.mechanisms=PLAIN",
                "sasl.mechanism.controller.protocol=PLAIN",
                "listener.name.controller.plain.sasl.jaas.config=" + USERS,
                "listener.name.sasl_plaintext.plain.sasl.jaas.config=" + USERS,
                "delegation.token.secret.key=of-the-tests",
                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users=User:admin;User:ANONYMOUS",
                "group.initial.rebalance.delay.ms=0");
    }
}
