import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Produces and consumes one record as a client of Kerberos; for {@code .ci/kerberos}. Arguments: broker, keytab, principal. */
public final class KerberosClients {
    public static void main(String[] args) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", args[0]);
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", "GSSAPI");
        settings.put("sasl.kerberos.service.name", "kafka");
        settings.put(
                "sasl.jaas.config",
                "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\"" + args[1]
                        + "\" principal=\"" + args[2] + "\";");
        settings.put("default.api.timeout.ms", 20_000);
        settings.put("request.timeout.ms", 15_000);
        try (Admin admin = Admin.create(settings)) {
            admin.createTopics(List.of(new NewTopic("kerberos", 1, (short) 1))).all().get();
        }
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("kerberos", "by-clients")).get();
        }
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition("kerberos", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofSeconds(20));
            if (records.count() != 1 || !records.iterator().next().value().equals("by-clients")) {
                throw new IllegalStateException("consumed " + records.count() + " records");
            }
        }
    }

    private KerberosClients() {}
}
