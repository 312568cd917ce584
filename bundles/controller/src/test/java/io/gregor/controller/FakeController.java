package io.gregor.controller;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.controller.Controller;

/** A controller that knows answers to some calls. */
public final class FakeController {
    private final Map<String, Function<Object[], Object>> answers = new HashMap<>();

    /** Answers calls of this method at once with what the function makes of the arguments. */
    public FakeController on(String method, Function<Object[], Object> answer) {
        answers.put(method, answer);
        return this;
    }

    /** Fails calls of this method. */
    public FakeController failing(String method, Throwable fault) {
        return on(method, arguments -> CompletableFuture.failedFuture(fault));
    }

    public Controller controller() {
        return (Controller) Proxy.newProxyInstance(
                Controller.class.getClassLoader(), new Class<?>[] {Controller.class}, (proxy, method, arguments) -> {
                    Function<Object[], Object> answer = answers.get(method.getName());
                    if (answer == null) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    Object result = answer.apply(arguments);
                    return result instanceof CompletableFuture || method.getReturnType() != CompletableFuture.class
                            ? result
                            : CompletableFuture.completedFuture(result);
                });
    }
}
