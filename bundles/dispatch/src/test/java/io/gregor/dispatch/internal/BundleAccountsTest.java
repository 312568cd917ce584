package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.ServingBundles.Account;
import io.gregor.internal.plugin.ServingBundles.KeyAccount;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.request.Outgoing;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BundleAccountsTest {
    private static final short HEARTBEAT = 12;
    private static final short NEW_KEY = 10_000;
    private static final int ALLOCATED = 100_000;

    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final HandlerServices services = new HandlerServices();
    private final RequestChannel channel = new RequestChannel(10);
    private final Beans beans = new Beans(config());
    private final RequestStats stats = new RequestStats(nowNs::get, new RequestStats.Appearances() {
        @Override
        public void version(int slot, short version) {}

        @Override
        public void error(int slot, Errors error) {}
    });
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, nowNs::get, stats, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final RoleBundles bundles = new RoleBundles(
            services.standings, services.registry, services.bundles, services.filters.registry, stats.slots());
    private final FakeBundle stock = new FakeBundle(5, "stock");
    private final FakeBundle plugin = FakeBundle.plugin(6, "plug.in");
    private final FakeConnection connection = new FakeConnection();
    private final List<Request> taken = new ArrayList<>();

    @AfterEach
    void close() {
        beans.close();
    }

    @Test
    void countsTimesOnHandlerThreadsAndUntilTheAnswer() {
        services.add(
                stock,
                request -> {
                    nowNs.addAndGet(70);
                    taken.add(request);
                },
                0,
                HEARTBEAT);
        serve(heartbeat());
        nowNs.addAndGet(1_000);
        taken.get(0).later(() -> {
            nowNs.addAndGet(5);
            answer(taken.get(0), Errors.NONE);
        });
        runOne();
        complete();

        Account account = bundles.accounts().get(0);

        assertThat(account.bundleId()).isEqualTo(stock.id());
        assertThat(account.requests()).isEqualTo(1);
        assertThat(account.busyNs()).isEqualTo(75);
        assertThat(account.answerNs()).isEqualTo(1_075);
        assertThat(account.errors() + account.failures()).isZero();
        assertThat(account.allocatedBytes()).isEqualTo(-1);
    }

    @Test
    void tellsErrorsFromFailures() {
        List<RequestHandler> handlers = List.of(
                request -> answer(request, Errors.NONE),
                request -> answer(request, Errors.REBALANCE_IN_PROGRESS),
                request -> answer(request, Errors.UNKNOWN_SERVER_ERROR),
                Request::closeConnection,
                request -> {
                    throw new IllegalStateException("broken");
                },
                request -> {
                    throw new GroupAuthorizationException("no");
                });
        services.add(stock, request -> handlers.get(taken.size()).handle(request), 0, HEARTBEAT);
        for (int i = 0; i < handlers.size(); i++) {
            serve(heartbeat());
            complete();
            taken.add(null);
        }

        Account account = bundles.accounts().get(0);

        assertThat(account.requests()).isEqualTo(6);
        assertThat(account.errors()).isEqualTo(4);
        assertThat(account.failures()).isEqualTo(3);
    }

    @Test
    void countsByApiKey() {
        services.add(stock, Request::respondNothing, 0, HEARTBEAT, NEW_KEY);
        serve(heartbeat());
        complete();
        serve(Frames.newApi(NEW_KEY, 0));
        complete();
        serve(Frames.newApi(NEW_KEY, 0));
        complete();

        assertThat(bundles.accountsByKey())
                .extracting(KeyAccount::bundleId, KeyAccount::apiKey, KeyAccount::requests)
                .containsExactlyInAnyOrder(tuple(5L, HEARTBEAT, 1L), tuple(5L, NEW_KEY, 2L));
        assertThat(stats.requests(stats.slots().ofKey(NEW_KEY))).isEqualTo(2);
        assertThat(stats.requests(stats.slots().ofKey(HEARTBEAT))).isEqualTo(1);
    }

    @Test
    void requestsOfATrialCountForWhoHasServedThem() {
        services.add(stock, Request::respondNothing, 10, HEARTBEAT);
        services.add(plugin, Request::respondNothing, 0, HEARTBEAT);

        for (int percent : new int[] {100, 1}) {
            bundles.stand(Map.of(plugin.id(), Standing.trial(percent)));
            serve(heartbeat());
            complete();
        }

        assertThat(TrialShare.has(connection.id(), 1)).isFalse();
        assertThat(bundles.accounts()).extracting(Account::requests).containsExactly(1L, 1L);
    }

    @Test
    void allocationOfPluginsIsMeasuredAlsoOfFollowUps() {
        List<byte[]> kept = new ArrayList<>();
        services.add(
                plugin,
                request -> {
                    kept.add(new byte[ALLOCATED]);
                    request.later(() -> {
                        kept.add(new byte[ALLOCATED]);
                        request.respondNothing();
                    });
                },
                0,
                HEARTBEAT);

        serve(heartbeat());
        runOne();

        assertThat(bundles.accounts().get(0).allocatedBytes()).isBetween(2L * ALLOCATED, 4L * ALLOCATED);
    }

    @Test
    void pluginHasAnMBeanForAsLongAsItHasHandlers() throws Exception {
        BundleBeans shown = new BundleBeans(Role.BROKER, beans, bundles, Runnable::run);
        services.registry.onChange(shown::follow);
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.gregor:type=Bundle,name=plug.in,role=broker");

        services.add(stock, Request::respondNothing, 0, HEARTBEAT);
        FakeReference<RequestHandler> first = services.add(plugin, taken::add, 10, HEARTBEAT);
        serve(heartbeat());
        assertThat(server.getAttribute(name, "InHand")).isEqualTo(1L);
        taken.get(0).closeConnection();
        complete();

        assertThat(server.getAttribute(name, "BundleId")).isEqualTo(plugin.id());
        assertThat(server.getAttribute(name, "Requests")).isEqualTo(1L);
        assertThat(server.getAttribute(name, "Failures")).isEqualTo(1L);
        assertThat(server.queryNames(new ObjectName("io.gregor:type=Bundle,*"), null))
                .hasSize(1);

        services.registry.remove(first);
        assertThatThrownBy(() -> server.getAttribute(name, "Requests")).isInstanceOf(InstanceNotFoundException.class);
    }

    private static void answer(Request request, Errors error) {
        request.respond(new HeartbeatResponse(new HeartbeatResponseData().setErrorCode(error.code())));
    }

    private void serve(ByteBuffer frame) {
        intake.take(connection, frame, nowNs.get(), () -> {});
        runOne();
    }

    private void runOne() {
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
    }

    private void complete() {
        Outgoing answer = connection.posted.remove();
        answer.dequeued(nowNs.get());
        answer.completed(nowNs.get());
    }

    private static ByteBuffer heartbeat() {
        return Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData());
    }

    private static AbstractKafkaConfig config() {
        Map<String, String> values =
                Map.of("process.roles", "broker", "node.id", "1", "controller.listener.names", "C");
        return new AbstractKafkaConfig(AbstractKafkaConfig.CONFIG_DEF, values, Map.of(), false) {};
    }
}
