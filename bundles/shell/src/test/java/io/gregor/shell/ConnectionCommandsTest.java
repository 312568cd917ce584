package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.transport.TransportView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectionCommandsTest {
    private record Shown(List<ConnectionRow> connections) implements TransportView {
        @Override
        public List<ListenerRow> listeners() {
            return List.of();
        }

        @Override
        public List<ProcessorRow> processors() {
            return List.of();
        }

        @Override
        public double networkIdleRatio() {
            return Double.NaN;
        }
    }

    private final ConnectionCommands commands = new ConnectionCommands();

    @Test
    void showsConnectionsOfBothRolesAndTheNameOfTheLastApi() {
        commands.transports = List.of(
                Map.entry(Map.of("role", "controller"), new Shown(List.of(row("c-1", "gregor", -1)))),
                Map.entry(
                        Map.of("role", "broker"), new Shown(List.of(row("b-1", "kcat", 1), row("b-2", "new", 10001)))));

        assertThat(commands.list().lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "broker L 0 b-1 kcat User:ANONYMOUS muted Fetch 10 20 3m05s 2s",
                        "broker L 0 b-2 new User:ANONYMOUS muted api=10001 10 20 3m05s 2s",
                        "controller L 0 c-1 gregor User:ANONYMOUS muted - 10 20 3m05s 2s");
        assertThat(commands.list("client=kcat")).contains("b-1").doesNotContain("b-2", "c-1");
    }

    private static TransportView.ConnectionRow row(String id, String client, int lastApiKey) {
        return new TransportView.ConnectionRow(
                id, "L", 0, client, "User:ANONYMOUS", "muted", 0, lastApiKey, 10, 20, 185_000, 2_000);
    }
}
