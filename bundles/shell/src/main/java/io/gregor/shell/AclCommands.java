package io.gregor.shell;

import io.gregor.internal.dispatch.Authorization;
import io.gregor.shell.internal.AclQuestion;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Table;
import io.gregor.shell.internal.Words;
import java.util.List;
import java.util.Optional;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about access rights, answered by the authorizer that decides on this node. Shared: any thread. */
@Component(service = AclCommands.class, immediate = true)
@ShellScope(
        scope = "acl",
        function = {"list", "test"},
        example = {"acl:list resource~TOPIC", "acl:test User:alice READ topic:orders"})
public final class AclCommands {
    private static final Syntax TEST = Syntax.of(AclCommands.class, "acl", "test");

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Authorization> authorizations = List.of();

    /** Lists them. */
    @Descriptor("access rights as this node applies them")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        Table table = new Table("RESOURCE", "PATTERN", "NAME", "PRINCIPAL", "HOST", "OPERATION", "PERMISSION");
        acls(authorizer(), AclBindingFilter.ANY)
                .forEach(acl -> table.add(
                        acl.pattern().resourceType(),
                        acl.pattern().patternType(),
                        acl.pattern().name(),
                        acl.entry().principal(),
                        acl.entry().host(),
                        acl.entry().operation(),
                        acl.entry().permissionType()));
        return table.matching(List.of(filters)).draw();
    }

    /** Asks whether somebody may do something. */
    @Descriptor("says whether a principal may do something, and by which access rights; nothing is written to logs")
    @Arguments({
        "PRINCIPAL: as User:alice",
        "OPERATION: READ, WRITE, CREATE, DELETE, ALTER, DESCRIBE, CLUSTER_ACTION, ...",
        "RESOURCE: topic:NAME, group:NAME, transactional_id:NAME, delegation_token:NAME, user:NAME or cluster",
        "[--host ADDRESS]: where the client is, else 127.0.0.1"
    })
    public String test(CommandSession session, String... typed) {
        Words words = TEST.read(typed);
        Authorizer authorizer = authorizer();
        AclQuestion question = AclQuestion.of(
                words.word(0),
                words.word(1),
                words.word(2),
                words.value("--host").orElse("127.0.0.1"));
        return question.answer(authorizer, acls(authorizer, question.candidates()));
    }

    private static Iterable<AclBinding> acls(Authorizer authorizer, AclBindingFilter filter) {
        try {
            return authorizer.acls(filter);
        } catch (ApiException | UnsupportedOperationException none) {
            throw new IllegalArgumentException("the authorizer tells no access rights: " + none.getMessage(), none);
        }
    }

    private Authorizer authorizer() {
        return authorizations.stream()
                .map(Authorization::authorizer)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no authorizer: everything is allowed to everyone; authorizer.class.name names one"));
    }
}
