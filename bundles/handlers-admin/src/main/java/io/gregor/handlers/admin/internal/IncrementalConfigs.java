package io.gregor.handlers.admin.internal;

import io.gregor.internal.admin.ProposedValues;
import io.gregor.internal.admin.SettingChange;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.jspecify.annotations.Nullable;

/**
 * A request of IncrementalAlterConfigs (KIP-339). Immutable.
 *
 * @param data the body
 * @param version the API's version
 */
public record IncrementalConfigs(IncrementalAlterConfigsRequestData data, short version)
        implements ConfigsRequest<AlterConfigsResource> {
    @Override
    public Collection<AlterConfigsResource> resources() {
        return data.resources();
    }

    @Override
    public boolean isDryRun() {
        return data.validateOnly();
    }

    @Override
    public boolean takesLogLevels() {
        return true;
    }

    @Override
    public ResourceChange change(AlterConfigsResource resource) {
        List<SettingChange> settings = resource.configs().stream()
                .map(setting -> new SettingChange(setting.name(), setting.configOperation(), setting.value()))
                .toList();
        return new ResourceChange(new ConfigKey(resource.resourceType(), resource.resourceName()), settings);
    }

    @Override
    public Map<String, @Nullable String> values(AlterConfigsResource resource, Map<String, String> stored) {
        return ProposedValues.changing(change(resource).settings(), stored);
    }

    @Override
    public AbstractRequest with(Collection<AlterConfigsResource> resources) {
        IncrementalAlterConfigsRequestData some =
                new IncrementalAlterConfigsRequestData().setValidateOnly(data.validateOnly());
        resources.forEach(resource -> some.resources().mustAdd(resource.duplicate()));
        return new IncrementalAlterConfigsRequest(some, version);
    }

    @Override
    public Map<ConfigKey, ApiError> errors(AbstractResponse response) {
        Map<ConfigKey, ApiError> errors = new HashMap<>();
        for (AlterConfigsResourceResponse one :
                ((IncrementalAlterConfigsResponse) response).data().responses()) {
            errors.put(
                    new ConfigKey(one.resourceType(), one.resourceName()),
                    new ApiError(Errors.forCode(one.errorCode()), one.errorMessage()));
        }
        return errors;
    }

    @Override
    public AbstractResponse response(Function<AlterConfigsResource, ApiError> outcome) {
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
        for (AlterConfigsResource resource : data.resources()) {
            ApiError error = outcome.apply(resource);
            answer.responses()
                    .add(new AlterConfigsResourceResponse()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.message()));
        }
        return new IncrementalAlterConfigsResponse(answer);
    }
}
