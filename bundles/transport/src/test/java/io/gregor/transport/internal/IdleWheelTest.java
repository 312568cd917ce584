package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdleWheelTest {
    private static final long IDLE_NS = 6_400;
    private static final long TICK_NS = 100;

    private final List<Member> expired = new ArrayList<>();
    private final IdleWheel wheel = new IdleWheel(IDLE_NS, 1_000);

    private static final class Member extends IdleWheel.Entry {
        private long activeNs;
        private boolean busy;

        Member(long activeNs) {
            this.activeNs = activeNs;
        }

        @Override
        long idleSinceNs(long nowNs) {
            return busy ? nowNs : activeNs;
        }
    }

    @Test
    void findsWhatWasIdleForTheWholeTimeAndNothingElse() {
        Member idle = add(1_000);
        Member active = add(1_000);
        active.activeNs = 5_000;

        expire(1_000 + IDLE_NS - 1);
        assertThat(expired).isEmpty();
        expire(1_000 + IDLE_NS + TICK_NS);

        assertThat(expired).containsExactly(idle);
        expire(5_000 + IDLE_NS + TICK_NS);
        assertThat(expired).containsExactly(idle, active);
        assertThat(wheel.nextCheckNs()).isEqualTo(IdleWheel.NEVER);
    }

    @Test
    void forgetsWhatWasTakenOut() {
        List<Member> members = List.of(add(1_000), add(1_000), add(1_000));
        wheel.remove(members.get(1));
        wheel.remove(members.get(1));

        expire(1_000 + 2 * IDLE_NS);

        assertThat(expired).containsExactlyInAnyOrder(members.get(0), members.get(2));
    }

    @Test
    void leavesABusyOneAlone() {
        Member busy = add(1_000);
        busy.busy = true;
        expire(1_000 + 3 * IDLE_NS);
        assertThat(expired).isEmpty();

        busy.busy = false;
        expire(1_000 + 5 * IDLE_NS);
        assertThat(expired).containsExactly(busy);
    }

    @Test
    void givesOneMoreTimeThatAsksForItWhateverTheSizeOfTheWheel() {
        Member patient = new Member(1_000 + 5 * IDLE_NS);
        wheel.add(patient, 1_000);

        for (long now = 1_000; now < 1_000 + 6 * IDLE_NS; now += TICK_NS) {
            expire(now);
        }
        assertThat(expired).isEmpty();
        expire(1_000 + 6 * IDLE_NS + TICK_NS);
        assertThat(expired).containsExactly(patient);
    }

    @Test
    void letsGoOfOneThatNeedNotBeWatchedAnyMore() {
        Member member = add(1_000);
        member.activeNs = IdleWheel.NEVER;
        expire(1_000 + 2 * IDLE_NS);

        assertThat(expired).isEmpty();
        assertThat(member.isWatched()).isFalse();
        assertThat(wheel.nextCheckNs()).isEqualTo(IdleWheel.NEVER);
    }

    @Test
    void findsOneAtOnceThatWasIdleLongBeforeItCame() {
        Member old = new Member(1_000);
        IdleWheel later = new IdleWheel(IDLE_NS, 1_000_000);
        later.add(old, 1_000_000);

        later.expire(1_000_000 + 2 * TICK_NS, entry -> expired.add((Member) entry));
        assertThat(expired).containsExactly(old);
    }

    @Test
    void findsNothingWhenIdleTimeIsWithoutEnd() {
        IdleWheel endless = new IdleWheel(-1, 1_000);
        endless.add(new Member(1_000), 1_000);
        assertThat(endless.nextCheckNs()).isEqualTo(IdleWheel.NEVER);
    }

    @Test
    void findsEachInTimeWhateverTheOrder() {
        Random random = new Random(3);
        Map<Member, Long> foundAt = new HashMap<>();
        List<Member> members = new ArrayList<>();
        long now = 1_000;
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(40);
            if (members.size() < 300 && random.nextInt(3) == 0) {
                Member member = new Member(now);
                members.add(member);
                wheel.add(member, now);
            } else if (!members.isEmpty()) {
                Member touched = members.get(random.nextInt(members.size()));
                touched.activeNs = foundAt.containsKey(touched) ? touched.activeNs : now;
            }
            if (now >= wheel.nextCheckNs()) {
                long at = now;
                wheel.expire(now, entry -> foundAt.put((Member) entry, at));
                members.removeAll(foundAt.keySet());
            }
        }
        assertThat(foundAt).hasSizeGreaterThan(100);
        foundAt.forEach((member, at) -> assertThat(at - member.activeNs).isBetween(IDLE_NS, IDLE_NS + 2 * TICK_NS));
    }

    private Member add(long nowNs) {
        Member member = new Member(nowNs);
        wheel.add(member, nowNs);
        return member;
    }

    private void expire(long nowNs) {
        wheel.expire(nowNs, entry -> expired.add((Member) entry));
    }
}
