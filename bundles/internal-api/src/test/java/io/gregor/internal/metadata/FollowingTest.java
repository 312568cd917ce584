package io.gregor.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.NodeFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.server.fault.FaultHandler;
import org.junit.jupiter.api.Test;

class FollowingTest {
    private final List<String> events = new ArrayList<>();
    private final List<MetadataPublisher> installed = new ArrayList<>();
    private CompletableFuture<Void> installation = CompletableFuture.completedFuture(null);
    private boolean isFaulty;
    private final Following following = new Following(feed(), faults(), "part", new MetadataFollower() {
        @Override
        public void begin(MetadataDelta delta, MetadataImage image) {
            events.add("begin");
            failIfFaulty();
        }

        @Override
        public void follow(MetadataDelta delta, MetadataImage image) {
            events.add("follow");
            failIfFaulty();
        }
    });

    private void failIfFaulty() {
        if (isFaulty) {
            throw new IllegalArgumentException("no");
        }
    }

    private void publish() {
        installed
                .get(0)
                .onMetadataUpdate(
                        new MetadataDelta.Builder().build(),
                        MetadataImage.EMPTY,
                        new LogDeltaManifest.Builder()
                                .provenance(MetadataProvenance.EMPTY)
                                .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
                                .numBatches(1)
                                .elapsedNs(1)
                                .numBytes(1)
                                .build());
    }

    @Test
    void isReadyOnceAfterTheFirstImage() {
        following.start(() -> events.add("ready"));

        publish();
        publish();

        assertThat(events).containsExactly("begin", "ready", "follow");
    }

    @Test
    void isNeverReadyIfTheFirstImageCannotBeApplied() {
        isFaulty = true;
        following.start(() -> events.add("ready"));

        publish();

        assertThat(events).containsExactly("begin", "fatal: part could not apply the first metadata image");
    }

    @Test
    void goesOnAfterAChangeThatCannotBeApplied() {
        following.start(() -> events.add("ready"));
        publish();
        isFaulty = true;

        publish();
        publish();

        String fault = "counted: part could not apply a change of the metadata: offset=-1";
        assertThat(events).containsExactly("begin", "ready", "follow", fault, "follow", fault);
    }

    @Test
    void leavesTheFeedAfterItHasJoined() {
        installation = new CompletableFuture<>();
        following.start(() -> events.add("ready"));
        installation.complete(null);

        following.close();

        assertThat(events).containsExactly("removed");
    }

    @Test
    void hasNothingToLeaveIfItCouldNotJoin() {
        installation = CompletableFuture.failedFuture(new IllegalStateException("stopped"));
        following.start(() -> events.add("ready"));

        following.close();

        assertThat(events).containsExactly("fatal: part gets no metadata");
    }

    private MetadataFeed feed() {
        return new MetadataFeed() {
            @Override
            public CompletableFuture<Void> install(MetadataPublisher publisher) {
                installed.add(publisher);
                return installation;
            }

            @Override
            public CompletableFuture<Void> remove(MetadataPublisher publisher) {
                assertThat(installed).contains(publisher);
                events.add("removed");
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public long lastAppliedOffset() {
                return -1;
            }
        };
    }

    private NodeFaults faults() {
        return new NodeFaults() {
            @Override
            public FaultHandler fatal(String component) {
                return handler("fatal");
            }

            @Override
            public CompletionStage<Void> broken() {
                return new CompletableFuture<>();
            }

            @Override
            public FaultHandler nonFatal(String component) {
                return handler("counted");
            }

            @Override
            public void refuseStart(String message) {
                events.add("refused");
            }

            @Override
            public void stop(String reason) {
                events.add("stopped");
            }
        };
    }

    private FaultHandler handler(String kind) {
        return (message, fault) -> {
            events.add(kind + ": " + message);
            return new RuntimeException(message, fault);
        };
    }
}
