package io.gregor.example.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class UsageTableTest {
    private static final int KEPT = 10;

    private final UsageTable table = new UsageTable(KEPT);

    @Test
    void sumsWhatOneCallerDoes() {
        table.add(caller(1), Usage.request(100));
        table.add(caller(1), Usage.response(50, 2, 30));
        table.add(caller(2), Usage.request(7));

        assertThat(table.take())
                .containsEntry(caller(1), new Usage(1, 100, 50, 2, 30))
                .containsEntry(caller(2), new Usage(1, 7, 0, 0, 0))
                .hasSize(2);
    }

    @Test
    void isEmptyAfterItWasTaken() {
        table.add(caller(1), Usage.request(100));
        table.take();

        assertThat(table.take()).isEmpty();
    }

    @Test
    void keepsThoseByNameThatMoveMost() {
        for (int i = 0; i < KEPT; i++) {
            table.add(caller(i), Usage.request(1_000_000));
        }
        for (int i = KEPT; i < 10_000; i++) {
            table.add(caller(i), Usage.request(10));
        }

        SortedMap<Caller, Usage> taken = table.take();
        assertThat(taken).hasSizeLessThanOrEqualTo(2 * KEPT + 1).containsKey(Caller.OTHERS);
        for (int i = 0; i < KEPT; i++) {
            assertThat(taken).containsEntry(caller(i), Usage.request(1_000_000));
        }
        assertThat(sum(List.of(taken)).requests()).isEqualTo(10_000);
    }

    @Test
    void losesNothingAmongManyThreads() {
        int threads = 4;
        int each = 20_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Void>> adding = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                adding.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < each; i++) {
                                table.add(caller(i % 100), Usage.request(i));
                            }
                        },
                        executor));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(adding.toArray(CompletableFuture[]::new));
            List<SortedMap<Caller, Usage>> taken = new ArrayList<>();
            while (!all.isDone()) {
                taken.add(table.take());
            }
            all.join();
            taken.add(table.take());

            assertThat(sum(taken).requests()).isEqualTo((long) threads * each);
            assertThat(sum(taken).bytesIn()).isEqualTo((long) threads * each * (each - 1) / 2);
        } finally {
            executor.shutdownNow();
        }
    }

    private static Usage sum(List<SortedMap<Caller, Usage>> all) {
        return all.stream().flatMap(one -> one.values().stream()).reduce(Usage.NONE, Usage::plus);
    }

    private static Caller caller(int number) {
        return new Caller("User:" + number, "client");
    }
}
