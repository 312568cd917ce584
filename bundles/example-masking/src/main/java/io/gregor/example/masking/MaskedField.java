package io.gregor.example.masking;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A field that is masked, or leads to some that are; the one without a name leads to all of them. Immutable, once
 * {@link #paths} has made it.
 */
final class MaskedField {
    private final Map<String, MaskedField> inner = new TreeMap<>();
    private boolean isMasked;

    private MaskedField() {}

    /**
     * Reads paths as {@code email,card.number}.
     *
     * @throws IllegalArgumentException with the rest of a sentence that begins with the setting
     */
    static MaskedField paths(String paths) {
        MaskedField root = new MaskedField();
        if (!paths.isBlank()) {
            for (String path : paths.split(",", -1)) {
                MaskedField field = root;
                for (String name : path.strip().split("\\.", -1)) {
                    if (name.isEmpty()) {
                        throw new IllegalArgumentException(
                                "must be names with dots between those of one path and commas"
                                        + " between paths, as email,card.number");
                    }
                    field = field.inner.computeIfAbsent(name, unknown -> new MaskedField());
                }
                field.isMasked = true;
            }
        }
        return root;
    }

    boolean isMasked() {
        return isMasked;
    }

    boolean isEmpty() {
        return inner.isEmpty();
    }

    /** The field of this name in an object that stands here; null if nothing in it is masked. */
    @Nullable
    MaskedField inner(String name) {
        return inner.get(name);
    }

    @Override
    public String toString() {
        return (isMasked ? "*" : "") + (inner.isEmpty() ? "" : inner);
    }
}
