package io.gregor.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;

/** Makes objects of large interfaces of which a test needs little. Immutable. */
public final class Fake {
    private Fake() {}

    /** An object whose calls go to the test. */
    public static <T> T of(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    /** An object that answers calls by their names, whatever they are asked; any other call fails the test. */
    public static <T> T of(Class<T> type, Map<String, ?> answers) {
        return of(type, (proxy, method, arguments) -> {
            if (!answers.containsKey(method.getName())) {
                throw unexpected(method.getName());
            }
            return answers.get(method.getName());
        });
    }

    /** For the default branch of a test's own answers. */
    public static AssertionError unexpected(String call) {
        return new AssertionError("unexpected call: " + call);
    }
}
