package io.gregor.handlers.admin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.util.List;
import org.apache.kafka.common.message.DescribeUserScramCredentialsRequestData;
import org.apache.kafka.common.message.DescribeUserScramCredentialsRequestData.UserName;
import org.apache.kafka.common.message.DescribeUserScramCredentialsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsRequest;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsResponse;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScramDescriptionTest {
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final DescribeUserScramCredentialsResponseData told = new DescribeUserScramCredentialsResponseData();

    @Test
    void tellsWhoMayDescribeTheCluster() {
        assertThat(ask(null)).isSameAs(told);
    }

    @Test
    void answersTheQuestionForAllUsersThatIsRefused() {
        authorization.deny("DESCRIBE kafka-cluster");

        assertThat(ask(null).errorCode()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        assertThat(ask(null).results()).isEmpty();
    }

    @Test
    void refusesTheQuestionForSomeUsersAsKafkaDoes() {
        authorization.deny("DESCRIBE kafka-cluster");

        DescribeUserScramCredentialsResponseData answer = ask(List.of(new UserName().setName("alice")));

        assertThat(answer.errorCode()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        assertThat(answer.results()).hasSize(1);
    }

    private DescribeUserScramCredentialsResponseData ask(@Nullable List<UserName> users) {
        MetadataCache cache = Fake.of(MetadataCache.class, (proxy, method, arguments) -> told);
        ServedMetadata metadata = Fake.of(ServedMetadata.class, (proxy, method, arguments) -> cache);
        FakeRequest request = new FakeRequest(new DescribeUserScramCredentialsRequest.Builder(
                        new DescribeUserScramCredentialsRequestData().setUsers(users))
                .build());
        new ScramDescription(authorization, metadata).respond(request);
        return request.answer(DescribeUserScramCredentialsResponse.class).data();
    }
}
