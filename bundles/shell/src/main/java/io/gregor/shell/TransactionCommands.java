package io.gregor.shell;

import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.shell.internal.Span;
import io.gregor.shell.internal.Table;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about transactions. Shared: any thread. */
@Component(service = TransactionCommands.class, immediate = true)
@ShellScope(scope = "transaction", function = "list", example = "transaction:list state=Ongoing")
public final class TransactionCommands {
    private static final String NONE = "-";
    private static final long LIMIT_S = 10;
    private static final Set<String> UNDER_WAY =
            Set.of("Ongoing", "PrepareCommit", "PrepareAbort", "PrepareEpochFence");

    private final LongSupplier clockMs;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable TransactionCoordinator coordinator;

    /** Made by the service registry. */
    @Activate
    public TransactionCommands() {
        this(Time.SYSTEM::milliseconds);
    }

    TransactionCommands(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** Lists them. */
    @Descriptor("transactional ids that this broker coordinates: state, producer, time-out, duration, partitions")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        TransactionCoordinator present = coordinator;
        if (present == null) {
            throw new IllegalArgumentException(
                    "no coordinator of transactions: this node has no broker that is ready, see node:show");
        }
        ListTransactionsResponseData listed = answer(present.list(new ListTransactionsRequestData()));
        if (listed.errorCode() != Errors.NONE.code()) {
            throw new IllegalArgumentException("transactions cannot be listed yet, try again: "
                    + Errors.forCode(listed.errorCode()).message());
        }
        List<String> ids = listed.transactionStates().stream()
                .map(ListTransactionsResponseData.TransactionState::transactionalId)
                .sorted()
                .toList();
        Table table =
                new Table("ID", "STATE", "PRODUCER", "EPOCH", "COORDINATOR", "TIME-OUT", "DURATION", "PARTITIONS");
        answer(present.describe(ids)).stream()
                .filter(one -> one.errorCode() == Errors.NONE.code())
                .forEach(one -> table.add(
                        one.transactionalId(),
                        one.transactionState(),
                        one.producerId(),
                        one.producerEpoch(),
                        present.partitionFor(one.transactionalId()),
                        Span.text(one.transactionTimeoutMs()),
                        duration(one),
                        partitions(one)));
        return table.matching(List.of(filters)).draw();
    }

    private String duration(TransactionState one) {
        return UNDER_WAY.contains(one.transactionState()) && one.transactionStartTimeMs() >= 0
                ? Span.text(Math.max(0, clockMs.getAsLong() - one.transactionStartTimeMs()))
                : NONE;
    }

    private static String partitions(TransactionState one) {
        String all = one.topics().stream()
                .flatMap(topic -> topic.partitions().stream().map(partition -> topic.topic() + "-" + partition))
                .sorted()
                .collect(Collectors.joining(","));
        return all.isEmpty() ? NONE : all;
    }

    private static <T> T answer(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("interrupted before the coordinator answered", over);
        } catch (TimeoutException late) {
            throw new IllegalArgumentException("the coordinator has not answered in seconds=" + LIMIT_S, late);
        } catch (ExecutionException failed) {
            throw new IllegalArgumentException("the coordinator failed: " + failed.getCause(), failed);
        }
    }
}
