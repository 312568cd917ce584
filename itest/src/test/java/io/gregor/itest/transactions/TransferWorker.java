package io.gregor.itest.transactions;

import io.gregor.itest.data.DataClients;
import io.gregor.itest.transactions.Transfers.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Carries out the transfers that are asked for in one partition: takes some, writes both legs of each into the ledger and
 * commits what it took, all in one transaction; now and then it aborts one. After any fault it begins anew with what is
 * committed. A thread of its own.
 */
final class TransferWorker implements Runnable {
    static final String REQUESTS = "requests";
    static final String LEDGER = "ledger";

    private static final Duration POLL = Duration.ofMillis(200);
    private static final int MOST_IN_ONE = 5;
    private static final int ABORTS_ONE_OF = 8;

    private final DataClients clients;
    private final Transfers transfers;
    private final int number;
    private final TopicPartition requests;
    private final Random random;
    private volatile boolean isOver;

    TransferWorker(DataClients clients, Transfers transfers, int number) {
        this.clients = clients;
        this.transfers = transfers;
        this.number = number;
        this.requests = new TopicPartition(REQUESTS, number);
        this.random = new Random(number);
    }

    /** Ends it after the transaction that it is at. */
    void end() {
        isOver = true;
    }

    @Override
    public void run() {
        while (!isOver) {
            transfers.beginIncarnation();
            KafkaProducer<String, String> producer = producer();
            KafkaConsumer<String, String> consumer = consumer();
            try {
                work(producer, consumer);
            } catch (KafkaException beginsAnew) {
                // whatever it was: a killed broker, a transaction that timed out, a fenced producer
            } finally {
                producer.close(Duration.ZERO);
                consumer.close();
            }
        }
    }

    private void work(KafkaProducer<String, String> producer, KafkaConsumer<String, String> consumer) {
        producer.initTransactions();
        consumer.assign(List.of(requests));
        transfers.doneUpTo(number, consumer.position(requests));
        while (!isOver) {
            List<ConsumerRecord<String, String>> taken = consumer.poll(POLL).records(requests);
            for (int from = 0; from < taken.size() && !isOver; ) {
                int to = Math.min(taken.size(), from + 1 + random.nextInt(MOST_IN_ONE));
                if (carryOut(producer, consumer, taken.subList(from, to))) {
                    from = to;
                }
            }
        }
    }

    /** False if it was aborted, and is to be tried again. */
    private boolean carryOut(
            KafkaProducer<String, String> producer,
            KafkaConsumer<String, String> consumer,
            List<ConsumerRecord<String, String>> taken) {
        long attempt = transfers.beginAttempt();
        Outcome outcome = Outcome.UNKNOWN;
        try {
            producer.beginTransaction();
            for (ConsumerRecord<String, String> one : taken) {
                send(producer, attempt, one);
            }
            long next = taken.get(taken.size() - 1).offset() + 1;
            producer.sendOffsetsToTransaction(Map.of(requests, new OffsetAndMetadata(next)), consumer.groupMetadata());
            if (random.nextInt(ABORTS_ONE_OF) == 0) {
                producer.flush();
                producer.abortTransaction();
                outcome = Outcome.ABORTED;
                return false;
            }
            producer.commitTransaction();
            outcome = Outcome.COMMITTED;
            transfers.doneUpTo(number, next);
            return true;
        } finally {
            transfers.end(attempt, 2 * taken.size(), outcome);
        }
    }

    private static void send(
            KafkaProducer<String, String> producer, long attempt, ConsumerRecord<String, String> asked) {
        Leg debit = Leg.parse(asked.value());
        int to = Integer.parseInt(asked.key());
        send(producer, new Leg(attempt, debit.transfer(), debit.account(), debit.amount()));
        send(producer, new Leg(attempt, debit.transfer(), to, -debit.amount()));
    }

    private static void send(KafkaProducer<String, String> producer, Leg leg) {
        var unused = producer.send(new ProducerRecord<>(LEDGER, Integer.toString(leg.account()), leg.text()));
    }

    private KafkaProducer<String, String> producer() {
        return clients.producer(Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "worker-" + number,
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                20_000,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                10_000,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                10_000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000,
                ProducerConfig.LINGER_MS_CONFIG,
                0));
    }

    private KafkaConsumer<String, String> consumer() {
        return clients.consumer(Map.of(
                ConsumerConfig.GROUP_ID_CONFIG,
                "workers",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                10_000,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000));
    }
}
