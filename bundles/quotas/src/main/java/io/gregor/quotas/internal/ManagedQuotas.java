package io.gregor.quotas.internal;

import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.quota.QuotaView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.network.Session;
import org.apache.kafka.server.quota.ClientQuotaManager;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.apache.kafka.server.quota.QuotaFactory.QuotaManagers;
import org.apache.kafka.server.quota.ThrottleCallback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's quota managers of one role. Shared: any thread. A fault of the class that {@code client.quota.callback.class} names
 * costs nobody an answer: who it is asked about is not limited meanwhile.
 */
public final class ManagedQuotas implements ClientQuotas, QuotaView, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(ManagedQuotas.class);

    private final QuotaManagers managers;
    private final Map<ClientQuotaType, HeldClients> held = new EnumMap<>(ClientQuotaType.class);
    private final AtomicBoolean failing = new AtomicBoolean();

    /**
     * Takes the managers over, which nobody has asked for anything yet.
     *
     * @param metrics what the managers are measured by
     * @param threadPrefix what the names of threads begin with
     * @param time tells how long a client is still held back
     */
    public ManagedQuotas(QuotaManagers managers, Metrics metrics, String threadPrefix, Time time) {
        this.managers = managers;
        for (ClientQuotaType type : ClientQuotaType.values()) {
            held.put(type, HeldClients.of(manager(type), type, metrics, threadPrefix, time));
        }
    }

    ClientQuotaManager manager(ClientQuotaType type) {
        return switch (type) {
            case PRODUCE -> managers.produce();
            case FETCH -> managers.fetch();
            case REQUEST -> managers.request();
            case CONTROLLER_MUTATION -> managers.controllerMutation();
        };
    }

    @Override
    public boolean limits(ClientQuotaType type) {
        return manager(type).quotasEnabled();
    }

    @Override
    public int record(ClientQuotaType type, RequestContext who, double value, long nowMs) {
        return limits(type)
                ? ask(manager -> manager.recordAndGetThrottleTimeMs(session(who), who.clientId(), value, nowMs), type)
                : 0;
    }

    @Override
    public void recordNoThrottle(ClientQuotaType type, RequestContext who, double value) {
        if (limits(type)) {
            ask(
                    manager -> {
                        manager.recordNoThrottle(session(who), who.clientId(), value);
                        return 0;
                    },
                    type);
        }
    }

    @Override
    public void unrecord(ClientQuotaType type, RequestContext who, double value, long nowMs) {
        if (limits(type)) {
            ask(
                    manager -> {
                        manager.unrecordQuotaSensor(session(who), who.clientId(), value, nowMs);
                        return 0;
                    },
                    type);
        }
    }

    @Override
    public void recordExempt(double value) {
        if (limits(ClientQuotaType.REQUEST)) {
            managers.request().exemptSensor().record(value);
        }
    }

    @Override
    public double maxValueInWindow(ClientQuotaType type, RequestContext who) {
        try {
            return limits(type) ? manager(type).maxValueInQuotaWindow(session(who), who.clientId()) : Double.MAX_VALUE;
        } catch (RuntimeException fault) {
            failed(fault);
            return Double.MAX_VALUE;
        }
    }

    @Override
    public ControllerMutationQuota mutations(RequestContext who, int strictSince) {
        if (!limits(ClientQuotaType.CONTROLLER_MUTATION)) {
            return ControllerMutationQuota.UNBOUNDED_CONTROLLER_MUTATION_QUOTA;
        }
        return managers.controllerMutation().newQuotaFor(session(who), who.header, (short) strictSince);
    }

    @Override
    public void throttle(ClientQuotaType type, RequestContext who, int throttleTimeMs, ThrottleCallback callback) {
        HeldClients holder = held.get(type);
        if (throttleTimeMs > 0 && holder != null) {
            holder.hold(who.principal, session(who), who.clientId(), throttleTimeMs, callback);
        }
    }

    @Override
    public List<HeldRow> held() {
        List<HeldRow> rows = new ArrayList<>();
        held.forEach((type, holder) -> holder.addTo(rows, type));
        return rows;
    }

    /** Lets those go to whom a change has given more. */
    void letGo(ClientQuotaType type) {
        HeldClients holder = held.get(type);
        if (holder != null) {
            holder.letGo();
        }
    }

    @Override
    public void close() {
        held.values().forEach(HeldClients::close);
        managers.shutdown();
    }

    private int ask(ToIntFunction<ClientQuotaManager> question, ClientQuotaType type) {
        try {
            int throttleTimeMs = question.applyAsInt(manager(type));
            if (failing.get()) {
                failing.set(false);
            }
            return throttleTimeMs;
        } catch (RuntimeException fault) {
            failed(fault);
            return 0;
        }
    }

    private void failed(RuntimeException fault) {
        if (!failing.getAndSet(true)) {
            LOGGER.error(
                    "quotas could not be asked: clients are not limited until they can; see client.quota.callback.class",
                    fault);
        }
    }

    private static Session session(RequestContext who) {
        return new Session(who.principal, who.clientAddress);
    }
}
