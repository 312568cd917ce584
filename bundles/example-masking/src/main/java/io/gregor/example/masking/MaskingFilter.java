package io.gregor.example.masking;

import io.gregor.api.FilteredRequest;
import io.gregor.api.FiltersApis;
import io.gregor.api.NodeSettings;
import io.gregor.api.RequestFilter;
import io.gregor.api.TopicNames;
import io.gregor.api.records.EditedProduce;
import io.gregor.api.records.EditedRecords;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceRequest;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Masks fields of JSON values in Produce requests, by the settings {@code example.masking.topics} and
 * {@code example.masking.fields}, which change while the broker runs. A request that cannot be masked is refused, and so are all
 * if the filter fails: nothing gets in unmasked. Shared: any thread.
 */
@Component(property = "service.ranking:Integer=1000")
@FiltersApis(
        api_key = 0,
        filter_fails = "closed",
        filter_time_ms = 2_000,
        filter_limit_ms = 20_000,
        filter_allocated_bytes = 512 * 1024 * 1024)
public final class MaskingFilter implements RequestFilter {
    private static final Logger LOGGER = LoggerFactory.getLogger(MaskingFilter.class);
    /** From this version of Produce on topics are told by their ids. */
    private static final short TOPIC_IDS = 13;

    private final TopicNames topics;
    private final NodeSettings.Owned settings;
    private volatile MaskingRules rules = MaskingRules.NONE;

    /** Has its rules when this ends, and so before it sees a request. */
    @Activate
    public MaskingFilter(@Reference NodeSettings settings, @Reference TopicNames topics) {
        this.topics = topics;
        this.settings = settings.own(MaskingRules.PREFIX, values -> {
            MaskingRules proposed = MaskingRules.of(values);
            return () -> {
                rules = proposed;
                LOGGER.info("masking by these rules from now on: {}", proposed);
            };
        });
    }

    @Deactivate
    void stop() {
        settings.close();
    }

    @Override
    public void filterRequest(FilteredRequest request) {
        MaskingRules now = rules;
        if (now.fields().isEmpty()) {
            return;
        }
        ProduceRequest produce = request.body(ProduceRequest.class);
        ValueMask mask = new ValueMask(now.fields());
        try {
            ProduceRequest masked = EditedProduce.edit(
                    produce,
                    (topic, partition, records) -> now.covers(name(topic, request.apiVersion()))
                            ? EditedRecords.edit(records, mask)
                            : records);
            if (masked != produce) {
                request.replaceBody(masked);
            }
        } catch (ApiException unmaskable) {
            request.refuse(Errors.forException(unmaskable), String.valueOf(unmaskable.getMessage()));
        }
    }

    /** An id may be so new that this broker has not heard of it; the producer asks for metadata then, and tries again. */
    private String name(TopicProduceData topic, short version) {
        if (version < TOPIC_IDS) {
            return topic.name();
        }
        return topics.name(topic.topicId())
                .orElseThrow(() -> new UnknownTopicIdException("this broker knows no topic id=" + topic.topicId()));
    }
}
