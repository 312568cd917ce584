package io.gregor.itest.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.plugins.PluginJar;
import java.io.IOException;
import java.util.Hashtable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;

/** Serves DescribeCluster in a node, and throttles every connection that asks. Shared: any thread. */
public final class ThrottledApi implements BundleActivator, RequestHandler {
    /** How long a connection is not read after its answer. */
    static final int THROTTLE_MS = 200;

    private static final String NAME = "io.gregor.itest.throttled";
    private static final int DESCRIBE_CLUSTER = 60;

    private final ScheduledExecutorService ends = Executors.newSingleThreadScheduledExecutor();

    /** Puts it into a node. */
    public static void install(GregorProcess node) throws IOException {
        PluginJar.named(NAME, "1.0.0")
                .imports(
                        "io.gregor.api",
                        "org.apache.kafka.common.message",
                        "org.apache.kafka.common.protocol",
                        "org.osgi.framework")
                .activator(ThrottledApi.class)
                .writeTo(node.home().resolve("throttled.jar"));
        String installed = node.shell(
                        "felix:install " + node.home().resolve("throttled.jar").toUri())
                .output();
        node.shell("felix:start " + installed.replaceAll("\\D", ""));
        assertThat(node.shell("handler:list api=DescribeCluster").output()).contains(NAME);
    }

    @Override
    public void handle(Request request) {
        request.startThrottle();
        request.respond(new DescribeClusterResponseData().setThrottleTimeMs(THROTTLE_MS));
        ends.schedule(request::endThrottle, THROTTLE_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void start(BundleContext context) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("api.key", DESCRIBE_CLUSTER);
        properties.put("role", "broker");
        properties.put(Constants.SERVICE_RANKING, 100);
        context.registerService(RequestHandler.class, this, properties);
    }

    @Override
    public void stop(BundleContext context) {
        ends.shutdown();
    }
}
