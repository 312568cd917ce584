package io.gregor.share.internal;

import io.gregor.internal.share.SharePartitions.SessionStep;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidShareSessionEpochException;
import org.apache.kafka.common.errors.ShareSessionLimitReachedException;
import org.apache.kafka.common.errors.ShareSessionNotFoundException;
import org.apache.kafka.common.requests.ShareRequestMetadata;
import org.apache.kafka.common.utils.internals.ImplicitLinkedHashCollection;
import org.apache.kafka.server.share.CachedSharePartition;
import org.apache.kafka.server.share.context.FinalContext;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.context.ShareSessionContext;
import org.apache.kafka.server.share.session.ShareSession;
import org.apache.kafka.server.share.session.ShareSessionCache;
import org.apache.kafka.server.share.session.ShareSessionKey;

/** The sessions of members, in Kafka's cache: how requests open, continue and end them. Shared: any thread. */
final class ShareSessions {
    private final ShareSessionCache cache;

    ShareSessions(ShareSessionCache cache) {
        this.cache = cache;
    }

    boolean isOpen(ShareSessionKey member) {
        return cache.get(member) != null;
    }

    ShareFetchContext step(SessionStep step) {
        return switch (step.epoch()) {
            case ShareRequestMetadata.INITIAL_EPOCH -> open(step);
            case ShareRequestMetadata.FINAL_EPOCH -> {
                require(step.member());
                yield new FinalContext();
            }
            default -> go(step);
        };
    }

    private ShareFetchContext open(SessionStep step) {
        if (step.isAcknowledging()) {
            throw new InvalidRequestException("a request that opens a share session has nothing to acknowledge");
        }
        ShareSessionKey member = step.member();
        ImplicitLinkedHashCollection<CachedSharePartition> partitions =
                new ImplicitLinkedHashCollection<>(step.added().size());
        step.added().forEach(added -> partitions.mustAdd(new CachedSharePartition(added)));
        ShareSessionKey opened;
        synchronized (cache) {
            cache.remove(member);
            opened = cache.maybeCreateSession(member.groupId(), member.memberId(), partitions, step.connectionId());
        }
        if (opened == null) {
            throw new ShareSessionLimitReachedException("no more share sessions on this broker: member=" + member);
        }
        return new ShareSessionContext(step.epoch(), step.added());
    }

    private ShareFetchContext go(SessionStep step) {
        synchronized (cache) {
            ShareSession session = next(step.member(), step.epoch());
            session.update(step.added(), step.forgotten());
            cache.updateNumPartitions(session);
            return new ShareSessionContext(step.epoch(), session);
        }
    }

    /** A request that only acknowledges, in a session that is there. */
    void acknowledging(ShareSessionKey member, int epoch) {
        if (epoch == ShareRequestMetadata.INITIAL_EPOCH) {
            throw new InvalidShareSessionEpochException("a share session is opened by a fetch: member=" + member);
        }
        synchronized (cache) {
            if (epoch == ShareRequestMetadata.FINAL_EPOCH) {
                require(member);
            } else {
                next(member, epoch);
            }
        }
    }

    private ShareSession require(ShareSessionKey member) {
        ShareSession session = cache.get(member);
        if (session == null) {
            throw new ShareSessionNotFoundException("no share session: member=" + member);
        }
        return session;
    }

    private ShareSession next(ShareSessionKey member, int epoch) {
        ShareSession session = require(member);
        synchronized (session) {
            if (session.epoch != epoch) {
                throw new InvalidShareSessionEpochException("epoch=" + epoch + " of the share session is not expected="
                        + session.epoch + " member=" + member);
            }
            session.epoch = ShareRequestMetadata.nextEpoch(session.epoch);
        }
        return session;
    }

    /** Ends a session, if it is there. */
    void close(ShareSessionKey member) {
        cache.remove(member);
    }

    /** Ends all. */
    void closeAll() {
        cache.removeAllSessions();
    }
}
