package io.gregor.example.masking;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.InvalidRecordException;

/**
 * Masks fields in the bytes of a JSON value. A parser finds where they stand, and only these bytes are replaced: numbers,
 * spaces and the order of everything else stay as the producer wrote them. Owned by the thread of the call.
 */
final class JsonMask {
    private static final byte[] MASK = "\"***\"".getBytes(US_ASCII);
    private static final int BYTE_ORDER_MARK = 0xef;
    private static final int BUFFERS = 32;
    /** Neither buffers in threads, which live longer than this bundle, nor names of strangers in the JVM's table of strings. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newBoundedPool(BUFFERS))
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final byte[] value;
    private final JsonParser parser;
    private final ByteArrayOutputStream masked = new ByteArrayOutputStream(0);
    /** The bytes before this one are in {@link #masked} already, if anything is. */
    private int copied;

    private JsonMask(byte[] value, JsonParser parser) {
        this.value = value;
        this.parser = parser;
    }

    /** Whether it begins as JSON objects and arrays do. */
    static boolean mayBeJson(ByteBuffer value) {
        ByteBuffer rest = value.duplicate();
        while (rest.hasRemaining()) {
            int next = rest.get() & 0xff;
            if (next == '{' || next == '[' || next == BYTE_ORDER_MARK) {
                return true;
            }
            if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
                return false;
            }
        }
        return false;
    }

    /**
     * Masks each of the fields wherever it is and not null; of objects in an array, in each. Several values one after the
     * other are masked like one.
     *
     * @return the very same array if there is none of the fields, or it is no JSON
     * @throws InvalidRecordException if it is JSON that nobody should believe: nested too deeply, or not in UTF-8
     */
    static byte[] mask(byte[] value, MaskedField fields) {
        try (JsonParser parser = JSON.createParser(value)) {
            JsonMask mask = new JsonMask(value, parser);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                mask.value(token, fields);
            }
            return mask.result();
        } catch (StreamConstraintsException unbelievable) {
            throw new InvalidRecordException("cannot be masked: " + unbelievable.getOriginalMessage());
        } catch (JsonProcessingException noJson) {
            return value;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** At most as deep as the parser lets it be. */
    private void value(JsonToken token, MaskedField field) throws IOException {
        if (field.isMasked()) {
            if (token != JsonToken.VALUE_NULL) {
                replace();
            }
        } else if (token == JsonToken.START_OBJECT) {
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_OBJECT; next = parser.nextToken()) {
                MaskedField inner = field.inner(parser.currentName());
                JsonToken innerToken = parser.nextToken();
                if (inner == null) {
                    parser.skipChildren();
                } else {
                    value(innerToken, inner);
                }
            }
        } else if (token == JsonToken.START_ARRAY) {
            for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                value(next, field);
            }
        }
    }

    private void replace() throws IOException {
        int start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        int end = (int) parser.currentLocation().getByteOffset();
        if (start < 0 || end < 0) {
            throw new InvalidRecordException("cannot be masked: JSON that is not in UTF-8");
        }
        if (!Arrays.equals(value, start, end, MASK, 0, MASK.length)) {
            masked.write(value, copied, start - copied);
            masked.write(MASK, 0, MASK.length);
            copied = end;
        }
    }

    private byte[] result() {
        if (copied == 0) {
            return value;
        }
        masked.write(value, copied, value.length - copied);
        return masked.toByteArray();
    }
}
