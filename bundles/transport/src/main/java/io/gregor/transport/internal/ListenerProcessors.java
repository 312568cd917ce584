package io.gregor.transport.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The processors of one listener: those that take connections in turn, and those that retire. Shared: any thread may look and
 * tell them something; their number is changed by one thread at a time.
 */
final class ListenerProcessors {
    private final RoleTransport role;
    private final Rotation rotation = new Rotation();
    private final List<Processor> retiring = new CopyOnWriteArrayList<>();

    /** None yet. */
    ListenerProcessors(RoleTransport role) {
        this.role = role;
    }

    /** Those that take connections. */
    Rotation rotation() {
        return rotation;
    }

    /** How many take connections. */
    int count() {
        return rotation.all().size();
    }

    /** All of them, those that retire too. */
    Stream<Processor> all() {
        return Stream.concat(rotation.all().stream(), retiring.stream());
    }

    /** Starts more of them, which take over their share of the connections; returns how many connections move. */
    int grow(List<Processor> made) {
        List<Processor> before = rotation.all();
        int connections = before.stream().mapToInt(Processor::connectionCount).sum();
        made.forEach(Processor::start);
        rotation.replace(Stream.concat(before.stream(), made.stream()).toList());
        int fairShare = connections / count();
        Rotation targets = new Rotation();
        targets.replace(made);
        int moved = 0;
        for (Processor processor : before) {
            int surplus = processor.connectionCount() - fairShare;
            if (surplus > 0) {
                processor.share(surplus, targets);
                moved += surplus;
            }
        }
        return moved;
    }

    /** Has the last ones hand their connections over, and end; ends with the number of connections that have moved. */
    CompletableFuture<Integer> shrink(int count) {
        List<Processor> before = rotation.all();
        List<Processor> going = before.subList(count, before.size());
        rotation.replace(before.subList(0, count));
        retiring.addAll(going);
        CompletableFuture<Integer> moved = CompletableFuture.completedFuture(0);
        for (Processor processor : going) {
            processor.retire(rotation);
            moved = moved.thenCombine(processor.retired(), Integer::sum);
        }
        return moved.whenComplete((total, fault) -> retiring.removeAll(going));
    }

    /** Has all end their connections when everything that has come is answered; ends with the figures. */
    CompletableFuture<String> drain(Drain drain) {
        return drain(all().toList(), drain);
    }

    /** Others take connections from now on; those that did so far end theirs as in {@link #drain}. */
    CompletableFuture<String> replace(List<Processor> made, Drain drain) {
        List<Processor> before = rotation.all();
        made.forEach(Processor::start);
        retiring.addAll(before);
        rotation.replace(made);
        before.forEach(Processor::takeNoMore);
        return drain(before, drain).whenComplete((figures, fault) -> retiring.removeAll(before));
    }

    private static CompletableFuture<String> drain(List<Processor> ending, Drain drain) {
        ending.forEach(processor -> processor.drain(drain));
        return CompletableFuture.allOf(ending.stream().map(Processor::retired).toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> drain.figures());
    }

    /** Waits for those that retire, until a time of the role's clock. */
    void awaitRetired(long deadlineNs) {
        try {
            for (Processor processor : retiring) {
                processor.awaitEnd(role.untilMs(deadlineNs));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for all to end, until a time of the role's clock; false if one does not. */
    boolean awaitEnd(long deadlineNs) throws InterruptedException {
        boolean ended = true;
        for (Processor processor : all().toList()) {
            ended &= processor.awaitEnd(role.untilMs(deadlineNs));
        }
        return ended;
    }
}
