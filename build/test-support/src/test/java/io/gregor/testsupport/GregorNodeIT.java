package io.gregor.testsupport;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import javax.management.ObjectName;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GregorNodeIT {

    @Test
    void oneNodeAfterTheOtherServesKafkasClientsAndLeavesNothingBehind() throws Exception {
        Properties before = (Properties) System.getProperties().clone();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();

        for (String topic : new String[] {"first", "second"}) {
            Path home;
            try (GregorNode node = GregorNode.builder().build().start()) {
                home = node.home();
                assertThat(offsetOfRecord(node, topic)).isZero();
                assertThat(node.shell("listener:list").output()).contains(node.bootstrapServers());
            }
            assertThat(home).doesNotExist();
        }

        before.put("user.timezone", System.getProperty("user.timezone")); // the JVM's own, when it first looks
        assertThat(System.getProperties()).isEqualTo(before);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(loader);
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("kafka.network:*"), null))
                .isEmpty();
    }

    @Test
    void configurationIsInFrontOfTheDistributions() {
        try (GregorNode node =
                GregorNode.builder().config("num.io.threads", "3").build().start()) {
            assertThat(node.shell("config:show num.io.threads").output()).contains("3");
        }
    }

    @Test
    void whatIsNoBundleIsRefusedByName(@TempDir Path directory) throws Exception {
        Files.createDirectories(directory.resolve("META-INF"));
        Files.writeString(directory.resolve("META-INF/MANIFEST.MF"), "Manifest-Version: 1.0\n");

        assertThatThrownBy(() -> GregorNode.builder().plugin(directory).build().start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Bundle-SymbolicName");
    }

    @Test
    void nodeThatCannotStartSaysWhy() {
        assertThatThrownBy(() -> GregorNode.builder()
                        .config("num.io.threads", "0")
                        .build()
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the node ended");
    }

    private static long offsetOfRecord(GregorNode node, String topic) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", node.bootstrapServers()), new StringSerializer(), new StringSerializer())) {
            return producer.send(new ProducerRecord<>(topic, "value"))
                    .get(30, SECONDS)
                    .offset();
        }
    }
}
