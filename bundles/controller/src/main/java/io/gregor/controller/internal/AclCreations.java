package io.gregor.controller.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData.AclCreationResult;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.CreateAclsRequest;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.jspecify.annotations.Nullable;

/**
 * The ACLs of one CreateAcls: those that an authorizer is asked for, and why the others are refused. Immutable.
 *
 * @param valid those to be created, in their order
 * @param refusals for each ACL of the request why it is refused; null for those that are valid
 */
public record AclCreations(List<AclBinding> valid, List<@Nullable AclCreateResult> refusals) {
    /**
     * Looks at what a client sends.
     *
     * @throws InvalidRequestException if one of them has a pattern, an operation or a permission that only filters have
     */
    public static AclCreations of(List<AclCreation> asked) {
        List<AclBinding> valid = new ArrayList<>();
        List<@Nullable AclCreateResult> refusals = new ArrayList<>();
        for (AclCreation creation : asked) {
            AclBinding binding = binding(creation);
            String reason = reason(binding);
            if (reason == null) {
                valid.add(binding);
            }
            refusals.add(reason == null ? null : new AclCreateResult(new InvalidRequestException(reason)));
        }
        return new AclCreations(valid, refusals);
    }

    private static AclBinding binding(AclCreation creation) {
        try {
            return CreateAclsRequest.aclBinding(creation);
        } catch (IllegalArgumentException onlyForFilters) {
            throw new InvalidRequestException(onlyForFilters.getMessage());
        }
    }

    private static @Nullable String reason(AclBinding binding) {
        String name = binding.pattern().name();
        if (binding.pattern().resourceType() == ResourceType.CLUSTER && !name.equals(Resource.CLUSTER_NAME)) {
            return "The only valid name for the CLUSTER resource is " + Resource.CLUSTER_NAME;
        }
        return name.isEmpty() ? "Invalid empty resource name" : null;
    }

    /** The valid ones that were created. */
    public List<AclBinding> created(List<AclCreateResult> results) {
        List<AclBinding> created = new ArrayList<>();
        for (int i = 0; i < valid.size(); i++) {
            if (results.get(i).exception().isEmpty()) {
                created.add(valid.get(i));
            }
        }
        return created;
    }

    /** What the client gets: one result for each ACL of its request, from those of the valid ones. */
    public List<AclCreationResult> results(List<AclCreateResult> ofValid) {
        List<AclCreationResult> all = new ArrayList<>();
        int next = 0;
        for (AclCreateResult refusal : refusals) {
            all.add(result(refusal == null ? ofValid.get(next++) : refusal));
        }
        return all;
    }

    private static AclCreationResult result(AclCreateResult created) {
        AclCreationResult result = new AclCreationResult();
        created.exception().ifPresent((ApiException fault) -> {
            ApiError error = ApiError.fromThrowable(fault);
            result.setErrorCode(error.error().code()).setErrorMessage(error.message());
        });
        return result;
    }
}
