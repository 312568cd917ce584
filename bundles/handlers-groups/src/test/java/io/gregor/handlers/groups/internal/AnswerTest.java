package io.gregor.handlers.groups.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.junit.jupiter.api.Test;

class AnswerTest {
    private final List<Object> answers = new ArrayList<>();
    private final Request request = (Request) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Request.class}, (proxy, method, arguments) -> {
                answers.add(arguments[0]);
                return null;
            });

    @Test
    void answersWhenTheFutureEndsAndNotBefore() {
        CompletableFuture<HeartbeatResponseData> result = new CompletableFuture<>();
        HeartbeatResponseData message = new HeartbeatResponseData();
        Answer.message(request, result);
        assertThat(answers).isEmpty();

        result.complete(message);

        assertThat(answers).containsExactly(message);
    }

    @Test
    void answersAFaultWithItsCause() {
        NotCoordinatorException cause = new NotCoordinatorException("moved");

        Answer.message(request, CompletableFuture.<HeartbeatResponseData>failedFuture(new CompletionException(cause)));

        assertThat(answers).containsExactly(cause);
    }

    @Test
    void answersAFaultWhileTheResponseIsMade() {
        IllegalStateException broken = new IllegalStateException("broken");

        Answer.<HeartbeatResponseData>response(
                request, CompletableFuture.completedFuture(new HeartbeatResponseData()), data -> {
                    throw broken;
                });
        Answer.response(
                request, CompletableFuture.completedFuture(new HeartbeatResponseData()), HeartbeatResponse::new);

        assertThat(answers).hasSize(2).contains(broken);
        assertThat(answers.get(1)).isInstanceOf(HeartbeatResponse.class);
    }

    @Test
    void earlyAnswerIsTheOnlyOne() {
        CompletableFuture<HeartbeatResponseData> result = new CompletableFuture<>();
        HeartbeatResponseData early = new HeartbeatResponseData().setErrorCode((short) 27);
        Answer.message(request, Answer.orEarly(request, result, () -> early));
        Runnable hurry = (Runnable) answers.remove(0);

        hurry.run();
        result.complete(new HeartbeatResponseData());

        assertThat(answers).containsExactly(early);
    }

    @Test
    void answerThatIsThereIsNotGivenEarly() {
        HeartbeatResponseData message = new HeartbeatResponseData();
        Answer.message(
                request,
                Answer.orEarly(request, CompletableFuture.completedFuture(message), HeartbeatResponseData::new));

        assertThat(answers).containsExactly(message);
    }
}
