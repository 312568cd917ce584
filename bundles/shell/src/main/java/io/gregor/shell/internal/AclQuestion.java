package io.gregor.shell.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.internals.SecurityUtils;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;

/**
 * Whether somebody may do something. Immutable.
 *
 * @param host the address of the client
 */
public record AclQuestion(
        KafkaPrincipal principal, AclOperation operation, ResourceType type, String name, InetAddress host) {
    private static final Set<AclOperation> IMPLY_DESCRIBE =
            Set.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER);

    /**
     * Reads what was typed.
     *
     * @throws IllegalArgumentException if a word is none of those that there are
     */
    public static AclQuestion of(String principal, String operation, String resource, String host) {
        String[] parts = resource.split(":", 2);
        ResourceType type = ResourceType.fromString(parts[0]);
        boolean isCluster = type == ResourceType.CLUSTER;
        if (type == ResourceType.UNKNOWN || type == ResourceType.ANY || (parts.length < 2 && !isCluster)) {
            throw new IllegalArgumentException("resource=" + resource + " must be as topic:orders, group:g or cluster");
        }
        AclOperation asked = AclOperation.fromString(operation);
        if (asked == AclOperation.UNKNOWN || asked == AclOperation.ANY || asked == AclOperation.ALL) {
            throw new IllegalArgumentException("operation=" + operation + " must be one as READ or WRITE");
        }
        try {
            return new AclQuestion(
                    SecurityUtils.parseKafkaPrincipal(principal),
                    asked,
                    type,
                    isCluster ? Resource.CLUSTER_NAME : parts[1],
                    InetAddress.getByName(host));
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("host=" + host + " must be an address", unknown);
        }
    }

    /** The ACLs that may be about it. */
    public AclBindingFilter candidates() {
        return new AclBindingFilter(
                new ResourcePatternFilter(type, name, PatternType.MATCH), AccessControlEntryFilter.ANY);
    }

    /** The decision, and the ACLs that lead to it. */
    public String answer(Authorizer authorizer, Iterable<AclBinding> candidates) {
        boolean isAllowed =
                authorizer.authorize(context(), List.of(action())).get(0).equals(AuthorizationResult.ALLOWED);
        List<String> lines = new ArrayList<>();
        AclPermissionType permission = isAllowed ? AclPermissionType.ALLOW : AclPermissionType.DENY;
        for (AclBinding acl : candidates) {
            if (acl.entry().permissionType() == permission && isMeant(acl.entry())) {
                lines.add("  by " + permission + " " + acl.entry().principal() + " from "
                        + acl.entry().host() + " " + acl.entry().operation() + " on "
                        + acl.pattern().resourceType() + " " + acl.pattern().patternType() + " "
                        + acl.pattern().name());
            }
        }
        if (lines.isEmpty()) {
            lines.add(
                    isAllowed
                            ? "  no access right says so: a super user, or allow.everyone.if.no.acl.found"
                            : "  no access right allows it");
        }
        lines.add(
                0,
                (isAllowed ? "allowed: " : "denied: ") + principal + " " + operation + " on "
                        + type.name().toLowerCase(Locale.ROOT) + ":" + name);
        return String.join("\n", lines);
    }

    private boolean isMeant(AccessControlEntry entry) {
        boolean isWho = entry.principal().equals(principal.toString())
                || entry.principal().equals(principal.getPrincipalType() + ":*");
        boolean isFrom = entry.host().equals("*") || entry.host().equals(host.getHostAddress());
        return isWho && isFrom && covers(entry);
    }

    private boolean covers(AccessControlEntry entry) {
        AclOperation has = entry.operation();
        if (has == operation || has == AclOperation.ALL) {
            return true;
        }
        return entry.permissionType() == AclPermissionType.ALLOW
                && ((operation == AclOperation.DESCRIBE && IMPLY_DESCRIBE.contains(has))
                        || (operation == AclOperation.DESCRIBE_CONFIGS && has == AclOperation.ALTER_CONFIGS));
    }

    private Action action() {
        return new Action(operation, new ResourcePattern(type, name, PatternType.LITERAL), 1, false, false);
    }

    private RequestContext context() {
        return new RequestContext(
                new RequestHeader(ApiKeys.METADATA, ApiKeys.METADATA.latestVersion(), "shell", 0),
                "shell",
                host,
                principal,
                new ListenerName("shell"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
    }
}
