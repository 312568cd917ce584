package io.gregor.itest.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gregor.itest.RawClient;
import io.gregor.itest.plugins.teller.TellerActivator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;

/** A plugin with a new API that tells its version: its jars, and its client. Owned by the test thread. */
final class Teller {
    static final String NAME = "io.gregor.itest.teller";

    private Teller() {}

    /** The plugin in this version. */
    static PluginJar jar(String version) {
        return PluginJar.named(NAME, version)
                .imports("io.gregor.api;version=\"[1.0,2)\"", "org.osgi.framework")
                .activator(TellerActivator.class);
    }

    /** Puts it into the node's {@code deploy/}. */
    static Path drop(Path home, String file, String version) throws IOException {
        return jar(version).writeTo(home.resolve("deploy").resolve(file));
    }

    /** The version that answers; empty if ApiVersions does not list the API. */
    static String told(int port) throws IOException {
        try (RawClient client = RawClient.connect(port)) {
            ApiVersionsResponse versions =
                    (ApiVersionsResponse) client.call(new ApiVersionsRequest.Builder().build((short) 4), 1);
            if (versions.data().apiKeys().find(TellerActivator.KEY) == null) {
                return "";
            }
            ByteBuffer request = ByteBuffer.allocate(11)
                    .putShort(TellerActivator.KEY)
                    .putShort((short) 0)
                    .putInt(2)
                    .putShort((short) 0)
                    .put((byte) 0);
            client.sendFrame(request.array());
            ByteBuffer answer = client.readFrame();
            answer.position(Integer.BYTES + 1);
            return UTF_8.decode(answer).toString();
        }
    }
}
