package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ChannelLayers;
import io.gregor.internal.plugin.Standing;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeReference;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ChannelBuilders;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;
import org.junit.jupiter.api.Test;

class SecurityServicesTest {
    private static final KafkaPrincipal BOB = new KafkaPrincipal("User", "bob");

    private final SecurityServices services = new SecurityServices();
    private long id;

    @Test
    void aProtocolHasItsOwnLayerAndAuthenticator() {
        ChannelLayers plain = layers("plain");
        layers("mine");
        Authenticators none = authenticators("none");
        authenticators("sasl");

        SecurityParts parts =
                services.of(SecurityProtocol.PLAINTEXT, settings(Map.of())).orElseThrow();

        assertThat(parts.layers()).isSameAs(plain);
        assertThat(parts.authenticators()).isSameAs(none);
        assertThat(parts.principals()).isNull();
    }

    @Test
    void aListenerMayNameOthers() {
        layers("plain");
        ChannelLayers mine = layers("mine");
        authenticators("none");
        Authenticators asking = authenticators("asking");

        SecurityParts parts = services.of(
                        SecurityProtocol.PLAINTEXT,
                        settings(Map.of(
                                "listener.name.plaintext.gregor.channel.layer",
                                "mine",
                                "listener.name.plaintext.gregor.authenticator",
                                "asking")))
                .orElseThrow();

        assertThat(parts.layers()).isSameAs(mine);
        assertThat(parts.authenticators()).isSameAs(asking);
    }

    @Test
    void saysWhatIsMissing() {
        authenticators("none");
        ListenerSettings settings = settings(Map.of("listener.name.plaintext.gregor.channel.layer", "mine"));

        assertThat(services.of(SecurityProtocol.PLAINTEXT, settings)).isEmpty();
        assertThat(services.missing(SecurityProtocol.PLAINTEXT, settings)).isEqualTo("channel.layer=mine");
        assertThat(services.missing(SecurityProtocol.SASL_SSL, settings(Map.of())))
                .isEqualTo("channel.layer=tls and authenticator=sasl");
    }

    @Test
    void theHighestRankingBuilderNamesClientsOfListenersWithoutOne() {
        layers("plain");
        authenticators("none");
        services.addPrincipals(FakeReference.of(++id), bobs());
        KafkaPrincipalBuilder higher = bobs();
        services.addPrincipals(new FakeReference<>(++id, 5, id, "higher", Map.of()), higher);

        ListenerSettings without = settings(Map.of());
        ListenerSettings with =
                settings(Map.of("principal.builder.class", DefaultKafkaPrincipalBuilder.class.getName()));

        assertThat(services.of(SecurityProtocol.PLAINTEXT, without)
                        .orElseThrow()
                        .principals())
                .isSameAs(higher);
        assertThat(services.of(SecurityProtocol.PLAINTEXT, with).orElseThrow().principals())
                .isNull();
    }

    @Test
    void kafkasAuthenticatorsAskTheServiceThroughTheSettings() {
        layers("plain");
        authenticators("none");
        services.addPrincipals(FakeReference.of(++id), bobs());
        ListenerSettings settings = settings(Map.of());

        SecurityParts parts = services.of(SecurityProtocol.PLAINTEXT, settings).orElseThrow();

        KafkaPrincipalBuilder made = ChannelBuilders.createPrincipalBuilder(
                parts.told(settings.security()).settings(), null, null);
        assertThat(made.build(null)).isSameAs(BOB);
    }

    @Test
    void partsAreTheSameWhileTheServicesAre() {
        layers("plain");
        authenticators("none");
        ListenerSettings settings = settings(Map.of());
        SecurityParts before = services.of(SecurityProtocol.PLAINTEXT, settings).orElseThrow();
        assertThat(services.of(SecurityProtocol.PLAINTEXT, settings)
                        .orElseThrow()
                        .areSame(before))
                .isTrue();

        FakeReference<KafkaPrincipalBuilder> coming = FakeReference.of(++id);
        services.addPrincipals(coming, bobs());
        assertThat(services.of(SecurityProtocol.PLAINTEXT, settings)
                        .orElseThrow()
                        .areSame(before))
                .isFalse();

        services.removePrincipals(coming);
        assertThat(services.of(SecurityProtocol.PLAINTEXT, settings)
                        .orElseThrow()
                        .areSame(before))
                .isTrue();
    }

    @Test
    void aBundleThatIsNotUsedMakesNothingWhileAnotherDoes() {
        ChannelLayers stock = layers("plain");
        Authenticators none = authenticators("none");
        ChannelLayers plugin = Fake.of(ChannelLayers.class, Map.of());
        services.addLayers(new FakeReference<>(++id, 5, 77, "higher", Map.of("channel.layer", "plain")), plugin);
        ListenerSettings settings = settings(Map.of());

        services.stand(Map.of(77L, Standing.HELD));
        assertThat(layers(settings)).isSameAs(stock);
        services.stand(Map.of(1L, Standing.RETIRED));
        assertThat(layers(settings)).isSameAs(plugin);
        services.stand(Map.of(77L, Standing.LEAVING, 2L, Standing.LEAVING));
        assertThat(layers(settings)).isSameAs(stock);
        assertThat(services.of(SecurityProtocol.PLAINTEXT, settings)
                        .orElseThrow()
                        .authenticators())
                .as("there is no other one")
                .isSameAs(none);
    }

    private ChannelLayers layers(ListenerSettings settings) {
        return services.of(SecurityProtocol.PLAINTEXT, settings).orElseThrow().layers();
    }

    private static KafkaPrincipalBuilder bobs() {
        return Fake.of(KafkaPrincipalBuilder.class, Map.of("build", BOB));
    }

    private ChannelLayers layers(String name) {
        ChannelLayers made = Fake.of(ChannelLayers.class, Map.of());
        services.addLayers(new FakeReference<>(++id, 0, id, "b" + id, Map.of("channel.layer", name)), made);
        return made;
    }

    private Authenticators authenticators(String name) {
        Authenticators made = Fake.of(Authenticators.class, Map.of());
        services.addAuthenticators(new FakeReference<>(++id, 0, id, "b" + id, Map.of("authenticator", name)), made);
        return made;
    }

    private static ListenerSettings settings(Map<String, String> lines) {
        return ListenerSettings.of(
                new Endpoint("PLAINTEXT", SecurityProtocol.PLAINTEXT, "localhost", 9092),
                FakeNodeConfig.of(lines).values());
    }
}
