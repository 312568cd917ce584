package io.gregor.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class ControllerDoorTest {
    private final List<String> events = new ArrayList<>();
    private final ControllerDoor door = new ControllerDoor(fake(BundleContext.class, "registerService"));

    @Test
    void opensWhenTheLastHandlerIsThere() {
        int[] allButOne = ControllerDoor.NEEDED.stream()
                .filter(api -> api != ApiKeys.BROKER_REGISTRATION)
                .mapToInt(api -> api.id)
                .toArray();

        door.handlerCame(allButOne);
        assertThat(events).isEmpty();
        door.handlerCame(62);

        assertThat(events).containsExactly("registerService {role=controller}");
    }

    @Test
    void opensOnceAndIgnoresWhatItDoesNotNeed() {
        door.handlerCame(all());
        door.handlerCame(12_345);
        door.handlerCame(62);

        assertThat(events).hasSize(1);
    }

    @Test
    void staysClosedOnceClosed() {
        door.handlerCame(all());
        door.close();
        door.close();

        assertThat(events).containsExactly("registerService {role=controller}", "unregister");
        ControllerDoor closed = new ControllerDoor(fake(BundleContext.class, "registerService"));
        closed.close();
        closed.handlerCame(all());
        assertThat(events).hasSize(2);
    }

    private static Integer[] all() {
        return ControllerDoor.NEEDED.stream().map(api -> (int) api.id).toArray(Integer[]::new);
    }

    private <T> T fake(Class<T> type, String expected) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo(expected);
                    if (arguments == null) {
                        events.add(expected);
                        return null;
                    }
                    Dictionary<?, ?> properties = (Dictionary<?, ?>) arguments[2];
                    events.add(expected + " {role=" + properties.get("role") + "}");
                    return fake(ServiceRegistration.class, "unregister");
                }));
    }
}
