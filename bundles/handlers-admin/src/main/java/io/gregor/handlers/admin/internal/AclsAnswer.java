package io.gregor.handlers.admin.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeAclsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeAclsRequest;
import org.apache.kafka.common.requests.DescribeAclsResponse;
import org.apache.kafka.server.authorizer.Authorizer;

/**
 * Answers DescribeAcls from the authorizer that decides. Immutable.
 *
 * @param authorization the role's
 */
public record AclsAnswer(Authorization authorization) {
    /** Answers at once. */
    public void respond(Request request) {
        authorization.requireCluster(request.context(), AclOperation.DESCRIBE);
        DescribeAclsRequest asked = request.body(DescribeAclsRequest.class);
        request.respond(new DescribeAclsResponse(found(asked, authorization.authorizer()), asked.version()));
    }

    private static DescribeAclsResponseData found(DescribeAclsRequest asked, Optional<Authorizer> authorizer) {
        DescribeAclsResponseData data = new DescribeAclsResponseData();
        if (authorizer.isEmpty()) {
            return data.setErrorCode(Errors.SECURITY_DISABLED.code())
                    .setErrorMessage("No Authorizer is configured on the broker");
        }
        Set<AclBinding> acls = new LinkedHashSet<>();
        authorizer.get().acls(asked.filter()).forEach(acls::add);
        return data.setResources(DescribeAclsResponse.aclsResources(acls));
    }
}
