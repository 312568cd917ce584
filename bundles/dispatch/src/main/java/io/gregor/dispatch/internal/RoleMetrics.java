package io.gregor.dispatch.internal;

import io.gregor.internal.dispatch.DispatchView.Figures;
import io.gregor.internal.node.Role;
import java.util.List;
import java.util.function.Function;
import javax.management.MBeanInfo;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.jspecify.annotations.Nullable;

/**
 * What is measured and logged of one role's requests, and its MBeans. Shared: any thread. MBeans are registered on a handler
 * thread, so that nobody waits for some hundreds of them at the start.
 */
public final class RoleMetrics implements CompletedRequests, AutoCloseable {
    private final RequestChannel channel;
    private final Beans beans;
    private final RequestStats stats;
    private final FadingRate idleRate;

    RoleMetrics(
            RoleContext role,
            ListenerType listeners,
            HandlerPool pool,
            RequestChannel channel,
            HandlerRegistry registry) {
        this.channel = channel;
        this.beans = new Beans(role.config().values());
        RequestBeans requests = new RequestBeans(
                listeners,
                role.isBesideBroker(),
                beans,
                System::nanoTime,
                work -> channel.putFollowUp(new Chore(work)));
        this.stats = requests.stats();
        this.idleRate = stats.rate(pool.idle()::ns, true);
        stats.move(role.handlers().idleRate());
        channel.putFollowUp(new Chore(() -> {
            addOwn(role, registry);
            requests.register();
        }));
    }

    private void addOwn(RoleContext role, HandlerRegistry registry) {
        String pool = role.role() == Role.BROKER ? "Broker" : "Controller";
        String tag = role.isBesideBroker() ? ",role=" + Role.CONTROLLER.property() : "";
        beans.add(
                HandlerThreads.DOMAIN_AND_TYPE + pool + "RequestHandlerAvgIdlePercent", HandlerThreads.bean(idleRate));
        beans.add("kafka.network:type=RequestChannel,name=RequestQueueSize" + tag, new QueueSizeBean(channel));
        beans.add("io.gregor:type=WaitingRequests,role=" + role.role().property(), new WaitingRequestsBean(registry));
    }

    @Override
    public void add(RequestTimes times) {
        stats.add(times);
        if (RequestLog.isOn()) {
            RequestLog.completed(times);
        }
    }

    Figures figures() {
        return new Figures(
                idleRatio(),
                stats.recentP99(RequestFigure.REQUEST_QUEUE_TIME),
                stats.recentP99(RequestFigure.LOCAL_TIME),
                stats.recentP99(RequestFigure.REMOTE_TIME),
                stats.recentP99(RequestFigure.RESPONSE_QUEUE_TIME),
                stats.recentP99(RequestFigure.RESPONSE_SEND_TIME),
                channel.depth(),
                channel.capacity());
    }

    /** How many requests of an API key were done. */
    long requests(short key) {
        return stats.requests(stats.slots().ofKey(key));
    }

    /** The role's MBeans. */
    Beans beans() {
        return beans;
    }

    /** Where requests are counted. */
    StatsSlots slots() {
        return stats.slots();
    }

    private double idleRatio() {
        long nowNs = stats.nowNs();
        double ratio = idleRate.isStarted(nowNs) ? idleRate.oneMinute(nowNs) : idleRate.mean(nowNs);
        return Math.min(1, ratio);
    }

    /** Takes the MBeans back. */
    @Override
    public void close() {
        beans.close();
    }

    /** Shared: any thread. How many requests wait. */
    private static final class QueueSizeBean extends ReadOnlyBean {
        private static final MBeanInfo INFO = info(QueueSizeBean.class, List.of(attribute("Value", Object.class)));

        private final RequestChannel channel;

        QueueSizeBean(RequestChannel channel) {
            super(INFO);
            this.channel = channel;
        }

        @Override
        Function<String, @Nullable Object> read() {
            return name -> name.equals("Value") ? channel.depth() : null;
        }
    }
}
