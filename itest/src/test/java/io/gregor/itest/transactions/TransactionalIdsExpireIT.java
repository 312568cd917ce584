package io.gregor.itest.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.data.DataClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactional ids that nobody uses are forgotten after {@code transactional.id.expiration.ms}; one under way is not. */
class TransactionalIdsExpireIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path home;

    @Test
    void whatIsIdleIsForgottenAndStaysForgotten() throws Exception {
        try (GregorProcess node = GregorProcess.start(
                home,
                "transaction.state.log.num.partitions=2",
                "transactional.id.expiration.ms=1000",
                "transaction.remove.expired.transaction.cleanup.interval.ms=200")) {
            DataClients clients = new DataClients(node);
            RawRequests requests = new RawRequests(node);
            clients.create("topic", 1, Map.of());
            try (Admin admin = clients.admin();
                    KafkaProducer<String, String> busy =
                            clients.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "busy"))) {
                busy.initTransactions();
                busy.beginTransaction();
                busy.send(new ProducerRecord<>("topic", "a")).get();
                InitProducerIdResponseData idle = init(requests);

                await().atMost(LIMIT).until(() -> ids(admin).equals(List.of("busy")));

                assertThat(commit(requests, idle)).isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
                node.kill();
                node.restart();
                await().ignoreExceptions().atMost(LIMIT).until(() -> !ids(admin).isEmpty());
                assertThat(ids(admin)).as("read from the log").containsExactly("busy");
                assertThat(init(requests).producerId()).isNotEqualTo(idle.producerId());
                busy.commitTransaction();
            }
        }
    }

    private static List<String> ids(Admin admin) throws Exception {
        return admin.listTransactions().all().get().stream()
                .map(TransactionListing::transactionalId)
                .toList();
    }

    private static InitProducerIdResponseData init(RawRequests requests) {
        InitProducerIdRequestData asked =
                new InitProducerIdRequestData().setTransactionalId("idle").setTransactionTimeoutMs(60_000);
        return ((InitProducerIdResponse) requests.settledCall(ApiKeys.INIT_PRODUCER_ID, 4, asked)).data();
    }

    private static Errors commit(RawRequests requests, InitProducerIdResponseData producer) {
        return requests.settled(
                ApiKeys.END_TXN,
                4,
                new EndTxnRequestData()
                        .setTransactionalId("idle")
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setCommitted(true));
    }
}
