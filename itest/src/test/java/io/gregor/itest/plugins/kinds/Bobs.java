package io.gregor.itest.plugins.kinds;

import org.apache.kafka.common.security.auth.AuthenticationContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;

/** Everybody is bob, but for the controllers. */
public final class Bobs implements KafkaPrincipalBuilder {
    private final DefaultKafkaPrincipalBuilder kafkas = new DefaultKafkaPrincipalBuilder(null, null);

    @Override
    public KafkaPrincipal build(AuthenticationContext context) {
        return context.listenerName().equals("CONTROLLER")
                ? KafkaPrincipal.ANONYMOUS
                : new KafkaPrincipal(KafkaPrincipal.USER_TYPE, "bob");
    }

    @Override
    public byte[] serialize(KafkaPrincipal principal) {
        return kafkas.serialize(principal);
    }

    @Override
    public KafkaPrincipal deserialize(byte[] bytes) {
        return kafkas.deserialize(bytes);
    }
}
