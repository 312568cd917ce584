package io.gregor.example.audit;

import io.gregor.api.RequestFilter;
import io.gregor.testing.FakeFilteredRequest;
import io.gregor.testing.FakeFilteredResponse;
import io.gregor.testing.FakeNodeSettings;
import io.gregor.testing.RequestFilterContract;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

class AuditFilterContractTest extends RequestFilterContract {
    private static final short VERSION = 12;

    @Override
    protected RequestFilter filter() {
        return new AuditFilter(new FakeNodeSettings(Map.of()), System::nanoTime, (caller, ms, usage) -> {});
    }

    @Override
    protected List<FakeFilteredRequest> requests() {
        return List.of(
                new FakeFilteredRequest(new ProduceRequest(new ProduceRequestData().setAcks((short) 1), VERSION)));
    }

    @Override
    protected List<FakeFilteredResponse> responses(FakeFilteredRequest request) {
        return List.of(FakeFilteredResponse.to(request, new ProduceResponse(new ProduceResponseData())));
    }
}
