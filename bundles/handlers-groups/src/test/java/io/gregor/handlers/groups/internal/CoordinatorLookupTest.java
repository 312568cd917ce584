package io.gregor.handlers.groups.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.handlers.groups.internal.CoordinatorLookup.Found;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.MetadataCache;
import org.junit.jupiter.api.Test;

class CoordinatorLookupTest {
    private static final Node LEADER = new Node(7, "host", 9092);
    private static final byte GROUP = CoordinatorType.GROUP.id();
    private static final byte TRANSACTION = CoordinatorType.TRANSACTION.id();
    private static final byte SHARE = CoordinatorType.SHARE.id();
    private static final String SHARE_KEY = "g:" + Uuid.ONE_UUID + ":0";

    private final List<String> created = new ArrayList<>();
    private final CoordinatorLookup lookup = new CoordinatorLookup(
            Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> 3),
            Fake.of(ShareCoordinator.class, (proxy, method, arguments) -> 3),
            Fake.of(TransactionCoordinator.class, (proxy, method, arguments) -> 3),
            Fake.of(ServedMetadata.class, (proxy, method, arguments) -> Fake.of(MetadataCache.class, this::cache)),
            (names, who) -> {
                assertThat(who).isNull();
                created.addAll(names);
                return List.of();
            },
            Fake.of(Authorization.class, this::authorization));

    private boolean isTopicThere = true;
    private int leader = LEADER.id();
    private boolean isAllowed = true;

    @Test
    void findsTheLeaderOfTheGroupsPartition() {
        assertThat(lookup.find(context(6), GROUP, "g")).isEqualTo(Found.at(LEADER));
        assertThat(created).isEmpty();
    }

    @Test
    void createsTheTopicWhenItIsNotThereAndLetsTheClientRetry() {
        isTopicThere = false;

        assertThat(lookup.find(context(6), GROUP, "g")).isEqualTo(none(Errors.COORDINATOR_NOT_AVAILABLE));
        assertThat(created).containsExactly("__consumer_offsets");
    }

    @Test
    void letsTheClientRetryWhileThereIsNoLeaderOnItsListener() {
        leader = LeaderAndIsr.NO_LEADER;

        assertThat(lookup.find(context(6), GROUP, "g")).isEqualTo(none(Errors.COORDINATOR_NOT_AVAILABLE));
        assertThat(created).isEmpty();
    }

    @Test
    void refusesBeforeAnythingIsCreated() {
        isTopicThere = false;
        isAllowed = false;

        assertThat(lookup.find(context(6), GROUP, "g")).isEqualTo(none(Errors.GROUP_AUTHORIZATION_FAILED));
        assertThat(lookup.find(context(6), TRANSACTION, "t"))
                .isEqualTo(none(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED));
        assertThat(lookup.find(context(6), CoordinatorType.SHARE.id(), "s"))
                .isEqualTo(none(Errors.CLUSTER_AUTHORIZATION_FAILED));
        assertThat(created).isEmpty();
    }

    @Test
    void findsTheLeaderOfTheTransactionsPartitionAndCreatesItsTopic() {
        assertThat(lookup.find(context(6), TRANSACTION, "t")).isEqualTo(Found.at(LEADER));

        isTopicThere = false;

        assertThat(lookup.find(context(6), TRANSACTION, "t")).isEqualTo(none(Errors.COORDINATOR_NOT_AVAILABLE));
        assertThat(created).containsExactly("__transaction_state");
    }

    @Test
    void findsTheLeaderOfTheSharePartitionsStateAndCreatesItsTopic() {
        assertThat(lookup.find(context(6), SHARE, SHARE_KEY)).isEqualTo(Found.at(LEADER));

        isTopicThere = false;

        assertThat(lookup.find(context(6), SHARE, SHARE_KEY)).isEqualTo(none(Errors.COORDINATOR_NOT_AVAILABLE));
        assertThat(created).containsExactly("__share_group_state");
    }

    @Test
    void refusesAShareKeyThatIsNoneOrInAVersionWithoutThem() {
        assertThat(lookup.find(context(5), SHARE, SHARE_KEY)).isEqualTo(none(Errors.INVALID_REQUEST));
        assertThat(lookup.find(context(6), SHARE, "s")).isEqualTo(none(Errors.INVALID_REQUEST));
        assertThat(lookup.find(context(6), SHARE, "g:no-id:0")).isEqualTo(none(Errors.INVALID_REQUEST));
        assertThat(lookup.find(context(6), SHARE, "g:" + Uuid.ONE_UUID + ":x")).isEqualTo(none(Errors.INVALID_REQUEST));
        assertThat(created).isEmpty();
    }

    @Test
    void refusesAKeyTypeThatDoesNotExist() {
        assertThatThrownBy(() -> lookup.find(context(6), (byte) 9, "k")).isInstanceOf(InvalidRequestException.class);
    }

    private static Found none(Errors error) {
        return Found.none(error);
    }

    private Object cache(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "contains" -> isTopicThere;
            case "getLeaderAndIsr" ->
                Optional.of(new LeaderAndIsr(leader, List.of(7))).filter(found -> arguments[1].equals(3));
            case "getAliveBrokerNode" ->
                Optional.of(LEADER)
                        .filter(node -> arguments[0].equals(node.id()))
                        .filter(node -> Set.of("PLAINTEXT").contains(((ListenerName) arguments[1]).value()));
            default -> throw Fake.unexpected(method.getName());
        };
    }

    private Object authorization(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
        if (method.getName().equals("isAllowed")) {
            return isAllowed;
        }
        if (method.getName().equals("requireCluster") && !isAllowed) {
            throw new ClusterAuthorizationException("no");
        }
        return null;
    }

    private static RequestContext context(int version) {
        return FakeRequest.context(ApiKeys.FIND_COORDINATOR, version, "PLAINTEXT");
    }
}
