package io.gregor.transport.internal;

import io.gregor.internal.node.SecretValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose security services may be others than those it was prepared with. Immutable. */
final class RenewedListener {
    private static final Logger LOGGER = LoggerFactory.getLogger(RenewedListener.class);

    private RenewedListener() {}

    /** Has new connections made with the services that are there; without all that it needs it stays as it is. */
    static void of(Listener listener, ListenerBinding making) {
        boolean isDone = false;
        while (!isDone) {
            isDone = isRenewed(listener, making);
        }
    }

    /** False if the listener was changed meanwhile. */
    private static boolean isRenewed(Listener listener, ListenerBinding making) {
        Listener.Setup setup = listener.setup();
        ListenerChannels before = setup.channels();
        SecurityParts parts = making.parts(setup.configured(), setup.settings()).orElse(null);
        if (before == null || parts == null || !listener.isLive() || parts.areSame(before.parts())) {
            return true;
        }
        try {
            ListenerChannels next = making.channels(setup.configured(), setup.settings(), parts);
            boolean isDone = listener.renew(setup, next);
            if (!isDone) {
                next.giveUp();
            } else {
                LOGGER.info("new connections are made with other services: listener={}", listener.name());
            }
            return isDone;
        } catch (RuntimeException | LinkageError fault) {
            SecretValues secrets = SecretValues.of(setup.settings().security().settings(), key -> false);
            LOGGER.error(
                    "listener goes on with the former services: listener={}", listener.name(), secrets.hiddenIn(fault));
            return true;
        }
    }
}
