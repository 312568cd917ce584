package io.gregor.itest.soak;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaAlteration.Op;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.ApiVersionsRequest;

/** A node that is changed, and connections of all manners. Stateless. */
final class NodeWorks {
    private static final ConfigResource THIS_NODE = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final long LIMIT_S = 60;
    private static final int PARTITIONS = 3;
    private static final int REQUESTS = 20;
    private static final long SHORT_PAUSE_MS = 50;
    private static final long LONG_PAUSE_MS = 500;
    private static final double SLOW = 50_000;
    private static final int HALF_A_FRAME = 1_000;

    private NodeWorks() {}

    /** Topics that are created, written to and deleted. */
    static void topics(GregorProcess node, Ending ending, Runnable done) throws Exception {
        try (Admin admin = admin(node);
                KafkaProducer<String, String> producer =
                        RecordWorks.producer(node, Map.of("client.id", "soak-topics"))) {
            for (int i = 0; !ending.isOver(); i = (i + 1) % PARTITIONS) {
                String topic = "soak-short-lived-" + i;
                admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)
                                .configs(Map.of("file.delete.delay.ms", "1000"))))
                        .all()
                        .get(LIMIT_S, TimeUnit.SECONDS);
                producer.send(new ProducerRecord<>(topic, "k", "v")).get(LIMIT_S, TimeUnit.SECONDS);
                admin.deleteTopics(List.of(topic)).all().get(LIMIT_S, TimeUnit.SECONDS);
                done.run();
                boolean unused = ending.isOverAfter(LONG_PAUSE_MS);
            }
        }
    }

    /** Threads and a listener that come and go. */
    static void changes(GregorProcess node, Ending ending, Runnable done) throws Exception {
        String own = "PLAINTEXT://127.0.0.1:" + node.port();
        String controller = "CONTROLLER://127.0.0.1:" + node.controllerPort();
        String further = "SOAK://127.0.0.1:" + GregorProcess.freePort();
        String protocols = "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SOAK:PLAINTEXT";
        try (Admin admin = admin(node)) {
            while (!ending.isOver()) {
                set(admin, "num.network.threads=6");
                set(admin, protocols, "listeners=" + own + "," + further + "," + controller);
                set(admin, "num.io.threads=12", "num.network.threads=3");
                set(admin, "listeners=" + own + "," + controller);
                set(admin, "num.io.threads=8", "num.network.threads=3");
                done.run();
                boolean unused = ending.isOverAfter(LONG_PAUSE_MS);
            }
        }
    }

    private static void set(Admin admin, String... keyValues) throws Exception {
        Collection<AlterConfigOp> ops = Arrays.stream(keyValues)
                .map(pair -> pair.split("=", 2))
                .map(pair -> new AlterConfigOp(new ConfigEntry(pair[0], pair[1]), OpType.SET))
                .toList();
        admin.incrementalAlterConfigs(Map.of(THIS_NODE, ops)).all().get(LIMIT_S, TimeUnit.SECONDS);
    }

    /** A client that is slowed down, and let go again. */
    static void quotas(GregorProcess node, Ending ending, Runnable done) throws Exception {
        ClientQuotaEntity slow = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "soak-slow"));
        String value = "v".repeat(500);
        try (Admin admin = admin(node);
                KafkaProducer<String, String> producer = RecordWorks.producer(node, Map.of("client.id", "soak-slow"))) {
            boolean isSlow = true;
            while (!ending.isOver()) {
                Op rate = new Op("producer_byte_rate", isSlow ? SLOW : null);
                admin.alterClientQuotas(List.of(new ClientQuotaAlteration(slow, List.of(rate))))
                        .all()
                        .get(LIMIT_S, TimeUnit.SECONDS);
                for (int i = 0; i < REQUESTS; i++) {
                    producer.send(new ProducerRecord<>(RecordWorks.PLAIN, value))
                            .get(LIMIT_S, TimeUnit.SECONDS);
                }
                isSlow = !isSlow;
                done.run();
            }
        }
    }

    /** Connections that ask and go, stop in the middle of a frame, or speak something else. */
    static void connections(GregorProcess node, Ending ending, Runnable done) throws Exception {
        while (!ending.isOver()) {
            try (RawClient client = RawClient.connect(node.port())) {
                for (int i = 0; i < REQUESTS; i++) {
                    client.call(new ApiVersionsRequest.Builder().build((short) 3), i);
                }
            }
            try (Socket half = new Socket("127.0.0.1", node.port())) {
                half.getOutputStream()
                        .write(ByteBuffer.allocate(Integer.BYTES + Integer.BYTES)
                                .putInt(HALF_A_FRAME)
                                .array());
            }
            try (Socket stranger = new Socket("127.0.0.1", node.port())) {
                stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                stranger.getInputStream().readAllBytes();
            }
            done.run();
            boolean unused = ending.isOverAfter(SHORT_PAUSE_MS);
        }
    }

    static Admin admin(GregorProcess node) {
        return Admin.create(Map.of("bootstrap.servers", node.bootstrap(), "client.id", "soak-admin"));
    }
}
