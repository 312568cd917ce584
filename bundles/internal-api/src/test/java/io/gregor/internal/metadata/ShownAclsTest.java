package io.gregor.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.junit.jupiter.api.Test;

class ShownAclsTest {
    private static final AclBinding ONE = allow("one");
    private static final AclBinding TWO = allow("two");
    private static final MetadataImage NONE = MetadataImage.EMPTY;
    private static final MetadataImage HALF = with(NONE, ONE);
    private static final MetadataImage BOTH = with(HALF, TWO);

    @Test
    void presentOnlyWhenAllAreThere() {
        assertThat(ShownAcls.present(List.of(ONE, TWO))).rejects(NONE, HALF).accepts(BOTH);
    }

    @Test
    void presentOnceIsEnoughForOneThatIsAskedForTwice() {
        assertThat(ShownAcls.present(List.of(ONE, ONE))).rejects(NONE).accepts(HALF);
    }

    @Test
    void absentOnlyWhenNoneIsThere() {
        assertThat(ShownAcls.absent(List.of(ONE, TWO))).rejects(HALF, BOTH).accepts(NONE);
        assertThat(ShownAcls.absent(List.of(TWO))).accepts(HALF);
    }

    @Test
    void nothingIsShownByEveryImage() {
        assertThat(ShownAcls.present(List.of())).accepts(NONE, BOTH);
        assertThat(ShownAcls.absent(List.of())).accepts(NONE, BOTH);
    }

    private static AclBinding allow(String topic) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW));
    }

    private static MetadataImage with(MetadataImage before, AclBinding acl) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(before).build();
        delta.replay(new AccessControlEntryRecord()
                .setId(Uuid.randomUuid())
                .setResourceType(acl.pattern().resourceType().code())
                .setResourceName(acl.pattern().name())
                .setPatternType(acl.pattern().patternType().code())
                .setPrincipal(acl.entry().principal())
                .setHost(acl.entry().host())
                .setOperation(acl.entry().operation().code())
                .setPermissionType(acl.entry().permissionType().code()));
        return delta.apply(new MetadataProvenance(before.offset() + 1, 1, 1, true));
    }
}
