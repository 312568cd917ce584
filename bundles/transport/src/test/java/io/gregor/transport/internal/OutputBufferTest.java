package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputBufferTest {
    private final OutputBuffer output = new OutputBuffer();
    private NarrowChannel sink = new NarrowChannel();
    private boolean isCut;

    @TempDir
    private Path directory;

    @Test
    void makesOneWriteOfAHeaderSmallRecordsAndATrailer() throws IOException {
        byte[] records = random(1_000);
        try (FileChannel file = file(records)) {
            output.begin(sink, false);
            output.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {1, 2}), ByteBuffer.wrap(new byte[] {3})});
            assertThat(output.transferFrom(file, 100, 900)).isEqualTo(900);
            output.write(ByteBuffer.wrap(new byte[] {4}));
            assertThat(output.end()).isNull();
        }
        assertThat(sink.writes).isEqualTo(1);
        assertThat(sink.transfers).isZero();
        assertThat(output.sentBytes()).isEqualTo(904);
        byte[] received = sink.received.toByteArray();
        assertThat(received).startsWith(1, 2, 3).endsWith(4);
        assertThat(received).containsSubsequence(Arrays.copyOfRange(records, 100, 1_000));
    }

    @Test
    void sendsLargeRecordsByZeroCopyAfterWhatCameBefore() throws IOException {
        byte[] records = random(100_000);
        try (FileChannel file = file(records)) {
            output.begin(sink, false);
            output.write(ByteBuffer.wrap(new byte[] {1}));
            assertThat(output.transferFrom(file, 0, 100_000)).isEqualTo(100_000);
            assertThat(output.end()).isNull();
        }
        assertThat(sink.transfers).isEqualTo(1);
        assertThat(sink.received.toByteArray()).startsWith(1).hasSize(100_001);
    }

    @Test
    void stopsWhenTheChannelIsFullAndReturnsWhatItHasTaken() throws IOException {
        byte[] large = random(300_000);
        ByteBuffer source = ByteBuffer.wrap(large);
        sink.roomBytes = 100_000;
        output.begin(sink, false);
        int taken = output.write(source);
        ByteBuffer rest = output.end();

        assertThat(output.sentBytes()).isEqualTo(100_000);
        assertThat(rest).isNotNull();
        assertThat(taken).isEqualTo(100_000 + rest.remaining()).isLessThan(300_000);
        sink.roomBytes = Integer.MAX_VALUE;
        sink.write(rest);
        output.begin(sink, false);
        output.write(source);
        assertThat(output.end()).isNull();
        assertThat(sink.received.toByteArray()).isEqualTo(large);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsAnyMixtureInItsOrderThroughAnyChannel(boolean isHolding) throws IOException {
        sink = isHolding ? new HoldingChannel() : sink;
        Random random = new Random(11);
        byte[] records = random(200_000);
        try (FileChannel file = file(records)) {
            for (int round = 0; round < 50; round++) {
                sink.received.reset();
                ByteArrayOutputStream expected = new ByteArrayOutputStream();
                ByteBuffer unsent = null;
                for (int piece = 0; piece < 12; piece++) {
                    int size = random.nextInt(random.nextInt(4) == 0 ? 150_000 : 5_000);
                    int start = random.nextInt(records.length - size);
                    expected.write(records, start, size);
                    ByteBuffer bytes = ByteBuffer.wrap(records, start, size);
                    boolean fromFile = random.nextBoolean();
                    while (bytes.hasRemaining()) {
                        sink.roomBytes = random.nextInt(3) == 0 ? random.nextInt(20_000) : Integer.MAX_VALUE;
                        unsent = attempt(unsent, bytes, fromFile ? file : null);
                    }
                }
                sink.roomBytes = Integer.MAX_VALUE;
                attempt(unsent, ByteBuffer.allocate(0), null);
                assertThat(sink.received.toByteArray()).isEqualTo(expected.toByteArray());
            }
        }
    }

    /** As the writer of a connection does it: first what was not taken the last time. */
    private @Nullable ByteBuffer attempt(@Nullable ByteBuffer unsent, ByteBuffer bytes, @Nullable FileChannel file)
            throws IOException {
        if (unsent != null) {
            sink.write(unsent);
            if (unsent.hasRemaining()) {
                return unsent;
            }
        }
        output.begin(sink, isCut);
        if (file == null) {
            output.write(bytes);
        } else {
            long moved = output.transferFrom(file, bytes.position(), bytes.remaining());
            bytes.position(bytes.position() + (int) moved);
        }
        ByteBuffer rest = output.end();
        isCut = output.isCut();
        return rest;
    }

    /** Reads more of a file than it can send, as Kafka's TLS layer does, and sends that first in the next transfer. */
    private static final class HoldingChannel extends NarrowChannel {
        private static final int HELD_BYTES = 32 * 1024;

        private ByteBuffer held = ByteBuffer.allocate(0);

        @Override
        public long transferFrom(FileChannel file, long position, long count) throws IOException {
            long sent = 0;
            while (sent < count && !held.hasRemaining()) {
                held = ByteBuffer.allocate((int) Math.min(HELD_BYTES, count - sent));
                file.read(held, position + sent);
                held.flip();
                sent += super.write(held);
            }
            return sent == 0 ? super.write(held) : sent;
        }

        @Override
        public int write(ByteBuffer source) {
            assertThat(held.remaining()).as("bytes of the file held back").isZero();
            return super.write(source);
        }
    }

    private FileChannel file(byte[] content) throws IOException {
        return FileChannel.open(Files.write(directory.resolve("records"), content));
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(5).nextBytes(bytes);
        return bytes;
    }
}
