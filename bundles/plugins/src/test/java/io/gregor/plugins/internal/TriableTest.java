package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.RequestFilter;
import io.gregor.api.RequestHandler;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TriableTest {
    private static final OfferedService STOCK = handler("io.gregor.handlers-cluster", "60", 0);

    @Test
    void handlersAboveTheOthersAndFiltersCanBeTried() {
        assertThatCode(() -> Triable.check(
                        List.of(handler("a", "60", 1), service("a", RequestFilter.class.getName())), List.of(STOCK)))
                .doesNotThrowAnyException();
        assertThatCode(() -> Triable.check(List.of(handler("a", "10000", 0)), List.of(STOCK)))
                .doesNotThrowAnyException();
    }

    @Test
    void aHandlerThatWouldNotServeAfterItsTrialIsRefused() {
        assertThatThrownBy(() -> Triable.check(List.of(handler("a", "60", 0)), List.of(STOCK)))
                .hasMessage("after the trial it would not serve api.key=60: service.ranking=0 is not above that of"
                        + " io.gregor.handlers-cluster, 0");
    }

    @Test
    void handlersOfAnotherRoleDoNotStandInTheWay() {
        OfferedService ofController =
                new OfferedService("c", List.of(RequestHandler.class.getName()), Set.of("60"), Set.of("controller"), 5);

        assertThatCode(() -> Triable.check(List.of(handler("a", "60", 1)), List.of(ofController)))
                .doesNotThrowAnyException();
    }

    @Test
    void whatCountsForAllConnectionsAtOnceIsRefused() {
        OfferedService authorizer = service("a", "org.apache.kafka.server.authorizer.Authorizer");

        assertThatThrownBy(() -> Triable.check(List.of(handler("a", "10000", 0), authorizer), List.of()))
                .isInstanceOf(RefusedJar.class)
                .hasMessageContaining("Authorizer cannot be tried");
    }

    @Test
    void aBundleWithoutHandlerAndFilterIsRefused() {
        assertThatThrownBy(() -> Triable.check(List.of(service("a", "java.lang.Runnable")), List.of()))
                .isInstanceOf(RefusedJar.class)
                .hasMessageStartingWith("it has neither a handler nor a filter");
    }

    private static OfferedService handler(String bundle, String key, int ranking) {
        return new OfferedService(
                bundle, List.of(RequestHandler.class.getName()), Set.of(key), Set.of("broker"), ranking);
    }

    private static OfferedService service(String bundle, String type) {
        return new OfferedService(bundle, List.of(type), Set.of(), Set.of(), 0);
    }
}
