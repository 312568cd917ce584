package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.junit.jupiter.api.Test;

class CommandHelpTest {
    /** Commands as they are written in other bundles. */
    public static final class Samples {
        @Descriptor("shows all")
        public String list(CommandSession session, @Descriptor("what to look for") String... words) {
            return "";
        }

        public void lb(int level) {}
    }

    private final CommandHelp help = new CommandHelp(List.of(
            CommandPage.of("sample", "list", "sample:list a", Samples.class),
            CommandPage.of("felix", "lb", "", Samples.class)));

    @Test
    void showsCommandsWithExamplesAndNamesTheOthers() {
        assertThat(help.overview())
                .isEqualTo(
                        """
                        COMMAND      WHAT IT SHOWS OR DOES  EXAMPLE
                        sample:list  shows all              sample:list a

                        help COMMAND tells more
                        of the framework: felix:lb""");
    }

    @Test
    void explainsArgumentsOfOneCommand() {
        assertThat(help.details("list", new CommandNames(List.of())))
                .isEqualTo(
                        """
                        sample:list
                          sample:list [STRING...]
                              shows all
                              [STRING...]: what to look for
                          example: sample:list a""");
        assertThat(help.details("felix:lb", new CommandNames(List.of()))).contains("felix:lb INT");
    }

    @Test
    void namesTheNearestCommandWhenThereIsNone() {
        assertThatThrownBy(() -> help.details("sample:lst", new CommandNames(List.of("sample:list"))))
                .hasMessage("unknown command=sample:lst, did you mean sample:list?");
    }
}
