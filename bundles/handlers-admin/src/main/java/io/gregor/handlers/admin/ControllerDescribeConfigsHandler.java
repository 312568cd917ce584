package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.ConfigDescription;
import io.gregor.handlers.admin.internal.ConfigsAnswer;
import io.gregor.handlers.admin.internal.DescribedNode;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.LogLevels;
import io.gregor.internal.node.NodeConfig;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeConfigs for those who speak to a controller directly (KIP-919): the same, of this controller. Immutable. */
@Component
@ServesApi(api_key = 32, role = "controller")
public final class ControllerDescribeConfigsHandler implements RequestHandler {
    private final ConfigsAnswer answer;

    /** Made by the service registry. */
    @Activate
    public ControllerDescribeConfigsHandler(
            @Reference NodeConfig config,
            @Reference LiveConfig live,
            @Reference LogLevels levels,
            @Reference LiveKeys keys,
            @Reference(target = "(role=controller)") Authorization authorization,
            @Reference(target = "(role=controller)") ServedMetadata metadata) {
        answer = new ConfigsAnswer(
                authorization,
                new ConfigDescription(new DescribedNode(config, live, levels, keys::contain), metadata::cache));
    }

    @Override
    public void handle(Request request) {
        answer.respond(request);
    }
}
