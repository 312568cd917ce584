package io.gregor.security.tls.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.change.Journal;
import io.gregor.internal.security.CertificateRow;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsListenersTest implements Journal {
    private static final String BEAN = "io.gregor:type=Certificates,listener=SSL,store=key";

    @TempDir
    Path folder;

    private final List<String> journal = new ArrayList<>();
    private final TlsListeners listeners =
            new TlsListeners(Time.SYSTEM, security -> false, () -> this, name -> !name.contains("HIDDEN"));
    private Path store = Path.of("none");
    private ChannelLayer made = connection -> {
        throw new AssertionError();
    };

    @Override
    public void add(String who, String door, Map<String, String> before, Map<String, String> after, String result) {
        journal.add(who + " " + door + " " + after.keySet() + " " + result);
    }

    @Override
    public boolean isLast(String subject, String value) {
        throw new AssertionError();
    }

    @BeforeEach
    void make() throws IOException {
        store = Pem.file(folder.resolve("store.pem"), "first");
        made = listeners.make(Pem.listener(store), listeners::ended);
    }

    @AfterEach
    void close() {
        listeners.close();
    }

    @Test
    void readsAFileThatHasChangedWhenItIsTheSameAtTwoLooks() throws IOException {
        String before = serial();
        replace("second");
        listeners.look();
        assertThat(serial()).isEqualTo(before);

        listeners.look();

        assertThat(serial()).isNotEqualTo(before);
        assertThat(journal).containsExactly(" node [certificates SSL] applied");
    }

    @Test
    void keepsWhatIsInUseWhileTheFileIsBrokenAndSaysSoOnce() throws IOException {
        String before = serial();
        Files.writeString(store, Pem.text("second").substring(0, 300));
        for (int i = 0; i < 4; i++) {
            listeners.look();
        }

        assertThat(serial()).isEqualTo(before);
        assertThat(listeners.rows())
                .extracting(CertificateRow::problem)
                .allMatch(text -> text.contains(store.toString()));
        assertThat(journal).singleElement().asString().contains("refused: ssl.keystore.location=");

        replace("second");
        listeners.look();
        listeners.look();
        assertThat(serial()).isNotEqualTo(before);
        assertThat(listeners.rows()).extracting(CertificateRow::problem).containsOnly("");
    }

    @Test
    void followsALinkThatIsSwapped() throws IOException {
        Path folders = Files.createDirectories(folder.resolve("one"));
        Pem.file(folders.resolve("tls.pem"), "first");
        Pem.file(Files.createDirectories(folder.resolve("two")).resolve("tls.pem"), "second");
        Path data = Files.createSymbolicLink(folder.resolve("..data"), folders);
        Path link = Files.createSymbolicLink(folder.resolve("tls.pem"), data.resolve("tls.pem"));
        listeners.make(Pem.listener(link), listeners::ended);
        String before = serial();

        Path next = Files.createSymbolicLink(folder.resolve("..next"), folder.resolve("two"));
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        listeners.look();
        listeners.look();

        assertThat(serial()).isNotEqualTo(before);
    }

    @Test
    void refusesAnotherSubjectAsKafkaDoes() throws IOException {
        replace("renamed");
        assertThatThrownBy(() -> listeners.reload("SSL", "jane"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the former certificates stay: ")
                .hasMessageContaining("ssl.allow.dn.changes=true lets it change");
        replace("moved");
        assertThatThrownBy(() -> listeners.reload("SSL", "jane"))
                .hasMessageContaining("ssl.allow.san.changes=true lets them change");

        assertThat(journal).hasSize(2).allMatch(line -> line.startsWith("jane shell [certificates SSL] refused: "));
    }

    @Test
    void checksNewSettingsOfAListenerAgainstThoseInUse() throws IOException {
        Path other = Pem.file(folder.resolve("other.pem"), "renamed");

        assertThatThrownBy(() -> listeners.make(Pem.listener(other), listeners::ended))
                .isInstanceOf(ConfigException.class);
        listeners.make(
                Pem.listener(Map.of("ssl.keystore.location", other.toString(), "ssl.allow.dn.changes", true)),
                listeners::ended);

        assertThat(listeners.rows().get(0).subject()).isEqualTo("CN=elsewhere");
    }

    @Test
    void whatIsClosedIsNotUsedAnyMore() {
        ChannelLayer later = listeners.make(Pem.listener(store), listeners::ended);
        later.close();
        assertThat(listeners.rows()).hasSize(2);

        made.close();

        assertThat(listeners.rows()).isEmpty();
        assertThatThrownBy(() -> listeners.reload("SSL", "jane")).hasMessageContaining("no listener=SSL");
    }

    @Test
    void whatAnotherBundleMakesConnectionsInsteadOfIsNotShown() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(BEAN);
        beans.unregisterMBean(name);
        beans.registerMBean(new StandardMBean(() -> {}, Runnable.class), name);
        try {
            made.retire();
            replace("second");
            listeners.look();
            listeners.look();

            assertThat(listeners.rows()).isEmpty();
            assertThat(journal).isEmpty();
            assertThat(beans.isRegistered(name)).as("the MBean of the other").isTrue();
            made.close();
            listeners.close();
            assertThat(beans.isRegistered(name)).as("the MBean of the other").isTrue();
        } finally {
            beans.unregisterMBean(name);
        }
    }

    @Test
    void takesTheBeanOverFromAnotherBundle() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(BEAN);
        made.retire();
        assertThat(beans.isRegistered(name)).isFalse();
        beans.registerMBean(new StandardMBean(() -> {}, Runnable.class), name);

        listeners.make(Pem.listener(store), listeners::ended);

        assertThat(beans.getAttribute(name, "Certificates"))
                .isEqualTo(listeners.rows().size());
    }

    @Test
    void showsWhenTheFirstCertificateExpires() throws Exception {
        ObjectName name = new ObjectName(BEAN);
        Object expiresInMs = ManagementFactory.getPlatformMBeanServer().getAttribute(name, "ExpiresInMs");

        assertThat((Long) expiresInMs).isBetween(Pem.HUNDRED_YEARS_MS / 2, Pem.HUNDRED_YEARS_MS);

        made.close();
        assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(name))
                .isFalse();
    }

    @Test
    void aListenerOfBrokersMustTrustItself() {
        TlsListeners ofBrokers = new TlsListeners(Time.SYSTEM, security -> true, () -> null, name -> false);

        assertThatThrownBy(() -> ofBrokers.make(listener("other-authority"), ofBrokers::ended))
                .hasMessageContaining("the trust store must vouch for the key store");
        ofBrokers.make(listener("authority"), ofBrokers::ended);
    }

    private ListenerSecurity listener(String trusted) {
        return Pem.listener(Map.of(
                "ssl.keystore.location", store.toString(),
                "ssl.truststore.certificates", Pem.password(Pem.text(trusted))));
    }

    private void replace(String name) throws IOException {
        Path next = Pem.file(folder.resolve("next"), name);
        Files.move(next, store, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private String serial() {
        return listeners.rows().get(0).serial();
    }
}
