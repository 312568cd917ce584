package io.gregor.internal.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.apache.kafka.common.errors.InvalidPrincipalTypeException;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class TokenRequestsTest {
    private static final KafkaPrincipal ALICE = new KafkaPrincipal("User", "alice");

    @Test
    void areForThoseWhoAreKnownOtherwiseThanByToken() {
        KafkaPrincipal byToken = new KafkaPrincipal("User", "alice", true);

        assertThat(TokenRequests.areAllowed(who(ALICE, SecurityProtocol.SASL_PLAINTEXT)))
                .isTrue();
        assertThat(TokenRequests.areAllowed(who(ALICE, SecurityProtocol.SASL_SSL)))
                .isTrue();
        assertThat(TokenRequests.areAllowed(who(ALICE, SecurityProtocol.SSL))).isTrue();
        assertThat(TokenRequests.areAllowed(who(KafkaPrincipal.ANONYMOUS, SecurityProtocol.SSL)))
                .isFalse();
        assertThat(TokenRequests.areAllowed(who(ALICE, SecurityProtocol.PLAINTEXT)))
                .isFalse();
        assertThat(TokenRequests.areAllowed(who(byToken, SecurityProtocol.SASL_SSL)))
                .isFalse();
    }

    @Test
    void thatAreForwardedComeOverAnyConnection() {
        assertThat(TokenRequests.areAllowedForwarded(who(ALICE, SecurityProtocol.PLAINTEXT)))
                .isTrue();
        assertThat(TokenRequests.areAllowedForwarded(
                        who(new KafkaPrincipal("User", "alice", true), SecurityProtocol.PLAINTEXT)))
                .isFalse();
    }

    @Test
    void nameTheOwnerOrMeanTheOneWhoAsks() {
        RequestContext alice = who(ALICE, SecurityProtocol.SASL_SSL);
        CreateDelegationTokenRequestData asked = new CreateDelegationTokenRequestData();

        assertThat(TokenRequests.owner(alice, asked)).isEqualTo(ALICE);
        assertThat(TokenRequests.owner(alice, asked.setOwnerPrincipalName(""))).isEqualTo(ALICE);
        assertThat(TokenRequests.owner(alice, asked.setOwnerPrincipalName("bob").setOwnerPrincipalType("User")))
                .isEqualTo(new KafkaPrincipal("User", "bob"));
        assertThatThrownBy(() -> TokenRequests.owner(alice, asked.setOwnerPrincipalType(null)))
                .isInstanceOf(InvalidPrincipalTypeException.class)
                .hasMessageContaining("ownerPrincipalName=bob");
    }

    private static RequestContext who(KafkaPrincipal principal, SecurityProtocol protocol) {
        return new RequestContext(
                new RequestHeader(ApiKeys.CREATE_DELEGATION_TOKEN, (short) 3, "client", 7),
                "connection",
                InetAddress.getLoopbackAddress(),
                principal,
                new ListenerName(protocol.name),
                protocol,
                ClientInformation.EMPTY,
                false);
    }
}
