package io.gregor.internal.admin;

import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The change of one setting, as it stands in a request. Immutable.
 *
 * @param key the setting's name
 * @param operation the operation's number; it need not be one that is known
 * @param value the value, null if there is none
 */
public record SettingChange(String key, byte operation, @Nullable String value) {
    /** A setting that gets a value. */
    public static SettingChange set(String key, @Nullable String value) {
        return new SettingChange(key, OpType.SET.id(), value);
    }

    /** Whether the setting is taken away, which needs no value. */
    public boolean isDelete() {
        return operation == OpType.DELETE.id();
    }

    /** The operation, null if it is none that is known. */
    public @Nullable OpType type() {
        return OpType.forId(operation);
    }

    /**
     * The value.
     *
     * @throws InvalidRequestException if there is none
     */
    public String requiredValue() {
        if (value == null) {
            throw new InvalidRequestException("Null value not supported for : " + key);
        }
        return value;
    }
}
