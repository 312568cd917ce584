package io.gregor.dispatch.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AddRaftVoterRequest;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsRequest;
import org.apache.kafka.common.requests.AlterReplicaLogDirsRequest;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.AlterUserScramCredentialsRequest;
import org.apache.kafka.common.requests.CreateAclsRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.DeleteAclsRequest;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteRecordsRequest;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.ElectLeadersRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.RemoveRaftVoterRequest;
import org.apache.kafka.common.requests.UnregisterBrokerRequest;
import org.apache.kafka.common.requests.UnregisterControllerRequest;
import org.apache.kafka.common.requests.UpdateFeaturesRequest;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/** The names of what an administrative request is about, without values and secrets. Stateless. */
final class AuditedNames {
    private static final String TOPIC = "topic:";
    private static final String GROUP = "group:";
    private static final String DRY_RUN = "validate only";

    private AuditedNames() {}

    /** The names in a request. */
    static List<String> of(AbstractRequest body) {
        if (body instanceof CreateTopicsRequest request) {
            return topics(request.data().validateOnly(), request.data().topics(), topic -> topic.name());
        }
        if (body instanceof CreatePartitionsRequest request) {
            return topics(request.data().validateOnly(), request.data().topics(), topic -> topic.name());
        }
        if (body instanceof DeleteTopicsRequest request) {
            List<String> names = prefixed(TOPIC, request.data().topicNames());
            request.data()
                    .topics()
                    .forEach(topic -> names.add(TOPIC + (topic.name() == null ? topic.topicId() : topic.name())));
            return names;
        }
        if (body instanceof DeleteRecordsRequest request) {
            return topics(false, request.data().topics(), topic -> topic.name());
        }
        if (body instanceof AlterPartitionReassignmentsRequest request) {
            return topics(false, request.data().topics(), topic -> topic.name());
        }
        if (body instanceof ElectLeadersRequest request) {
            Collection<TopicPartitions> some = request.data().topicPartitions();
            return some == null ? List.of(TOPIC + "*") : topics(false, some, TopicPartitions::topic);
        }
        if (body instanceof AlterReplicaLogDirsRequest request) {
            return named(request.data().dirs(), directory -> directory.topics().stream()
                    .map(topic -> topic.name())
                    .collect(Collectors.joining(",", directory.path() + " " + TOPIC, "")));
        }
        return ofSecurity(body);
    }

    private static List<String> ofSecurity(AbstractRequest body) {
        if (body instanceof CreateAclsRequest request) {
            return named(request.aclCreations(), creation -> {
                try {
                    AclBinding binding = CreateAclsRequest.aclBinding(creation);
                    return acl(binding.toFilter());
                } catch (IllegalArgumentException refused) {
                    return "invalid: " + creation.resourceName() + " " + creation.principal();
                }
            });
        }
        if (body instanceof DeleteAclsRequest request) {
            return named(request.filters(), AuditedNames::acl);
        }
        if (body instanceof AlterUserScramCredentialsRequest request) {
            AlterUserScramCredentialsRequestData data = request.data();
            List<String> names = named(data.upsertions(), user -> "set user:" + user.name() + scram(user.mechanism()));
            names.addAll(named(data.deletions(), user -> "delete user:" + user.name() + scram(user.mechanism())));
            return names;
        }
        if (body instanceof CreateDelegationTokenRequest request) {
            CreateDelegationTokenRequestData data = request.data();
            List<String> names = named(
                    data.renewers(), renewer -> "renewer:" + renewer.principalType() + ":" + renewer.principalName());
            if (data.ownerPrincipalName() != null && !data.ownerPrincipalName().isEmpty()) {
                names.add("owner:" + data.ownerPrincipalType() + ":" + data.ownerPrincipalName());
            }
            return names;
        }
        if (body instanceof AlterClientQuotasRequest request) {
            return named(request.entries(), entry -> entry.entity().entries().entrySet().stream()
                    .map(part -> part.getKey() + ":" + (part.getValue() == null ? "<default>" : part.getValue()))
                    .collect(Collectors.joining(" ")));
        }
        return ofConfigs(body, false);
    }

    /** What is decided here of a request that is sent on: loggers are each node's own. */
    static List<String> decidedHere(AbstractRequest body) {
        return ofConfigs(body, true);
    }

    private static List<String> ofConfigs(AbstractRequest body, boolean loggersOnly) {
        List<String> names = new ArrayList<>();
        if (body instanceof AlterConfigsRequest request) {
            request.data()
                    .resources()
                    .forEach(resource -> config(
                            names,
                            loggersOnly,
                            resource.resourceType(),
                            resource.resourceName(),
                            named(resource.configs(), config -> config.name())));
        } else if (body instanceof IncrementalAlterConfigsRequest request) {
            request.data()
                    .resources()
                    .forEach(resource -> config(
                            names,
                            loggersOnly,
                            resource.resourceType(),
                            resource.resourceName(),
                            named(resource.configs(), config -> config.name())));
        } else if (!loggersOnly) {
            return ofCluster(body);
        }
        return names;
    }

    private static void config(
            List<String> names, boolean loggersOnly, byte typeId, String name, Collection<String> keys) {
        ConfigResource.Type type = ConfigResource.Type.forId(typeId);
        if (!loggersOnly || type == ConfigResource.Type.BROKER_LOGGER) {
            names.add(type + ":" + name + " " + String.join(",", keys));
        }
    }

    private static List<String> ofCluster(AbstractRequest body) {
        if (body instanceof DeleteGroupsRequest request) {
            return prefixed(GROUP, request.data().groupsNames());
        }
        if (body instanceof OffsetDeleteRequest request) {
            return ofGroup(request.data().groupId(), request.data().topics(), topic -> topic.name());
        }
        if (body instanceof AlterShareGroupOffsetsRequest request) {
            return ofGroup(request.data().groupId(), request.data().topics(), topic -> topic.topicName());
        }
        if (body instanceof DeleteShareGroupOffsetsRequest request) {
            return ofGroup(request.data().groupId(), request.data().topics(), topic -> topic.topicName());
        }
        if (body instanceof UpdateFeaturesRequest request) {
            return named(
                    request.featureUpdates(), update -> "feature:" + update.feature() + " " + update.versionLevel());
        }
        if (body instanceof UnregisterBrokerRequest request) {
            return List.of("broker:" + request.data().brokerId());
        }
        if (body instanceof UnregisterControllerRequest request) {
            return List.of("controller:" + request.data().controllerId());
        }
        if (body instanceof AddRaftVoterRequest request) {
            return List.of("voter:" + request.data().voterId());
        }
        if (body instanceof RemoveRaftVoterRequest request) {
            return List.of("voter:" + request.data().voterId());
        }
        return List.of();
    }

    private static String scram(byte mechanism) {
        return " " + ScramMechanism.fromType(mechanism).mechanismName();
    }

    private static String acl(AclBindingFilter filter) {
        ResourcePatternFilter pattern = filter.patternFilter();
        AccessControlEntryFilter entry = filter.entryFilter();
        return entry.permissionType() + " " + any(entry.principal()) + " host:" + any(entry.host()) + " "
                + entry.operation() + " " + pattern.resourceType() + ":" + pattern.patternType() + ":"
                + any(pattern.name());
    }

    private static String any(String name) {
        return name == null ? "<any>" : name;
    }

    private static <T> List<String> topics(boolean isDryRun, Collection<T> topics, Function<T, String> name) {
        List<String> names = new ArrayList<>();
        if (isDryRun) {
            names.add(DRY_RUN);
        }
        topics.forEach(topic -> names.add(TOPIC + name.apply(topic)));
        return names;
    }

    private static <T> List<String> ofGroup(String group, Collection<T> topics, Function<T, String> name) {
        List<String> names = new ArrayList<>(List.of(GROUP + group));
        names.addAll(topics(false, topics, name));
        return names;
    }

    private static List<String> prefixed(String prefix, Collection<String> plain) {
        return named(plain, name -> prefix + name);
    }

    private static <T> List<String> named(Collection<T> things, Function<T, String> name) {
        List<String> names = new ArrayList<>();
        things.forEach(thing -> names.add(name.apply(thing)));
        return names;
    }
}
