package io.gregor.example.echo;

import io.gregor.api.RequestHandler;
import io.gregor.testing.FakeRequest;
import io.gregor.testing.RequestHandlerContract;
import java.nio.ByteBuffer;
import java.util.List;

class EchoHandlerContractTest extends RequestHandlerContract {
    @Override
    protected RequestHandler handler() {
        return new EchoHandler();
    }

    @Override
    protected List<FakeRequest> requests() {
        return List.of(FakeRequest.ofBytes(EchoHandler.API_KEY, 0, ByteBuffer.wrap(new byte[] {1, 2, 3})));
    }
}
