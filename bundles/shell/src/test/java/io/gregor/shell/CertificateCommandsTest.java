package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.security.CertificateRow;
import io.gregor.internal.security.Certificates;
import io.gregor.testing.Fake;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;

class CertificateCommandsTest {
    private static final CommandSession SESSION = Fake.of(CommandSession.class, (proxy, method, arguments) -> null);

    private record Held(List<CertificateRow> rows) implements Certificates {
        @Override
        public String reload(String listener, String who) {
            return "listener=" + listener + " read again";
        }
    }

    private final CertificateCommands commands = new CertificateCommands();

    @Test
    void showsHowLongCertificatesLast() {
        long nowMs = System.currentTimeMillis();
        commands.all = List.of(new Held(List.of(
                row("SSL", "key store", nowMs + TimeUnit.DAYS.toMillis(3) + TimeUnit.HOURS.toMillis(1) + 60_000, ""),
                row("SSL", "trust store", nowMs - 1, "file is gone"))));

        assertThat(commands.list("store=key"))
                .contains(" 3d01h ", " key ", " CN=a ")
                .doesNotContain("trust");
        assertThat(commands.list("store=trust")).contains(" expired ", "file is gone");
    }

    @Test
    void reloadsTheListenerThatIsNamed() {
        commands.all = List.of(new Held(List.of()), new Held(List.of(row("SSL", "key store", 0, ""))));

        assertThat(commands.reload(SESSION, "ssl")).isEqualTo("listener=SSL read again");
        assertThatThrownBy(() -> commands.reload(SESSION, "OTHER"))
                .hasMessage("no listener=OTHER with certificates, certificate:list shows those that have some");
    }

    private static CertificateRow row(String listener, String store, long notAfterMs, String problem) {
        return new CertificateRow(listener, store, "a", "CN=a", "CN=ca", "1f", 0, notAfterMs, "/x", 0, problem);
    }
}
