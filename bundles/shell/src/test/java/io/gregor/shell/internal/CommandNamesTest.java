package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandNamesTest {
    private final CommandNames names = new CommandNames(
            List.of("queue:show", "connection:list", "listener:list", "felix:lb", "node:show", "gregor:help"));

    @ParameterizedTest
    @CsvSource({
        "lisener:list, listener:list",
        "listener:lst, listener:list",
        "listeners, listener:list",
        "connection, connection:list",
        "queue:list, queue:show",
        "help, gregor:help"
    })
    void findsWhatWasMeant(String typed, String meant) {
        assertThat(names.nearest(typed)).contains(meant);
    }

    @Test
    void doesNotGuessWildly() {
        assertThat(names.nearest("make-coffee")).isEmpty();
    }

    @Test
    void completesInOrder() {
        assertThat(names.startingWith("l")).containsExactly("listener:list");
        assertThat(names.startingWith("")).hasSize(6).isSorted();
    }
}
