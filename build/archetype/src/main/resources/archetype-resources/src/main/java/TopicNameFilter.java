package ${package};

import io.gregor.api.FilteredRequest;
import io.gregor.api.FiltersApis;
import io.gregor.api.RequestFilter;
import java.util.Locale;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.osgi.service.component.annotations.Component;

/** Refuses to create topics whose names are not in lower case. Immutable. */
@Component
@FiltersApis(api_key = TopicNameFilter.CREATE_TOPICS, filter_fails = "closed", filter_time_ms = 50)
public final class TopicNameFilter implements RequestFilter {
    static final int CREATE_TOPICS = 19;

    @Override
    public void filterRequest(FilteredRequest request) {
        CreateTopicsRequest body = request.body(CreateTopicsRequest.class);
        for (CreatableTopic topic : body.data().topics()) {
            if (!topic.name().equals(topic.name().toLowerCase(Locale.ROOT))) {
                request.refuse(Errors.POLICY_VIOLATION, "topic=" + topic.name() + " must be in lower case");
                return;
            }
        }
    }
}
