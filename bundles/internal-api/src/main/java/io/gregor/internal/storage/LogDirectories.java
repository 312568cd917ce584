package io.gregor.internal.storage;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;

/**
 * The log directories of this broker, locked and online, before any log in them is loaded. A service of the storage bundle
 * with the property {@code role}, there as soon as the directories are locked; {@link Logs} follows when they are recovered.
 * Shared: any thread.
 */
public interface LogDirectories {
    /** The ids of the directories that are online now, by their absolute paths: what a broker registers with. */
    Map<String, Uuid> ids();

    /** What is shown of all log directories, in the order of the configuration; partitions once their logs are loaded. */
    List<DirectoryRow> rows();

    /** The epoch under which this broker was last stopped cleanly, if it was: what it registers with. Reads files. */
    OptionalLong previousBrokerEpoch();

    /**
     * Tells the epoch that is written into the clean shutdown files at stop. Called after each registration.
     *
     * @param epoch the broker's epoch, at least 0
     */
    void brokerEpoch(long epoch);

    /** The epoch last told by {@link #brokerEpoch(long)}; -1 before. */
    long brokerEpoch();

    /**
     * Calls a listener with the id of each directory that fails from now on, after its partitions were taken offline, so
     * that the controller is told. Directories that had failed before are not in {@link #ids}.
     *
     * @param listener called on the thread that handles the failure; must not block
     * @return ends the watch when run
     */
    Runnable onFailure(Consumer<Uuid> listener);

    /**
     * Calls a listener with the ids of the cordoned directories ({@code cordoned.log.dirs}), which get no new logs: at once if
     * there are any, and whenever they change, so that the controller is told.
     *
     * @param listener called on the calling and on the reconfiguration thread; must not block
     * @return ends the watch when run
     */
    Runnable onCordoned(Consumer<Set<Uuid>> listener);
}
