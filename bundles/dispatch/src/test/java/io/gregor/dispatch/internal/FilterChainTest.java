package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.FilteredRequest;
import io.gregor.api.Request;
import io.gregor.api.RequestFilter;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.request.Outgoing;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterChainTest {
    private static final int HEARTBEAT = FilterFixture.HEARTBEAT;
    private static final int NEW_KEY = FilterFixture.NEW_KEY;

    private final FilterFixture node = new FilterFixture();
    private final List<String> seen = node.seen;

    @AfterEach
    void close() {
        node.filters.registry.close();
    }

    @Test
    void highestRankingIsNextToTheClientOnBothWays() {
        node.filters.add(naming("inner"), HEARTBEAT);
        node.filters.add(naming("outer"), HEARTBEAT, "service.ranking", 5);
        node.filters.add(naming("innermost"), HEARTBEAT);

        node.heartbeat();

        assertThat(seen)
                .containsExactly("outer", "inner", "innermost", "handler sent", "/innermost", "/inner", "/outer");
        assertThat(node.error()).isEqualTo(Errors.NONE);
    }

    @Test
    void newestBundleOfANameHasThePlaceOfTheOldOne() {
        FakeBundle old = new FakeBundle(5, "plugin");
        FakeBundle successor = new FakeBundle(6, "plugin");
        node.filters.add(old.bundle(), naming("old"), HEARTBEAT, "component.name", "same");
        node.filters.add(naming("other"), HEARTBEAT);
        node.filters.add(successor.bundle(), naming("new"), HEARTBEAT, "component.name", "same");
        stand(Map.of(old.id(), Standing.RETIRED));

        node.heartbeat();

        assertThat(seen).startsWith("new", "other", "handler sent");
    }

    @Test
    void bundleOnTrialStandsInThePlaceOfTheOldOneForItsShareOnly() {
        FakeBundle old = new FakeBundle(5, "plugin");
        FakeBundle tried = new FakeBundle(6, "plugin");
        node.filters.add(old.bundle(), naming("old"), HEARTBEAT);
        node.filters.add(tried.bundle(), naming("tried"), HEARTBEAT);
        int place = TrialShare.place(node.connection.id());

        stand(Map.of(tried.id(), Standing.trial(place + 1)));
        node.heartbeat();
        assertThat(seen).containsExactly("tried", "handler sent", "/tried");

        seen.clear();
        stand(Map.of(tried.id(), Standing.trial(place)));
        node.heartbeat();
        assertThat(seen).containsExactly("old", "handler sent", "/old");
    }

    @Test
    void bundlesThatDoNotCountSeeNothing() {
        for (Standing standing : List.of(Standing.HELD, Standing.RETIRED, Standing.LEAVING)) {
            FakeBundle bundle = new FakeBundle(5, "plugin");
            FakeReference<RequestFilter> filter = node.filters.add(bundle.bundle(), naming("aside"), HEARTBEAT);
            stand(Map.of(bundle.id(), standing));
            node.heartbeat();
            node.filters.remove(filter);
        }
        assertThat(seen).containsOnly("handler sent");
    }

    @Test
    void listenerAndPrincipalDecideWhatIsSeen() {
        node.filters.add(naming("elsewhere"), HEARTBEAT, "listener", "EXTERNAL");
        node.filters.add(naming("other person"), HEARTBEAT, "principal", List.of("User:alice"));
        node.filters.add(naming("other key"), ApiKeys.FETCH.id);
        node.filters.add(naming("here"), HEARTBEAT, "listener", new String[] {"EXTERNAL", "PLAINTEXT"});
        node.filters.add(naming("person"), HEARTBEAT, "principal", "User:ANONYMOUS");

        node.heartbeat();

        assertThat(seen).containsExactly("here", "person", "handler sent", "/person", "/here");
    }

    @Test
    void replacedBodyIsWhatFiltersBehindAndTheHandlerSeeAndForward() {
        AtomicReference<ByteBuffer> bytes = new AtomicReference<>();
        HeartbeatRequestData changed = new HeartbeatRequestData().setGroupId("changed");
        node.filters.add(
                Filters.onRequest(request -> {
                    request.replaceBody(new HeartbeatRequest.Builder(changed).build((short) 4));
                    seen.add("then " + group(request));
                }),
                HEARTBEAT);
        node.filters.add(Filters.onRequest(request -> seen.add("behind " + group(request))), HEARTBEAT);
        node.handler(request -> {
            seen.add("handler " + request.body(HeartbeatRequest.class).data().groupId());
            bytes.set(request.bodyBytes());
            request.respondNothing();
        });

        node.heartbeat();

        assertThat(seen).containsExactly("then changed", "behind changed", "handler changed");
        assertThat(bytes.get())
                .isEqualTo(MessageUtil.toByteBufferAccessor(changed, (short) 4).buffer());
    }

    @Test
    void bodyOfAnotherApiOrVersionIsRefused() {
        node.filters.add(
                Filters.onRequest(request -> request.replaceBody(
                        new HeartbeatRequest.Builder(new HeartbeatRequestData().setGroupId("g")).build((short) 3))),
                HEARTBEAT,
                "filter.fails",
                "closed");

        node.heartbeat();

        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(node.filters.registry.rows().get(0).faults()).isEqualTo(1);
    }

    @Test
    void bodyOfANewKeyIsReplacedAsBytesAndAnsweredAsBytes() {
        node.services.add(request -> request.respondBytes(request.bodyBytes()), 0, NEW_KEY);
        node.filters.add(
                Filters.onBoth(
                        request -> request.replaceBodyBytes(ByteBuffer.wrap(
                                new byte[] {7, request.bodyBytes().get()})),
                        response -> {
                            ByteBuffer body = response.bodyBytes();
                            response.replaceBodyBytes(ByteBuffer.wrap(new byte[] {9, body.get(), body.get()}));
                        }),
                NEW_KEY);

        node.take(Frames.newApi(NEW_KEY, 0, (byte) 1));

        assertThat(FakeConnection.written(node.posted()))
                .isEqualTo(ByteBuffer.wrap(new byte[] {0, 0, 0, 8, 0, 0, 0, 7, 0, 9, 7, 1}));
    }

    @Test
    void whoAnswersIsLastToSeeTheRequestAndFirstToSeeTheResponse() {
        node.filters.add(naming("before"), HEARTBEAT);
        node.filters.add(
                Filters.onBoth(
                        request -> request.answer(new HeartbeatResponse(
                                new HeartbeatResponseData().setErrorCode(Errors.REBALANCE_IN_PROGRESS.code()))),
                        response -> seen.add("/answering")),
                HEARTBEAT);
        node.filters.add(naming("behind"), HEARTBEAT);

        node.heartbeat();

        assertThat(seen).containsExactly("before", "/answering", "/before");
        assertThat(node.error()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    }

    @Test
    void refusalIsTheErrorResponseOfTheApi() {
        node.filters.add(naming("before"), HEARTBEAT);
        node.filters.add(
                Filters.onRequest(request -> request.refuse(Errors.POLICY_VIOLATION, "not at night")), HEARTBEAT);

        node.heartbeat();

        assertThat(seen).containsExactly("before", "/before");
        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
    }

    @Test
    void refusalWithoutAResponseClosesTheConnection() {
        List<String> responses = new ArrayList<>();
        RequestFilter refusing = Filters.onBoth(
                request -> request.refuse(Errors.POLICY_VIOLATION, "no"), response -> responses.add("seen"));
        node.services.add(request -> request.respondNothing(), 0, NEW_KEY, ApiKeys.PRODUCE.id);
        node.filters.add(refusing, NEW_KEY);
        node.filters.add(refusing, ApiKeys.PRODUCE.id);

        node.take(Frames.newApi(NEW_KEY, 0));
        assertThat(node.posted().kind()).isEqualTo(Outgoing.Kind.CLOSE);

        node.take(Frames.of(ApiKeys.PRODUCE, 9, new ProduceRequestData().setAcks((short) 0)));
        assertThat(node.posted().kind()).isEqualTo(Outgoing.Kind.CLOSE);
        assertThat(responses).isEmpty();
    }

    @Test
    void responseIsReplacedWhateverFormItWasGivenIn() {
        node.filters.add(
                Filters.onResponse(response -> {
                    HeartbeatResponse before = response.body(HeartbeatResponse.class);
                    response.replaceBody(new HeartbeatResponse(new HeartbeatResponseData()
                            .setErrorCode(Errors.ILLEGAL_GENERATION.code())
                            .setThrottleTimeMs(before.throttleTimeMs() + 50)));
                }),
                HEARTBEAT);
        HeartbeatResponseData given = new HeartbeatResponseData().setThrottleTimeMs(3);
        List<java.util.function.Consumer<Request>> forms = List.of(
                request -> request.respond(new HeartbeatResponse(given)),
                request -> request.respond(given),
                request -> request.respondBytes(
                        MessageUtil.toByteBufferAccessor(given, (short) 4).buffer()));
        for (var form : forms) {
            node.handler(form::accept);
            node.heartbeat();
            assertThat(node.error()).isEqualTo(Errors.ILLEGAL_GENERATION);
            assertThat(node.completed.get(node.completed.size() - 1).subject().throttleNs())
                    .isEqualTo(53_000_000L);
        }
    }

    @Test
    void responseThatIsOnlyLookedAtIsSentAsItWasGiven() {
        byte[] large = new byte[100_000];
        AtomicReference<Object> looked = new AtomicReference<>();
        node.services.add(request -> request.respondBytes(ByteBuffer.wrap(large)), 0, NEW_KEY);
        node.filters.add(
                Filters.onResponse(response -> looked.set(response.bodyBytes().remaining())), NEW_KEY);

        node.take(Frames.newApi(NEW_KEY, 0));
        large[99_999] = 5;

        assertThat(looked).hasValue(100_000);
        ByteBuffer sent = FakeConnection.written(node.posted());
        assertThat(sent.get(sent.limit() - 1)).isEqualTo((byte) 5);
    }

    @Test
    void responseOfAnotherApiIsAFault() {
        node.filters.add(
                Filters.onResponse(response -> response.replaceBody(
                        new MetadataResponse(new org.apache.kafka.common.message.MetadataResponseData(), (short) 9))),
                HEARTBEAT);

        node.heartbeat();

        assertThat(node.error()).isEqualTo(Errors.NONE);
        assertThat(node.filters.registry.rows().get(0).faults()).isEqualTo(1);
    }

    @Test
    void requestsWithoutAResponseAreNotSeenOnTheWayBack() {
        node.filters.add(naming("filter"), HEARTBEAT);
        node.handler(request -> request.respondNothing());
        node.heartbeat();
        node.handler(request -> request.closeConnection());
        node.heartbeat();

        assertThat(seen).containsExactly("filter", "filter");
        assertThat(node.posted().kind()).isEqualTo(Outgoing.Kind.CLOSE);
    }

    @Test
    void responseFromAnotherThreadComesBackToAHandlerThread() throws Exception {
        AtomicReference<Request> kept = new AtomicReference<>();
        AtomicReference<Thread> filtering = new AtomicReference<>();
        node.filters.add(Filters.onResponse(response -> filtering.set(Thread.currentThread())), HEARTBEAT);
        node.handler(kept::set);
        node.heartbeat();
        assertThat(node.connection.posted).isEmpty();

        Thread other = new Thread(() -> kept.get().respond(new HeartbeatResponseData()));
        other.start();
        other.join();
        assertThat(node.connection.posted).isEmpty();
        assertThat(filtering).hasNullValue();

        node.runOne();
        assertThat(filtering).hasValue(Thread.currentThread());
        assertThat(node.error()).isEqualTo(Errors.NONE);
    }

    @Test
    void responseFromAnotherThreadGoesOutAtOnceIfNobodyWantsToSeeIt() throws Exception {
        AtomicReference<Request> kept = new AtomicReference<>();
        node.filters.add(Filters.onRequest(request -> {}), HEARTBEAT);
        node.handler(kept::set);
        node.heartbeat();

        Thread other = new Thread(() -> kept.get().respond(new HeartbeatResponseData()));
        other.start();
        other.join();

        assertThat(node.error()).isEqualTo(Errors.NONE);
    }

    @Test
    void attachmentsAreOfOneFilterAndOneRequest() {
        for (String name : List.of("one", "other")) {
            node.filters.add(
                    Filters.onBoth(
                            request -> {
                                if (seen.size() < 2) {
                                    request.attach(name);
                                }
                                seen.add(name);
                            },
                            response -> seen.add(name + " got " + response.attachment())),
                    HEARTBEAT);
        }
        node.heartbeat();
        node.heartbeat();

        assertThat(seen).containsSubsequence("other got other", "one got one", "other got null", "one got null");
    }

    @Test
    void filterThatDoesNothingIsLeftOut() {
        node.filters.add(new RequestFilter() {}, HEARTBEAT);
        node.heartbeat();

        assertThat(node.services.registry.table().find((short) HEARTBEAT).filters())
                .isNull();
        assertThat(node.filters.registry.rows()).hasSize(1);
    }

    private RequestFilter naming(String name) {
        return Filters.onBoth(request -> seen.add(name), response -> seen.add("/" + name));
    }

    private static String group(FilteredRequest request) {
        return request.body(HeartbeatRequest.class).data().groupId();
    }

    private void stand(Map<Long, Standing> standings) {
        node.services.standings.replace(standings);
        node.services.registry.refresh();
    }
}
