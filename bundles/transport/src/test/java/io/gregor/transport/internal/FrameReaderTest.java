package io.gregor.transport.internal;

import static io.gregor.transport.internal.FrameReader.Progress.COMPLETE;
import static io.gregor.transport.internal.FrameReader.Progress.MORE;
import static io.gregor.transport.internal.FrameReader.Progress.NO_MEMORY;
import static io.gregor.transport.internal.FrameReader.Progress.REFUSED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static final int MAX_BYTES = 1_000_000;

    private final FrameReader reader = new FrameReader(() -> MAX_BYTES, memory(-1), () -> {});

    @Test
    void takesAFrameThatArrivesInOnePiece() {
        assertThat(reader.advance(frame("hello"))).isEqualTo(COMPLETE);
        assertThat(text(reader.take())).isEqualTo("hello");
    }

    @Test
    void takesAFrameThatArrivesByteByByte() {
        ByteBuffer bytes = frame("dribble");
        while (bytes.remaining() > 1) {
            assertThat(reader.advance(one(bytes))).isEqualTo(MORE);
        }
        assertThat(reader.advance(one(bytes))).isEqualTo(COMPLETE);
        assertThat(text(reader.take())).isEqualTo("dribble");
    }

    @Test
    void cutsAnyStreamIntoTheSameFramesHoweverItArrives() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<String> sent = new ArrayList<>();
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            for (int count = 0; count < 20; count++) {
                String body = "x".repeat(1 + random.nextInt(random.nextBoolean() ? 10 : 3000)) + count;
                sent.add(body);
                stream.writeBytes(frame(body).array());
            }
            assertThat(received(stream.toByteArray(), random)).isEqualTo(sent);
        }
    }

    @Test
    void keepsWhatArrivesLaterBehindWhatWasKept() {
        ByteBuffer early = join(frame("one"), frame("two"), frame("three").limit(6));
        reader.advance(early);
        reader.keep(early);
        reader.keep(frame("three").position(6));
        reader.take();

        assertThat(reader.advanceKept()).isEqualTo(COMPLETE);
        assertThat(text(reader.take())).isEqualTo("two");
        assertThat(reader.advanceKept()).isEqualTo(COMPLETE);
        assertThat(text(reader.take())).isEqualTo("three");
        assertThat(reader.hasBegun()).isFalse();
    }

    @Test
    void countsCompleteFramesThatAreThrownAway() {
        RequestMemory memory = memory(100);
        FrameReader bounded = new FrameReader(() -> MAX_BYTES, memory, () -> {});
        bounded.keep(join(frame("one"), frame("two"), frame("three").limit(6)));

        assertThat(bounded.discardKept()).isEqualTo(2);
        assertThat(bounded.hasBegun()).isTrue();
        bounded.close();
        assertThat(memory.reserve(100, () -> {}).isGranted()).isTrue();
    }

    @Test
    void servesKeptFramesWithoutCopyingThem() {
        ByteBuffer bytes = join(frame("one"), frame("two"), frame("three"));
        reader.advance(bytes);
        reader.keep(bytes);
        reader.take();

        assertThat(reader.advanceKept()).isEqualTo(COMPLETE);
        ByteBuffer two = reader.take();
        assertThat(reader.advanceKept()).isEqualTo(COMPLETE);
        ByteBuffer three = reader.take();

        assertThat(text(two)).isEqualTo("two");
        assertThat(text(three)).isEqualTo("three");
        assertThat(two.array()).isSameAs(three.array());
        assertThat(reader.hasKept()).isFalse();
    }

    @Test
    void refusesLengthsThatNoRequestHas() {
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, MAX_BYTES + 1, Integer.MAX_VALUE}) {
            FrameReader fresh = new FrameReader(() -> MAX_BYTES, memory(-1), () -> {});
            assertThat(fresh.advance(length(length))).as("length %d", length).isEqualTo(REFUSED);
        }
        assertThat(reader.advance(length(MAX_BYTES))).isEqualTo(MORE);
    }

    @Test
    void refusesAForeignProtocolAsTheFirstFrameEvenIfItsLengthIsAllowed() {
        FrameReader generous = new FrameReader(() -> Integer.MAX_VALUE, memory(-1), () -> {});
        assertThat(generous.advance(ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(US_ASCII))))
                .isEqualTo(REFUSED);
    }

    @Test
    void growsWithWhatHasArrivedNotWithWhatWasAnnounced() {
        reader.advance(length(MAX_BYTES));
        int arrived = 0;
        for (int piece : new int[] {10, 500, 3_000, 40_000}) {
            assertThat(reader.advance(ByteBuffer.allocate(piece))).isEqualTo(MORE);
            arrived += piece;
            assertThat(reader.bufferBytes()).isBetween(arrived, Math.max(256, 2 * arrived));
        }
    }

    @Test
    void readsNothingOfAFrameBeforeItsSizeIsReserved() {
        RequestMemory memory = memory(100);
        AtomicInteger granted = new AtomicInteger();
        RequestMemory.Reservation other = memory.reserve(60, () -> {});
        FrameReader bounded = new FrameReader(() -> MAX_BYTES, memory, granted::incrementAndGet);

        assertThat(bounded.wantedBytes(64_000)).isEqualTo(4);
        assertThat(bounded.advance(length(50))).isEqualTo(NO_MEMORY);
        assertThat(bounded.advanceKept()).isEqualTo(NO_MEMORY);
        memory.release(other);

        assertThat(granted).hasValue(1);
        assertThat(bounded.advanceKept()).isEqualTo(MORE);
        assertThat(bounded.wantedBytes(64_000)).isEqualTo(50);
    }

    @Test
    void givesItsMemoryBackWhenTheFrameIsDoneWithOrTheConnectionIsGone() {
        RequestMemory memory = memory(100);
        FrameReader first = new FrameReader(() -> MAX_BYTES, memory, () -> {});
        first.advance(frame("x".repeat(90)));
        Runnable releaser = first.releaser();
        first.take();
        first.close();
        FrameReader second = new FrameReader(() -> MAX_BYTES, memory, () -> {});
        assertThat(second.advance(length(90))).isEqualTo(NO_MEMORY);

        releaser.run();
        assertThat(second.advanceKept()).isEqualTo(MORE);
        second.close();

        assertThat(memory.reserve(100, () -> {}).isGranted()).isTrue();
    }

    @Test
    void reservesTheRestOfALargeFrameWhenItsBeginHasCome() {
        int begin = RequestMemory.BEGIN_BYTES;
        RequestMemory memory = memory(4 * begin);
        FrameReader bounded = new FrameReader(() -> MAX_BYTES, memory, () -> {});
        bounded.advance(length(3 * begin));
        assertThat(bounded.wantedBytes(64_000)).isEqualTo(begin);
        bounded.advance(ByteBuffer.allocate(begin - 1));
        assertThat(memory.reservedBytes()).isEqualTo(begin);
        RequestMemory.Reservation other = memory.reserve(2 * begin, () -> {});
        memory.reserveRest(other);

        assertThat(bounded.advance(ByteBuffer.allocate(1))).isEqualTo(NO_MEMORY);
        memory.release(other);

        assertThat(bounded.advanceKept()).isEqualTo(MORE);
        assertThat(memory.reservedBytes()).isEqualTo(3 * begin);
        assertThat(bounded.wantedBytes(64_000)).isEqualTo(2 * begin + 1);
    }

    @Test
    void takesUpAFrameThatBeganBeforeMemoryWasBounded() {
        RequestMemory memory = memory(-1);
        FrameReader first = new FrameReader(() -> MAX_BYTES, memory, () -> {});
        ByteBuffer two = join(frame("x".repeat(50)), frame("y".repeat(60)));
        assertThat(first.advance(two)).isEqualTo(COMPLETE);
        first.keep(two);
        first.take();

        memory.limit(100);
        assertThat(first.advanceKept()).isEqualTo(COMPLETE);
        assertThat(memory.reservedBytes()).isEqualTo(60);
        first.releaser().run();
        assertThat(memory.reservedBytes()).isZero();
    }

    private static RequestMemory memory(long limitBytes) {
        ManualTime time = new ManualTime();
        return new RequestMemory(limitBytes, time, new SampleWindows(time.nanoseconds(), 30_000_000_000L, 2));
    }

    private List<String> received(byte[] stream, Random random) {
        List<String> received = new ArrayList<>();
        int position = 0;
        while (position < stream.length) {
            int piece = Math.min(stream.length - position, 1 + random.nextInt(random.nextBoolean() ? 6 : 9000));
            ByteBuffer arrived = ByteBuffer.wrap(stream, position, piece);
            position += piece;
            FrameReader.Progress progress = reader.advance(arrived);
            if (progress == COMPLETE && arrived.hasRemaining()) {
                reader.keep(arrived);
            }
            while (progress == COMPLETE) {
                received.add(text(reader.take()));
                progress = reader.advanceKept();
            }
        }
        return received;
    }

    private static ByteBuffer frame(String body) {
        byte[] bytes = body.getBytes(US_ASCII);
        return ByteBuffer.allocate(4 + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .flip();
    }

    private static ByteBuffer length(int length) {
        return ByteBuffer.allocate(4).putInt(length).flip();
    }

    private static ByteBuffer one(ByteBuffer from) {
        return ByteBuffer.wrap(new byte[] {from.get()});
    }

    private static ByteBuffer join(ByteBuffer... parts) {
        ByteBuffer joined = ByteBuffer.allocate(1000);
        for (ByteBuffer part : parts) {
            joined.put(part);
        }
        return joined.flip();
    }

    private static String text(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return new String(bytes, US_ASCII);
    }
}
