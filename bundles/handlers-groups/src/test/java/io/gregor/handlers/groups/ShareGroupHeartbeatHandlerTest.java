package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ShareGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ShareGroupHeartbeatResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShareGroupHeartbeatHandlerTest {
    private final HandlerFixture fixture =
            new HandlerFixture().level("share.version", 1).topic("t", Uuid.randomUuid());
    private final List<ShareGroupHeartbeatRequestData> passedOn = new ArrayList<>();
    private final ShareGroupHeartbeatHandler handler =
            new ShareGroupHeartbeatHandler(coordinator(), fixture.metadata(), fixture.authorization());

    private GroupCoordinator coordinator() {
        return Fake.of(GroupCoordinator.class, (proxy, method, arguments) -> {
            passedOn.add((ShareGroupHeartbeatRequestData) arguments[1]);
            return CompletableFuture.completedFuture(new ShareGroupHeartbeatResponseData().setMemberEpoch(5));
        });
    }

    @Test
    void answersWhatTheCoordinatorSays() {
        assertThat(handle("m", List.of("t")).memberEpoch()).isEqualTo(5);
        assertThat(handle("m", null).memberEpoch()).isEqualTo(5);
        assertThat(passedOn).hasSize(2);
    }

    @Test
    void refusesASubscriptionWithATopicThatTheMemberMayNotDescribe() {
        fixture.deny("DESCRIBE secret");

        assertThat(handle("m", List.of("t", "secret")).errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(passedOn).isEmpty();
    }

    @Test
    void refusesAGroupThatTheMemberMayNotRead() {
        fixture.deny("READ g");

        assertThat(handle("m", List.of("t")).errorCode()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED.code());
        assertThat(passedOn).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1234567890123456789012345678901234567"})
    void refusesWhatIsNoMemberId(String member) {
        assertThat(handle(member, List.of("t")).errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(passedOn).isEmpty();
    }

    @Test
    void isNotServedInAClusterWithoutShareGroups() {
        fixture.level("share.version", 0);

        assertThat(handle("m", List.of("t")).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(passedOn).isEmpty();
    }

    private ShareGroupHeartbeatResponseData handle(String member, @Nullable List<String> topics) {
        ShareGroupHeartbeatRequestData data = new ShareGroupHeartbeatRequestData()
                .setGroupId("g")
                .setMemberId(member)
                .setSubscribedTopicNames(topics);
        handler.handle(fixture.request(new ShareGroupHeartbeatRequest(data, (short) 1)));
        return fixture.asked().answer(ShareGroupHeartbeatResponse.class).data();
    }
}
