package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.plugin.Plugins.Plugin;
import io.gregor.internal.plugin.Plugins.RoleAccount;
import io.gregor.internal.plugin.Plugins.State;
import io.gregor.internal.plugin.ServingBundles.Account;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PluginTextTest {
    private static final Account SERVED = new Account(30, 100, 1, 4, 250_000_000, 500_000_000, 10, 2, 5_000_000, 2048);
    private static final Account OTHER = new Account(30, 1, 0, 0, 0, 1_000_000, 0, 0, 0, 1024 * 1024);

    private final PluginText text = new PluginText(
            List.of(
                    new Plugin(
                            "io.example.echo",
                            "1.1.0",
                            State.TRIAL,
                            Path.of("/tmp/echo.jar"),
                            0,
                            "",
                            List.of("handler 10000 v0-0", "handler 10001 v0-2"),
                            List.of("share=30%", "requests=100 errors=4"),
                            List.of(new RoleAccount("broker", SERVED), new RoleAccount("controller", OTHER))),
                    plugin("io.example.echo", State.LIVE, ""),
                    plugin("half.jar", State.BROKEN, "it is no jar: copy it again")),
            Map.of(
                    "broker",
                    List.of(
                            filter("io.example.echo 1.1.0", FilterRow.State.OUT, "5 faults"),
                            filter("io.example.other 1.1.0", FilterRow.State.IN, ""))));

    @Test
    void listsPluginsByNameWithTheFiguresOfAllRoles() {
        assertThat(text.list(List.of()).lines().map(line -> line.replaceAll(" +", " ")
                        .replaceAll("\\d{4}-\\S+ \\S+", "T")))
                .containsExactly(
                        "NAME VERSION STATE REQUESTS ERRORS FILTERED FAULTS BUSY ALLOCATED SINCE FILE REASON",
                        "half.jar - broken 0 0 0 0 0ms 0.0K T a.jar it is no jar: copy it again",
                        "io.example.echo - live 0 0 0 0 0ms 0.0K T a.jar -",
                        "io.example.echo 1.1.0 trial 101 4 10 2 255ms 1.0M T echo.jar -");
        assertThat(text.list(List.of("state=broken"))).contains("half.jar").doesNotContain("echo");
    }

    @Test
    void showsEachOfThoseThatHaveTheName() {
        String details = text.details("io.example.echo");

        assertThat(details.split("\n\n")).hasSize(3);
        assertThat(details)
                .contains("services  handler 10000 v0-0\n          handler 10001 v0-2")
                .contains("filters   broker Masking state=out calls=9 faults=5 reason=5 faults\n")
                .contains("trial     share=30%\n          requests=100 errors=4")
                .contains("broker           100         1       4  2.500ms    5.000ms");
        assertThat(text.details("echo.jar")).contains("state     trial").doesNotContain("live");
    }

    @Test
    void saysWhereToLookForANameThatIsNotThere() {
        assertThatThrownBy(() -> text.details("io.example")).hasMessage("no plugin=io.example, plugin:list shows them");
    }

    private static FilterRow filter(String bundle, FilterRow.State state, String reason) {
        return new FilterRow(
                "Masking", bundle, List.of(0), 0, List.of(), List.of(), "open", state, reason, 9, 5, 1000, 0);
    }

    private static Plugin plugin(String name, State state, String reason) {
        return new Plugin(name, "", state, Path.of("/deploy/a.jar"), 0, reason, List.of(), List.of(), List.of());
    }
}
