package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gregor.api.RequestFilter;
import io.gregor.testing.FakeFilteredRequest;
import io.gregor.testing.RequestFilterContract;
import java.util.List;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.junit.jupiter.api.Test;

class TopicNameFilterTest extends RequestFilterContract {

    @Override
    protected RequestFilter filter() {
        return new TopicNameFilter();
    }

    @Override
    protected List<FakeFilteredRequest> requests() {
        return List.of(creation("orders"), creation("Orders"));
    }

    @Test
    void letsLowerCasePass() {
        FakeFilteredRequest request = creation("orders");

        filter().filterRequest(request);

        assertTrue(request.hasPassed());
    }

    @Test
    void refusesOtherNames() {
        FakeFilteredRequest request = creation("Orders");

        filter().filterRequest(request);

        assertEquals(Errors.POLICY_VIOLATION, request.refusal());
    }

    private static FakeFilteredRequest creation(String topic) {
        CreatableTopicCollection topics = new CreatableTopicCollection();
        topics.add(new CreatableTopic().setName(topic).setNumPartitions(1).setReplicationFactor((short) 1));
        CreateTopicsRequestData data = new CreateTopicsRequestData().setTopics(topics);
        short version = ApiKeys.CREATE_TOPICS.latestVersion();
        return new FakeFilteredRequest(new CreateTopicsRequest.Builder(data).build(version));
    }
}
