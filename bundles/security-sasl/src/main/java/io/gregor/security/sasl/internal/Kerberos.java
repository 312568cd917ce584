package io.gregor.security.sasl.internal;

import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.security.authenticator.SaslClientAuthenticator;
import org.apache.kafka.common.security.kerberos.KerberosName;
import org.apache.kafka.common.security.kerberos.KerberosShortNamer;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.jspecify.annotations.Nullable;

/** What GSSAPI needs beyond what the other mechanisms do. No state. */
final class Kerberos {
    private static final String MECHANISM = "1.2.840.113554.1.2.2";

    private Kerberos() {}

    /** How names of Kerberos become names of clients: {@code sasl.kerberos.principal.to.local.rules}; null if there are none. */
    static @Nullable KerberosShortNamer names(Map<String, ?> settings) {
        Object rules = settings.get(BrokerSecurityConfigs.SASL_KERBEROS_PRINCIPAL_TO_LOCAL_RULES_CONFIG);
        if (!(rules instanceof List<?> list)) {
            return null;
        }
        try {
            return KerberosShortNamer.fromUnparsedRules(
                    realm(), list.stream().map(Object::toString).toList());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(BrokerSecurityConfigs.SASL_KERBEROS_PRINCIPAL_TO_LOCAL_RULES_CONFIG + "=" + list
                    + ": " + e.getMessage() + "; a rule is DEFAULT or RULE:[COUNT:FORMAT](PATTERN)s/FROM/TO/g");
        }
    }

    /** That of krb5.conf; empty if there is none. */
    private static String realm() {
        try {
            return new KerberosPrincipal("tmp", 1).getRealm();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** With the JVM's {@code sun.security.jgss.native} the system's library holds the keys, and a login does not bring them. */
    static void addNativeCredential(Subject subject) {
        if (!Boolean.getBoolean("sun.security.jgss.native")
                || !subject.getPrivateCredentials(GSSCredential.class).isEmpty()) {
            return;
        }
        try {
            KerberosName own = KerberosName.parse(SaslClientAuthenticator.firstPrincipal(subject));
            GSSManager manager = GSSManager.getInstance();
            Oid kerberos = new Oid(MECHANISM);
            GSSName name = manager.createName(own.serviceName() + "@" + own.hostName(), GSSName.NT_HOSTBASED_SERVICE);
            subject.getPrivateCredentials()
                    .add(manager.createCredential(
                            name, GSSContext.INDEFINITE_LIFETIME, kerberos, GSSCredential.ACCEPT_ONLY));
        } catch (GSSException e) {
            throw new IllegalArgumentException(
                    "sun.security.jgss.native=true, but there is no key: " + e.getMessage(), e);
        }
    }
}
