package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActivationFaultTest {
    @Test
    void innermostCauseOfAStackTrace() {
        String trace =
                """
                java.lang.reflect.InvocationTargetException
                \tat java.base/x.Y.z(Y.java:1)
                Caused by: java.lang.IllegalStateException: outer
                \tat a.B.c(B.java:2)
                Caused by: java.io.IOException: no such file: words
                \t... 12 more
                """;

        assertThat(ActivationFault.line(trace)).isEqualTo("java.io.IOException: no such file: words");
    }

    @Test
    void withoutACauseTheFirstLine() {
        assertThat(ActivationFault.line("java.lang.Error: x\n\tat a.B.c(B.java:2)\n"))
                .isEqualTo("java.lang.Error: x");
        assertThat(ActivationFault.line("")).isEqualTo("no reason given");
    }

    @Test
    void faultOnOneLine() {
        Exception fault = new RuntimeException("outer", new IllegalStateException("no disk\nleft"));

        assertThat(ActivationFault.line(fault)).isEqualTo("java.lang.IllegalStateException: no disk left");
    }
}
