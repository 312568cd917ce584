package io.gregor.controller.internal;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Tells what a request names once from what it names more than once. Owned by one call.
 *
 * @param <T> names or ids
 */
public final class Distinct<T> {
    private final Set<T> once = new LinkedHashSet<>();
    private final Set<T> repeated = new LinkedHashSet<>();

    /** Counts an item; false if it is not the first of its kind. */
    public boolean add(T item) {
        if (!repeated.contains(item) && once.add(item)) {
            return true;
        }
        repeat(item);
        return false;
    }

    /** Moves an item to those that are named more than once. */
    public void repeat(T item) {
        once.remove(item);
        repeated.add(item);
    }

    /** What was named once, in order. */
    public Set<T> once() {
        return once;
    }

    /** What was named more than once, in order. */
    public Set<T> repeated() {
        return repeated;
    }
}
