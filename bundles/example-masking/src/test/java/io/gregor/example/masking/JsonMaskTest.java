package io.gregor.example.masking;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import org.apache.kafka.common.InvalidRecordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMaskTest {
    private static final MaskedField FIELDS = MaskedField.paths("email, card.number, orders.customer.name");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"email\":\"a@b.c\"}|{\"email\":\"***\"}",
                "{\"id\":1.10,\"email\":\"a\\\"b\"}|{\"id\":1.10,\"email\":\"***\"}",
                "{ \"email\" : 12345 , \"x\" : 1e0 }|{ \"email\" : \"***\" , \"x\" : 1e0 }",
                "{\"email\":-1.5e10}|{\"email\":\"***\"}",
                "{\"email\":true,\"a\":false}|{\"email\":\"***\",\"a\":false}",
                "{\"email\":[\"a\",{\"b\":[]}],\"c\":2}|{\"email\":\"***\",\"c\":2}",
                "{\"email\":{\"user\":\"a\"}}|{\"email\":\"***\"}",
                "{\"card\":{\"number\":4711,\"owner\":\"me\"}}|{\"card\":{\"number\":\"***\",\"owner\":\"me\"}}",
                "{\"card\":[{\"number\":1},{\"number\":2},3]}|{\"card\":[{\"number\":\"***\"},{\"number\":\"***\"},3]}",
                "{\"orders\":[[{\"customer\":{\"name\":\"é\"}}]]}|{\"orders\":[[{\"customer\":{\"name\":\"***\"}}]]}",
                "[{\"email\":\"a\"},{\"email\":\"b\"}]|[{\"email\":\"***\"},{\"email\":\"***\"}]",
                "{\"ema\\u0069l\":\"a\"}|{\"ema\\u0069l\":\"***\"}",
                "{\"email\":\"a\",\"email\":\"b\"}|{\"email\":\"***\",\"email\":\"***\"}",
                "{\"email\":\"a\"} {\"email\":\"b\"}|{\"email\":\"***\"} {\"email\":\"***\"}",
                "{\"größe\":\"ü\",\"email\":\"ü\",\"ü\":\"ü\"}|{\"größe\":\"ü\",\"email\":\"***\",\"ü\":\"ü\"}",
            })
    void masksTheFieldsAndNothingElse(String value, String masked) {
        assertThat(new String(JsonMask.mask(value.getBytes(UTF_8), FIELDS), UTF_8))
                .isEqualTo(masked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"number\":1}",
                "{\"card\":4711}",
                "{\"card\":{\"n\":{\"number\":1}}}",
                "{\"email\":null}",
                "{\"email\":\"***\"}",
                "{\"emails\":\"a\"}",
                "{\"email\":\"a\"",
                "{\"email\":\"a\"} and more",
                "{email:1}",
                "text",
                "",
            })
    void keepsTheVeryBytesOfAllElse(String text) {
        byte[] value = text.getBytes(UTF_8);

        assertThat(JsonMask.mask(value, FIELDS)).isSameAs(value);
    }

    @Test
    void masksLongValues() {
        String value = "{\"a\":\"" + "é".repeat(50_000) + "\",\"email\":\"" + "x".repeat(50_000) + "\"}";

        assertThat(new String(JsonMask.mask(value.getBytes(UTF_8), FIELDS), UTF_8))
                .isEqualTo("{\"a\":\"" + "é".repeat(50_000) + "\",\"email\":\"***\"}");
    }

    @Test
    void masksBehindAByteOrderMark() {
        assertThat(new String(JsonMask.mask("\ufeff{\"email\":\"a\"}".getBytes(UTF_8), FIELDS), UTF_8))
                .isEqualTo("\ufeff{\"email\":\"***\"}");
    }

    @Test
    void refusesWhatIsNestedTooDeeply() {
        byte[] value = ("{\"card\":" + "[".repeat(5_000)).getBytes(UTF_8);

        assertThatThrownBy(() -> JsonMask.mask(value, FIELDS)).isInstanceOf(InvalidRecordException.class);
    }

    @Test
    void refusesWhatItCannotReplace() {
        byte[] value = "{\"email\":\"a\"}".getBytes(UTF_16LE);

        assertThatThrownBy(() -> JsonMask.mask(value, FIELDS)).isInstanceOf(InvalidRecordException.class);
    }

    @ParameterizedTest
    @CsvSource({"'{}',true", "' \t\r\n[1]',true", "'\ufeff{}',true", "text,false", "1,false", "'',false", "'  ',false"})
    void seesAtTheFirstByteThatItIsNoJson(String value, boolean mayBeJson) {
        assertThat(JsonMask.mayBeJson(bytes(value, UTF_8))).isEqualTo(mayBeJson);
    }

    private static ByteBuffer bytes(String text, Charset charset) {
        return ByteBuffer.wrap(text.getBytes(charset));
    }
}
