package io.gregor.itest.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.data.DataClients;
import io.gregor.itest.transactions.LedgerReader.Seen;
import io.gregor.itest.transactions.Transfers.Attempt;
import io.gregor.itest.transactions.Transfers.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Money goes from account to account in transactions of many producers while the broker is killed again and again. In the end
 * every transfer that was asked for stands in the ledger once, with both its legs, and nothing else was ever to be read.
 * Runs for {@code gregor.it.transfer.seconds}, and longer if the broker starts slowly: it is killed three times at least.
 */
class TransfersSurviveKillsIT {
    private static final int SECONDS = Integer.getInteger("gregor.it.transfer.seconds", 6);
    private static final int LEAST_KILLS = 3;
    private static final int WORKERS = 8;
    private static final int LEDGER_PARTITIONS = 4;
    private static final int READERS = 2;
    private static final int ACCOUNTS = 50;
    private static final int AHEAD = 100;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final Random random = new Random();
    private final Transfers transfers = new Transfers(WORKERS);
    private final long[] asked = new long[WORKERS];
    private long nextTransfer;

    @TempDir
    Path home;

    @Test
    void noMoneyIsMadeOrLost() throws Exception {
        try (GregorProcess node = GregorProcess.start(
                home,
                "transaction.state.log.num.partitions=5",
                "offsets.topic.num.partitions=5",
                "broker.heartbeat.interval.ms=500",
                "broker.session.timeout.ms=3000")) {
            DataClients clients = new DataClients(node);
            clients.create(TransferWorker.REQUESTS, WORKERS, Map.of());
            clients.create(TransferWorker.LEDGER, LEDGER_PARTITIONS, Map.of());
            List<TransferWorker> workers = new ArrayList<>();
            List<LedgerReader> readers = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                workers.add(new TransferWorker(clients, transfers, i));
                threads.add(new Thread(workers.get(i), "worker-" + i));
            }
            for (int i = 0; i < READERS; i++) {
                readers.add(new LedgerReader(clients, LEDGER_PARTITIONS));
                threads.add(new Thread(readers.get(i), "reader-" + i));
            }
            threads.forEach(Thread::start);
            int kills;
            try (KafkaProducer<String, String> asking =
                    clients.producer(Map.of(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 300_000))) {
                kills = killAgainAndAgain(node, asking);
                asking.flush();
            }
            await("all that was asked for is done").atMost(LIMIT).until(this::isAllDone);
            workers.forEach(TransferWorker::end);
            List<ConsumerRecord<String, String>> ledger =
                    clients.readAll(TransferWorker.LEDGER, LedgerReader.committedOnly());
            Map<Integer, Seen> standing = standing(ledger);
            for (LedgerReader reader : readers) {
                await("a reader has seen all that stands there, and nothing else")
                        .atMost(LIMIT)
                        .until(() -> reader.seen().equals(standing));
                reader.end();
            }
            for (Thread thread : threads) {
                thread.join(LIMIT.toMillis());
            }
            System.out.printf(
                    "transfers=%d kills=%d committed=%d aborted=%d unknown=%d incarnations=%d seconds=%d%n",
                    nextTransfer,
                    kills,
                    transfers.count(Outcome.COMMITTED),
                    transfers.count(Outcome.ABORTED),
                    transfers.count(Outcome.UNKNOWN),
                    transfers.incarnations(),
                    SECONDS);
            assertWholeTransactions(ledger);
            assertEveryTransferOnce(ledger);
        }
    }

    /** Kills the broker every few seconds, and asks for more transfers as they are done; returns how often it was killed. */
    private int killAgainAndAgain(GregorProcess node, KafkaProducer<String, String> asking) {
        long endNs = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        int kills = 0;
        while (System.nanoTime() < endNs || kills < LEAST_KILLS) {
            long killNs = System.nanoTime()
                    + Duration.ofMillis(500 + random.nextInt(2_000)).toNanos();
            long before = transfers.count(Outcome.COMMITTED);
            await("transfers go on")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        ask(asking);
                        return System.nanoTime() > killNs && transfers.count(Outcome.COMMITTED) > before;
                    });
            node.kill();
            node.restart();
            kills++;
        }
        return kills;
    }

    private void ask(KafkaProducer<String, String> asking) {
        for (int worker = 0; worker < WORKERS; worker++) {
            while (asked[worker] < transfers.doneUpTo(worker) + AHEAD) {
                int from = random.nextInt(ACCOUNTS);
                int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                Leg debit = new Leg(0, nextTransfer++, from, -1L - random.nextInt(100));
                var unused = asking.send(
                        new ProducerRecord<>(TransferWorker.REQUESTS, worker, Integer.toString(to), debit.text()));
                asked[worker]++;
            }
        }
    }

    private boolean isAllDone() {
        for (int worker = 0; worker < WORKERS; worker++) {
            if (transfers.doneUpTo(worker) < asked[worker]) {
                return false;
            }
        }
        return true;
    }

    private static Map<Integer, Seen> standing(List<ConsumerRecord<String, String>> ledger) {
        Map<Integer, Seen> standing = new HashMap<>();
        for (ConsumerRecord<String, String> record : ledger) {
            standing.put(
                    record.partition(),
                    standing.getOrDefault(record.partition(), Seen.NOTHING).and(record));
        }
        return standing;
    }

    private void assertWholeTransactions(List<ConsumerRecord<String, String>> ledger) {
        Map<Long, Integer> legs = new HashMap<>();
        ledger.forEach(record -> legs.merge(Leg.parse(record.value()).attempt(), 1, Integer::sum));
        Map<Long, Attempt> wrong = new HashMap<>();
        transfers.attempts().forEach((attempt, known) -> {
            int there = legs.getOrDefault(attempt, 0);
            boolean isRight =
                    switch (known.outcome()) {
                        case COMMITTED -> there == known.legs();
                        case ABORTED -> there == 0;
                        case UNKNOWN -> there == 0 || there == known.legs();
                    };
            if (!isRight) {
                wrong.put(attempt, known);
            }
        });
        assertThat(wrong)
                .as("acknowledged and not there, aborted and there, or half")
                .isEmpty();
    }

    private void assertEveryTransferOnce(List<ConsumerRecord<String, String>> ledger) {
        long[] accounts = new long[ACCOUNTS];
        int[] legs = new int[Math.toIntExact(nextTransfer)];
        long[] rest = new long[Math.toIntExact(nextTransfer)];
        for (ConsumerRecord<String, String> record : ledger) {
            Leg leg = Leg.parse(record.value());
            accounts[leg.account()] += leg.amount();
            legs[(int) leg.transfer()]++;
            rest[(int) leg.transfer()] += leg.amount();
        }
        assertThat(legs).as("legs of each transfer").containsOnly(2);
        assertThat(rest).as("what is left of each transfer").containsOnly(0);
        assertThat(accounts).as("money moves").isNotEqualTo(new long[ACCOUNTS]);
    }
}
