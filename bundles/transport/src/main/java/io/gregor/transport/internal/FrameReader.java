package io.gregor.transport.internal;

import io.gregor.transport.internal.RequestMemory.Reservation;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one connection into frames: four bytes of length, then the body. Memory grows with the bytes that have
 * arrived, not with the length that was announced. One read may bring more than one frame: what comes after the first is
 * kept here until its turn, and then handed out without another copy. Owned by the processor thread of its connection.
 */
final class FrameReader {
    /** How far a frame has come. */
    enum Progress {
        /** More bytes are needed. */
        MORE,
        /** {@link #take} has it. */
        COMPLETE,
        /** The announced size cannot be reserved yet. */
        NO_MEMORY,
        /** No frame that we take begins like this. */
        REFUSED
    }

    private static final int LENGTH_BYTES = 4;
    private static final int SMALLEST_BUFFER = 256;

    private final IntSupplier maxBytes;
    private final RequestMemory memory;
    private final Runnable onGranted;
    private boolean isFirst = true;
    private int lengthBytesRead;
    private int length;
    private @Nullable ByteBuffer body;
    private @Nullable ByteBuffer kept;
    private @Nullable Reservation reservation;

    /**
     * A reader of frames up to {@code maxBytes}, which is asked for each; {@code onGranted} is called by any thread when
     * memory is there.
     */
    FrameReader(IntSupplier maxBytes, RequestMemory memory, Runnable onGranted) {
        this.maxBytes = maxBytes;
        this.memory = memory;
        this.onGranted = onGranted;
    }

    /** The length of the frame under way, as announced. */
    int length() {
        return length;
    }

    /** Whether no frame was complete yet: foreign protocols show in the first bytes. */
    boolean isFirst() {
        return isFirst;
    }

    /** How many bytes may be read now: with bounded memory none of the next frame, since nothing is reserved for them. */
    int wantedBytes(int mostBytes) {
        if (!memory.isBounded()) {
            return mostBytes;
        }
        if (lengthBytesRead < LENGTH_BYTES) {
            return Math.min(mostBytes, LENGTH_BYTES - lengthBytesRead);
        }
        Reservation held = reservation;
        int allowed = held == null ? length : held.heldBytes();
        return Math.min(mostBytes, allowed - arrivedBytes());
    }

    /** Goes on with bytes that were kept, if there are any. */
    Progress advanceKept() {
        ByteBuffer source = kept;
        if (source == null) {
            if (lengthBytesRead == LENGTH_BYTES && !reserved(0)) {
                return Progress.NO_MEMORY;
            }
            return isComplete() ? Progress.COMPLETE : Progress.MORE;
        }
        Progress progress = advance(source, true);
        if (!source.hasRemaining()) {
            kept = null;
        }
        return progress;
    }

    /** Whether bytes of later frames were kept. */
    boolean hasKept() {
        return kept != null;
    }

    /** Whether a frame is under way, or bytes of later ones were kept. */
    boolean hasBegun() {
        return lengthBytesRead > 0 || kept != null;
    }

    /** Keeps bytes that were read, behind those that are kept already. */
    void keep(ByteBuffer source) {
        ByteBuffer before = kept;
        ByteBuffer copy = ByteBuffer.allocate(source.remaining() + (before == null ? 0 : before.remaining()));
        if (before != null) {
            copy.put(before);
        }
        kept = copy.put(source).flip();
    }

    /** Whether bytes of later frames may be kept: with bounded memory nothing is reserved for them. */
    boolean mayReadAhead() {
        return !memory.isBounded();
    }

    /** Throws away frames that were kept and are not answered; returns how many complete ones that were. */
    int discardKept() {
        int frames = 0;
        while (advanceKept() == Progress.COMPLETE) {
            discard();
            frames++;
        }
        return frames;
    }

    /** Throws the complete frame away. */
    void discard() {
        Runnable releaser = releaser();
        take();
        releaser.run();
    }

    /** Takes bytes from the source until the frame under way is complete. */
    Progress advance(ByteBuffer source) {
        return advance(source, false);
    }

    private Progress advance(ByteBuffer source, boolean isOurs) {
        if (isComplete()) {
            return Progress.COMPLETE;
        }
        if (lengthBytesRead < LENGTH_BYTES) {
            if (!readLength(source)) {
                return Progress.MORE;
            }
            if (isRefused()) {
                return Progress.REFUSED;
            }
        }
        if (!reserved(source.remaining())) {
            return Progress.NO_MEMORY;
        }
        readBody(source, isOurs);
        return isComplete() ? Progress.COMPLETE : Progress.MORE;
    }

    /** Hands out the complete frame; {@link #releaser} first. */
    ByteBuffer take() {
        ByteBuffer frame = body;
        if (frame == null || !isComplete()) {
            throw new IllegalStateException("no frame is complete: lengthBytes=" + length);
        }
        body = null;
        reservation = null;
        lengthBytesRead = 0;
        length = 0;
        isFirst = false;
        return frame.flip();
    }

    /** What is to be run when the complete frame is no longer used. */
    Runnable releaser() {
        Reservation held = reservation;
        return held == null ? FrameReader::nothingReserved : () -> memory.release(held);
    }

    /** Forgets everything, and gives reserved memory back. */
    void close() {
        if (reservation != null) {
            memory.release(reservation);
        }
        body = null;
        kept = null;
    }

    /** How much memory the frame under way has. */
    int bufferBytes() {
        ByteBuffer soFar = body;
        return soFar == null ? 0 : soFar.capacity();
    }

    /** Whether bounded memory is reserved for the frame under way. */
    boolean holdsMemory() {
        return reservation != null;
    }

    /** Whether a whole frame is here. */
    boolean isComplete() {
        return lengthBytesRead == LENGTH_BYTES && body != null && body.position() == length;
    }

    private static void nothingReserved() {}

    private boolean readLength(ByteBuffer source) {
        if (lengthBytesRead == 0 && source.remaining() >= LENGTH_BYTES) {
            length = source.getInt();
            lengthBytesRead = LENGTH_BYTES;
        }
        while (lengthBytesRead < LENGTH_BYTES && source.hasRemaining()) {
            length = length << 8 | (source.get() & 0xff);
            lengthBytesRead++;
        }
        return lengthBytesRead == LENGTH_BYTES;
    }

    private boolean isRefused() {
        return length <= 0
                || length > maxBytes.getAsInt()
                || (isFirst && ForeignProtocol.of(length).isPresent());
    }

    /** Whether the frame may take so many bytes that came, or read on if there are none. */
    private boolean reserved(int comeBytes) {
        Reservation held = reservation;
        if (held == null) {
            if (!memory.isBounded()) {
                return true;
            }
            held = memory.reserve(length, onGranted);
            reservation = held;
        }
        if (held.isGranted() && !held.isWhole() && arrivedBytes() + comeBytes >= held.heldBytes()) {
            memory.reserveRest(held);
        }
        return held.isGranted();
    }

    private int arrivedBytes() {
        ByteBuffer soFar = body;
        return soFar == null ? 0 : soFar.position();
    }

    private void readBody(ByteBuffer source, boolean isOurs) {
        ByteBuffer soFar = body;
        int available = source.remaining();
        if (soFar == null && available >= length) {
            body = whole(source, isOurs);
            return;
        }
        int arrived = arrivedBytes();
        int taken = Math.min(available, length - arrived);
        if (taken == 0) {
            return;
        }
        ByteBuffer target = withRoom(soFar, arrived + taken);
        int end = source.limit();
        source.limit(source.position() + taken);
        target.put(source);
        source.limit(end);
        body = target;
    }

    private ByteBuffer whole(ByteBuffer source, boolean isOurs) {
        int start = source.position();
        if (isOurs) {
            source.position(start + length);
            return source.slice(start, length).position(length);
        }
        byte[] bytes = new byte[length];
        source.get(bytes);
        return ByteBuffer.wrap(bytes).position(length);
    }

    private ByteBuffer withRoom(@Nullable ByteBuffer soFar, int arrivedBytes) {
        if (soFar != null && soFar.capacity() >= arrivedBytes) {
            return soFar;
        }
        long doubled = Math.max(SMALLEST_BUFFER, 2L * arrivedBytes);
        ByteBuffer larger = ByteBuffer.allocate((int) Math.min(length, doubled));
        if (soFar != null) {
            larger.put(soFar.flip());
        }
        return larger;
    }
}
