package io.gregor.shell;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.quota.QuotaView;
import io.gregor.internal.quota.QuotaView.HeldRow;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.QuotaPrecedence;
import io.gregor.shell.internal.Span;
import io.gregor.shell.internal.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.image.ClientQuotasImage;
import org.apache.kafka.server.config.QuotaConfig;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about quotas. Shared: any thread. */
@Component(service = QuotaCommands.class, immediate = true)
@ShellScope(scope = "quota", function = "list", example = "quota:list entity~alice")
public final class QuotaCommands {
    private static final String NONE = "-";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, ServedMetadata>> metadata = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<QuotaView> views = List.of();

    /** Lists them. */
    @Descriptor("quotas of users, client ids and addresses, and how many connections this node holds back by each")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        ClientQuotasImage quotas = ByRole.sorted(metadata).values().stream()
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no metadata yet: try again when node:show says that a role is ready"))
                .image()
                .clientQuotas();
        List<HeldRow> held =
                views.stream().flatMap(view -> view.held().stream()).toList();
        QuotaPrecedence precedence = new QuotaPrecedence(quotas);
        Table table = new Table("ENTITY", "KEY", "VALUE", "HELD-BACK");
        quotas.entities().entrySet().stream()
                .sorted(Comparator.comparing(entry -> QuotaPrecedence.name(entry.getKey())))
                .forEach(entry -> new TreeMap<>(entry.getValue().quotas())
                        .forEach((key, value) -> table.add(
                                QuotaPrecedence.name(entry.getKey()),
                                key,
                                QuotaPrecedence.value(value),
                                heldBack(held.stream()
                                        .filter(one -> isMeasuredBy(precedence, entry.getKey(), key, one))
                                        .toList()))));
        return table.matching(List.of(filters)).draw();
    }

    private static boolean isMeasuredBy(QuotaPrecedence precedence, ClientQuotaEntity entity, String key, HeldRow one) {
        return key.equals(key(one.type()))
                && precedence.entity(key, one.user(), one.clientId()).equals(Optional.of(entity));
    }

    private static String key(ClientQuotaType type) {
        return switch (type) {
            case PRODUCE -> QuotaConfig.PRODUCER_BYTE_RATE_OVERRIDE_CONFIG;
            case FETCH -> QuotaConfig.CONSUMER_BYTE_RATE_OVERRIDE_CONFIG;
            case REQUEST -> QuotaConfig.REQUEST_PERCENTAGE_OVERRIDE_CONFIG;
            case CONTROLLER_MUTATION -> QuotaConfig.CONTROLLER_MUTATION_RATE_OVERRIDE_CONFIG;
        };
    }

    /** How many, and for how long the last of them. */
    private static String heldBack(List<HeldRow> held) {
        return held.isEmpty()
                ? NONE
                : held.size() + " for "
                        + Span.text(held.stream()
                                .mapToLong(HeldRow::remainingMs)
                                .max()
                                .orElse(0));
    }
}
