package io.gregor.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Code in the documents is the code that is built and tested: a fenced block of Java or XML in {@code write-a-plugin.md} stands
 * below a comment that names its file, {@code <!-- from: path -->}, and is found in it line by line, apart from indentation. An
 * ellipsis on a line of its own stands for lines that are left out.
 */
class DocsCodeTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern FENCE = Pattern.compile("(?m)^```(?:java|xml)\\R");
    private static final Pattern SOURCE = Pattern.compile("<!-- from: (\\S+) -->");
    private static final String LEFT_OUT = "…";

    private record Block(String source, List<String> lines) {}

    @Test
    void eachBlockIsFoundInItsFile() throws IOException {
        List<Block> blocks = blocks(Files.readString(ROOT.resolve("docs/write-a-plugin.md")));

        assertThat(blocks).as("blocks of code in docs/write-a-plugin.md").hasSizeGreaterThan(5);
        for (Block block : blocks) {
            List<String> file = lines(Files.readString(ROOT.resolve(block.source())));
            int from = 0;
            for (List<String> part : parts(block.lines())) {
                from = end(file, part, from);
                assertThat(from)
                        .as("%s has no such lines:%n%s", block.source(), String.join("\n", part))
                        .isPositive();
            }
        }
    }

    @Test
    void blockWithoutItsFileIsFound() {
        assertThat(blocks("text\n```java\nint a;\n```\n")).singleElement().satisfies(block -> assertThat(block.source())
                .isEqualTo("the block names no file"));
    }

    @Test
    void changedLineIsFound() {
        List<String> file = List.of("int a;", "int b;");

        assertThat(end(file, List.of("int a;", "int b;"), 0)).isEqualTo(2);
        assertThat(end(file, List.of("int a;", "int c;"), 0)).isNegative();
    }

    private static List<Block> blocks(String text) {
        List<Block> blocks = new ArrayList<>();
        Matcher fence = FENCE.matcher(text);
        while (fence.find()) {
            String above = text.substring(0, fence.start()).stripTrailing();
            Matcher source = SOURCE.matcher(above.substring(above.lastIndexOf('\n') + 1));
            int end = text.indexOf("\n```", fence.end());
            blocks.add(new Block(
                    source.matches() ? source.group(1) : "the block names no file",
                    lines(text.substring(fence.end(), end))));
        }
        return blocks;
    }

    private static List<String> lines(String text) {
        return Stream.of(text.split("\\R"))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** What stands between the ellipses. */
    private static List<List<String>> parts(List<String> lines) {
        List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        for (String line : lines) {
            if (line.equals(LEFT_OUT)) {
                parts.add(new ArrayList<>());
            } else {
                parts.get(parts.size() - 1).add(line);
            }
        }
        parts.removeIf(List::isEmpty);
        return parts;
    }

    /** Where these lines end in the file, from a line on; -1 if they are not there one after the other. */
    private static int end(List<String> file, List<String> part, int from) {
        for (int start = from; start + part.size() <= file.size(); start++) {
            if (file.subList(start, start + part.size()).equals(part)) {
                return start + part.size();
            }
        }
        return -1;
    }
}
