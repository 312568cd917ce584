package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.CreateDelegationTokenResponseData;
import org.apache.kafka.common.message.DescribeDelegationTokenResponseData;
import org.apache.kafka.common.message.DescribeDelegationTokenResponseData.DescribedDelegationToken;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.message.ExpireDelegationTokenRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestSecretsTest {
    private static final String SECRET = "hunter2-hunter2-hunter2";
    private static final byte[] BYTES = SECRET.getBytes(StandardCharsets.UTF_8);

    @Test
    void valuesOfSecretSettingsAreNotShownWhileTheyReplaceAll() {
        AlterConfigsRequestData data = new AlterConfigsRequestData();
        AlterConfigsRequestData.AlterConfigsResource broker = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName("1");
        broker.configs()
                .add(new AlterConfigsRequestData.AlterableConfig()
                        .setName("ssl.keystore.password")
                        .setValue(SECRET));
        data.resources().add(broker);

        String shown = RequestLog.body(new AlterConfigsRequest(data, (short) 2)).toString();

        assertThat(shown).contains("ssl.keystore.password").doesNotContain(SECRET);
        assertThat(broker.configs().iterator().next().value()).isEqualTo(SECRET);
    }

    @Test
    void valuesOfSecretSettingsAreNotShownWhileSingleOnesChange() {
        IncrementalAlterConfigsRequestData data = new IncrementalAlterConfigsRequestData();
        AlterConfigsResource broker = new AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName("1");
        for (String name : List.of(
                "listener.name.external.ssl.key.password",
                "listener.name.external.scram-sha-256.sasl.jaas.config",
                "nobody.knows")) {
            broker.configs().add(new AlterableConfig().setName(name).setValue(SECRET));
        }
        broker.configs().add(new AlterableConfig().setName("num.io.threads").setValue("4711"));
        data.resources().add(broker);

        String shown = RequestLog.body(new IncrementalAlterConfigsRequest.Builder(data).build((short) 1))
                .toString();

        assertThat(shown).contains("sasl.jaas.config", "4711").doesNotContain(SECRET);
    }

    static Stream<Arguments> requests() {
        AlterUserScramCredentialsRequestData scram = new AlterUserScramCredentialsRequestData();
        scram.upsertions()
                .add(new ScramCredentialUpsertion()
                        .setName("alice")
                        .setSalt(BYTES)
                        .setSaltedPassword(BYTES));
        return Stream.of(
                Arguments.of(ApiKeys.SASL_AUTHENTICATE, new SaslAuthenticateRequestData().setAuthBytes(BYTES)),
                Arguments.of(ApiKeys.ALTER_USER_SCRAM_CREDENTIALS, scram),
                Arguments.of(ApiKeys.RENEW_DELEGATION_TOKEN, new RenewDelegationTokenRequestData().setHmac(BYTES)),
                Arguments.of(ApiKeys.EXPIRE_DELEGATION_TOKEN, new ExpireDelegationTokenRequestData().setHmac(BYTES)),
                Arguments.of(
                        ApiKeys.ENVELOPE,
                        new EnvelopeRequestData()
                                .setRequestData(ByteBuffer.wrap(BYTES))
                                .setRequestPrincipal(new byte[0])
                                .setClientHostAddress(new byte[4])));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void secretsOfRequestsAreNotShown(ApiKeys api, ApiMessage body) {
        short version = api.latestVersion();

        String shown = RequestLog.body(
                        AbstractRequest.parseRequest(api, version, new ByteBufferAccessor(bytes(body, version)))
                                .request)
                .toString();

        assertHidden(shown);
    }

    static Stream<Arguments> responses() {
        DescribeDelegationTokenResponseData described = new DescribeDelegationTokenResponseData();
        described.tokens().add(new DescribedDelegationToken().setTokenId("id").setHmac(BYTES));
        return Stream.of(
                Arguments.of(ApiKeys.SASL_AUTHENTICATE, new SaslAuthenticateResponseData().setAuthBytes(BYTES)),
                Arguments.of(ApiKeys.CREATE_DELEGATION_TOKEN, new CreateDelegationTokenResponseData().setHmac(BYTES)),
                Arguments.of(ApiKeys.DESCRIBE_DELEGATION_TOKEN, described),
                Arguments.of(ApiKeys.ENVELOPE, new EnvelopeResponseData().setResponseData(ByteBuffer.wrap(BYTES))));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void secretsOfResponsesAreNotShown(ApiKeys api, ApiMessage body) {
        short version = api.latestVersion();
        ByteBuffer bytes = bytes(body, version);
        AbstractResponse response =
                AbstractResponse.parseResponse(api, new ByteBufferAccessor(bytes.duplicate()), version);

        assertHidden(RequestLog.body(response, version).toString());
        assertHidden(RequestLog.body(api, bytes, version).toString());
    }

    private static void assertHidden(String shown) {
        assertThat(shown)
                .contains("[hidden]")
                .doesNotContain(
                        SECRET, Base64.getEncoder().encodeToString(BYTES).substring(0, 12));
    }

    private static ByteBuffer bytes(ApiMessage body, short version) {
        return MessageUtil.toByteBufferAccessor(body, version).buffer();
    }
}
