package io.gregor.node.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.gregor.internal.change.LiveConfig.JournalEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of this node, on disk as lines of JSON; a later line with the number of an earlier one replaces it, so that
 * nothing is ever overwritten. Owned by the reconfiguration thread; {@link #entries} is for any thread.
 */
final class ChangeJournal {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChangeJournal.class);
    private static final String FILE = "changes.jsonl";
    private static final int KEPT = 1000;
    /** How much of the file may be replaced lines before it is written anew. */
    private static final int MOST_LINES = 3 * KEPT;

    private final Path file;
    private final TreeMap<Long, JournalLine> lines = new TreeMap<>();
    private volatile List<JournalEntry> entries = List.of();

    private ChangeJournal(Path file) {
        this.file = file;
    }

    /** Reads what is there; what cannot be read is named in the log and left out. */
    static ChangeJournal open(Path home) {
        ChangeJournal journal = new ChangeJournal(home.resolve(FILE));
        try {
            journal.load();
        } catch (IOException fault) {
            LOGGER.warn("the journal of changes cannot be read, it begins anew: file={}", journal.file, fault);
        }
        journal.show();
        return journal;
    }

    private void load() throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException first) {
            return;
        }
        List<String> text = new String(bytes, StandardCharsets.UTF_8).lines().toList();
        boolean isBroken = bytes.length > 0 && bytes[bytes.length - 1] != '\n';
        for (String json : text) {
            try {
                JournalLine line = JournalLine.parse(json);
                lines.put(line.entry().number(), line);
            } catch (IllegalArgumentException | JsonProcessingException broken) {
                LOGGER.warn(
                        "a line of the journal of changes is left out: file={} reason={}", file, broken.getMessage());
                isBroken = true;
            }
        }
        forgetOldest();
        if (isBroken || text.size() > MOST_LINES) {
            writeAnew();
        }
    }

    /** All changes, last first. */
    List<JournalEntry> entries() {
        return entries;
    }

    /** The number of the next change. */
    long nextNumber() {
        return lines.isEmpty() ? 1 : lines.lastKey() + 1;
    }

    Optional<JournalLine> line(long number) {
        return Optional.ofNullable(lines.get(number));
    }

    /** The last change of settings that was applied, took none back, and was not taken back. */
    Optional<JournalLine> lastApplied() {
        return lines.descendingMap().values().stream()
                .filter(line -> line.entry().isOfSettings()
                        && line.isApplied()
                        && line.takesBack() < 0
                        && takenBackBy(line) < 0)
                .findFirst();
    }

    /** The number of the applied change that took this one back, -1 if there is none. */
    long takenBackBy(JournalLine line) {
        return lines.tailMap(line.entry().number(), false).values().stream()
                .filter(later ->
                        later.isApplied() && later.takesBack() == line.entry().number())
                .map(later -> later.entry().number())
                .findFirst()
                .orElse(-1L);
    }

    /** Adds a change, or replaces the one with its number; on disk when it returns. */
    void put(JournalLine line) {
        lines.put(line.entry().number(), line);
        forgetOldest();
        show();
        try {
            append(line.json() + "\n", StandardOpenOption.APPEND);
        } catch (IOException fault) {
            LOGGER.warn(
                    "a change cannot be written to the journal: file={} change={}",
                    file,
                    line.entry().number(),
                    fault);
        }
    }

    private void append(String text, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private void writeAnew() throws IOException {
        StringBuilder text = new StringBuilder();
        for (JournalLine line : lines.values()) {
            text.append(line.json()).append('\n');
        }
        Path next = file.resolveSibling(FILE + ".tmp");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void forgetOldest() {
        while (lines.size() > KEPT) {
            lines.pollFirstEntry();
        }
    }

    private void show() {
        Map<Long, Long> takenBackBy = new HashMap<>();
        lines.values().stream()
                .filter(JournalLine::isApplied)
                .forEach(line ->
                        takenBackBy.putIfAbsent(line.takesBack(), line.entry().number()));
        entries = lines.descendingMap().values().stream()
                .map(line -> line.shown(takenBackBy.getOrDefault(line.entry().number(), -1L)))
                .toList();
    }
}
