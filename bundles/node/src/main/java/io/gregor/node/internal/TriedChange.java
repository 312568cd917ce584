package io.gregor.node.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A change that all parts have tried: {@link #commit} or {@link #undo}, once. Owned by the reconfiguration thread. */
final class TriedChange {
    private static final Logger LOGGER = LoggerFactory.getLogger(TriedChange.class);

    private final List<LivePart.Tried> tried;
    private final List<CompletableFuture<String>> figures = new ArrayList<>();

    TriedChange(List<LivePart.Tried> tried) {
        this.tried = List.copyOf(tried);
    }

    /** Switches everything on; returns the keys of the parts that cannot after all, with the reason. */
    Map<String, String> commit() {
        Map<String, String> failed = new TreeMap<>();
        for (LivePart.Tried one : tried) {
            try {
                figures.add(one.commit());
            } catch (RuntimeException fault) {
                LOGGER.error("a tried and stored change cannot be switched on: keys={}", one.keys(), fault);
                one.keys().forEach(key -> failed.put(key, String.valueOf(fault.getMessage())));
            }
        }
        return failed;
    }

    /** What the parts tell after {@link #commit}, when all have told; empty if there is nothing to tell. Never fails. */
    CompletableFuture<String> figures() {
        List<CompletableFuture<String>> told = figures.stream()
                .map(one -> one.exceptionally(fault -> "failed: " + fault.getMessage()))
                .toList();
        return CompletableFuture.allOf(told.toArray(CompletableFuture[]::new)).thenApply(all -> told.stream()
                .map(CompletableFuture::join)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("; ")));
    }

    void undo() {
        tried.forEach(LivePart.Tried::undo);
    }
}
