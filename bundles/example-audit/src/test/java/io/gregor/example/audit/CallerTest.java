package io.gregor.example.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class CallerTest {
    @Test
    void isPrincipalAndClient() {
        assertThat(caller("alice", "orders-1")).isEqualTo(new Caller("User:alice", "orders-1"));
    }

    @Test
    void keepsStrangeNamesOnOneLine() {
        assertThat(caller("alice", "a\nERROR forged\u2028\u0007").client()).isEqualTo("a?ERROR forged??");
    }

    @Test
    void cutsLongNames() {
        assertThat(caller("alice", "x".repeat(30_000)).client()).hasSize(129);
    }

    @Test
    void mayHaveNoName() {
        assertThat(caller("alice", null).client()).isEmpty();
    }

    private static Caller caller(String principal, String client) {
        return Caller.of(new RequestContext(
                new RequestHeader(ApiKeys.PRODUCE, (short) 12, client, 7),
                "connection",
                InetAddress.getLoopbackAddress(),
                new KafkaPrincipal(KafkaPrincipal.USER_TYPE, principal),
                new ListenerName("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false));
    }
}
