package io.gregor.api;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Settings of plugins: keys of {@code server.properties} and of the dynamic configuration ({@code kafka-configs}, the shell)
 * that begin with a prefix of the plugin's own. An OSGi service that is there before plugins are; each bundle has its own
 * object of it.
 */
@ProviderType
public interface NodeSettings {
    /**
     * Owns the keys that begin with a prefix from now on, until the result is closed or the bundle lets this service go. The
     * owner gets the values that count now before this method returns, on the calling thread, and every change of them
     * afterwards, see {@link SettingsOwner}. More owners than one of a prefix all get them.
     *
     * @param prefix lower case, with a dot at the end, as {@code example.masking.}; no key of Kafka or Gregor begins with it
     * @param owner gets the values
     * @return to be closed when the keys are wanted no more
     * @throws org.apache.kafka.common.config.ConfigException if the owner refuses the values that count now: who throws it out
     *     of its own {@code activate} is broken until they are mended
     * @throws IllegalArgumentException if the prefix is another's or has another form
     */
    Owned own(String prefix, SettingsOwner owner);

    /** The keys are owned until this is closed. */
    @ProviderType
    interface Owned extends AutoCloseable {
        /** Gives the keys up; any thread, any number of times, does not wait. */
        @Override
        void close();
    }

    /** Who owns settings: tries new values, and switches them on. */
    @ConsumerType
    @FunctionalInterface
    interface SettingsOwner {
        /**
         * Tries values. Called first by {@link NodeSettings#own}, afterwards on the reconfiguration thread, one call at a time;
         * may block for as long as it takes to check the values, and switches nothing on.
         *
         * @param values all values whose keys begin with the prefix, by whole key, as the operator wrote them; a key that
         *     nobody has set is not in it
         * @return what switches the values on; called at most once, on the same thread, after all others have tried the same
         *     change too and it is stored; not called if the change is not made after all
         * @throws org.apache.kafka.common.config.ConfigException if the values cannot be used, with key, value, and what would
         *     be right; a change is refused then, and nothing is stored
         */
        Runnable prepare(Map<String, String> values);
    }
}
