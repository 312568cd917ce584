package io.gregor.internal.node;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Utils;

/** Makes threads on which Kafka's libraries find their classes: the context class loader is the engine's. Immutable. */
public final class EngineThread {
    private EngineThread() {}

    /** A daemon thread of this name; not started. */
    public static Thread daemon(String name, Runnable work) {
        return thread(name, work, true);
    }

    /** A thread of this name that keeps the process alive; not started. */
    public static Thread nonDaemon(String name, Runnable work) {
        return thread(name, work, false);
    }

    /** A factory of daemon threads {@code <prefix>0}, {@code <prefix>1}, and so on. */
    public static ThreadFactory daemons(String prefix) {
        AtomicInteger next = new AtomicInteger();
        return work -> daemon(prefix + next.getAndIncrement(), work);
    }

    /** Runs work on the calling thread with the engine's class loader as its context class loader. */
    public static void run(Runnable work) {
        run(Utils.class.getClassLoader(), work);
    }

    /** Runs work on the calling thread with another context class loader, as that of plugins' classes. */
    public static void run(ClassLoader loader, Runnable work) {
        call(loader, () -> {
            work.run();
            return work;
        });
    }

    /** Has the calling thread make something whose threads inherit the engine's class loader as their context class loader. */
    public static <T> T call(Supplier<T> work) {
        return call(Utils.class.getClassLoader(), work);
    }

    /** Has the calling thread do something with another context class loader, as that of plugins' classes. */
    public static <T> T call(ClassLoader loader, Supplier<T> work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Thread thread(String name, Runnable work, boolean daemon) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(daemon);
        thread.setContextClassLoader(Utils.class.getClassLoader());
        return thread;
    }
}
