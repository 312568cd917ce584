package io.gregor.shell;

import io.gregor.internal.security.CertificateRow;
import io.gregor.internal.security.Certificates;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.Caller;
import io.gregor.shell.internal.Span;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Table;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about the certificates of listeners. Shared: any thread. */
@Component(service = CertificateCommands.class, immediate = true)
@ShellScope(
        scope = "certificate",
        function = {"list", "reload"},
        example = {"certificate:list store=key", "certificate:reload EXTERNAL"})
public final class CertificateCommands {
    private static final Syntax RELOAD = Syntax.of(CertificateCommands.class, "certificate", "reload");

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Certificates> all = List.of();

    /** Lists them. */
    @Descriptor(
            "certificates that listeners use: until when they are valid, where they are from, what is wrong with newer ones")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        Table table = new Table(
                "LISTENER",
                "STORE",
                "ALIAS",
                "SUBJECT",
                "ISSUER",
                "SERIAL",
                "UNTIL",
                "LEFT",
                "SOURCE",
                "READ",
                "PROBLEM");
        long nowMs = System.currentTimeMillis();
        for (Certificates some : all) {
            some.rows().forEach(row -> add(table, row, nowMs));
        }
        return table.matching(List.of(filters)).draw();
    }

    private static void add(Table table, CertificateRow row, long nowMs) {
        long leftMs = row.notAfterMs() - nowMs;
        table.add(
                row.listener(),
                row.store().replace(" store", ""),
                row.alias(),
                row.subject(),
                row.issuer(),
                row.serial(),
                Instant.ofEpochMilli(row.notAfterMs()),
                leftMs < 0 ? "expired" : Span.text(leftMs),
                row.source(),
                Span.text(Math.max(0, nowMs - row.readMs())) + " ago",
                row.problem().isEmpty() ? "-" : row.problem());
    }

    /** Reads stores again. */
    @Descriptor("reads the key store and trust store of a listener again; if they are broken the former ones stay")
    @Arguments("LISTENER: its name in certificate:list")
    public String reload(CommandSession session, String... typed) {
        String listener = RELOAD.read(typed).word(0).toUpperCase(Locale.ROOT);
        Certificates its = all.stream()
                .filter(some ->
                        some.rows().stream().anyMatch(row -> row.listener().equals(listener)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no listener=" + listener + " with certificates, certificate:list shows those that have some"));
        return its.reload(listener, Caller.of(session).user());
    }
}
