package io.gregor.itest.plugins.trial;

import io.gregor.api.RequestFilter;
import io.gregor.api.RequestHandler;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;

/** Offers a handler or a filter for DescribeCluster, as the headers of its bundle say. Immutable. */
public final class TrialActivator implements BundleActivator {
    /** A header: {@code handler} or {@code filter}. */
    public static final String OFFERS = "Trial-Offers";

    /** A header: {@code good}, {@code errors}, {@code slow} or {@code throws}. */
    public static final String WAY = "Trial-Way";

    private static final int DESCRIBE_CLUSTER = 60;
    private static final int RANKING = 100;

    @Override
    public void start(BundleContext context) {
        String way = context.getBundle().getHeaders().get(WAY);
        String mark = context.getBundle().getVersion().toString();
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("api.key", DESCRIBE_CLUSTER);
        properties.put("role", "broker");
        properties.put(Constants.SERVICE_RANKING, RANKING);
        if (context.getBundle().getHeaders().get(OFFERS).equals("handler")) {
            context.registerService(RequestHandler.class, new MarkingHandler(mark, way), properties);
        } else {
            context.registerService(RequestFilter.class, new MarkingFilter(mark, way), properties);
        }
    }

    @Override
    public void stop(BundleContext context) {
        // the framework takes the service back
    }
}
