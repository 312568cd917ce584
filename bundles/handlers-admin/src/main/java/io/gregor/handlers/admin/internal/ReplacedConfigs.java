package io.gregor.handlers.admin.internal;

import io.gregor.internal.admin.ProposedValues;
import io.gregor.internal.admin.SettingChange;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/**
 * A request of AlterConfigs, which replaces all settings of a resource. Immutable.
 *
 * @param data the body
 * @param version the API's version
 */
public record ReplacedConfigs(AlterConfigsRequestData data, short version)
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
        return false;
    }

    @Override
    public ResourceChange change(AlterConfigsResource resource) {
        List<SettingChange> settings = resource.configs().stream()
                .map(setting -> SettingChange.set(setting.name(), setting.value()))
                .toList();
        return new ResourceChange(new ConfigKey(resource.resourceType(), resource.resourceName()), settings);
    }

    @Override
    public Map<String, @Nullable String> values(AlterConfigsResource resource, Map<String, String> stored) {
        return ProposedValues.replacing(change(resource).settings(), stored);
    }

    @Override
    public AbstractRequest with(Collection<AlterConfigsResource> resources) {
        AlterConfigsRequestData some = new AlterConfigsRequestData().setValidateOnly(data.validateOnly());
        resources.forEach(resource -> some.resources().mustAdd(resource.duplicate()));
        return new AlterConfigsRequest(some, version);
    }

    @Override
    public Map<ConfigKey, ApiError> errors(AbstractResponse response) {
        Map<ConfigKey, ApiError> errors = new HashMap<>();
        for (AlterConfigsResourceResponse one :
                ((AlterConfigsResponse) response).data().responses()) {
            errors.put(
                    new ConfigKey(one.resourceType(), one.resourceName()),
                    new ApiError(Errors.forCode(one.errorCode()), one.errorMessage()));
        }
        return errors;
    }

    @Override
    public AbstractResponse response(Function<AlterConfigsResource, ApiError> outcome) {
        AlterConfigsResponseData answer = new AlterConfigsResponseData();
        for (AlterConfigsResource resource : data.resources()) {
            ApiError error = outcome.apply(resource);
            answer.responses()
                    .add(new AlterConfigsResourceResponse()
                            .setResourceType(resource.resourceType())
                            .setResourceName(resource.resourceName())
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.message()));
        }
        return new AlterConfigsResponse(answer);
    }
}
