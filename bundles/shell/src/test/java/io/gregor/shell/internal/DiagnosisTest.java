package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.dispatch.DispatchView.Figures;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
    private double requests = 60_000;
    private double handlerIdle = 0.9;
    private double networkIdle = 0.9;
    private double queueTimeMs = 1;
    private double localTimeMs = 2;
    private double sendTimeMs = 0.2;
    private double flushingThreads = 0.04;
    private double diskWait = 0.05;
    private double processorWait = 0.1;

    @Test
    void pointsToNothingWhileThreadsHaveTime() {
        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.NONE);
    }

    @Test
    void pointsToHandlerThreadsThatAreAlwaysAtWork() {
        handlerIdle = 0.02;
        queueTimeMs = 120;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.HANDLERS);
        assertThat(diagnosis().advice())
                .isEqualTo(
                        "num.io.threads: the handler threads, now 8, are at work 98 % of the time: handlers:threads 16");
    }

    @Test
    void doesNotTakeProcessorsThatBlockOnAFullChannelForTheCause() {
        handlerIdle = 0.02;
        networkIdle = 0.01;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.HANDLERS);
    }

    @Test
    void pointsToNetworkThreadsThatLeaveHandlersIdle() {
        networkIdle = 0.04;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.NETWORK);
        assertThat(diagnosis().advice()).contains("num.network.threads").endsWith("processors:set 6");
    }

    @Test
    void pointsToTheDiskWhenFlushesAreWhatKeepsHandlersBusy() {
        handlerIdle = 0.05;
        flushingThreads = 6;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.DISK);
        assertThat(diagnosis().advice())
                .contains("6.0 threads are in a flush all the time, which takes up to 38 ms", "log.dirs");
    }

    @Test
    void pointsToTheDiskWhenHandlersWaitForAPartitionThatIsFlushed() {
        handlerIdle = 0.05;
        flushingThreads = 0.95;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.DISK);
    }

    @Test
    void pointsToTheDiskWhenTheMachineWaitsForIt() {
        localTimeMs = 300;
        diskWait = 0.7;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.DISK);
        assertThat(diagnosis().advice()).contains("waited for it 70 % of the last minute");
    }

    @Test
    void tellsSlowHandlersFromASlowDisk() {
        handlerIdle = 0.05;
        localTimeMs = 40;
        flushingThreads = 0.5;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.HANDLERS);
        assertThat(diagnosis().advice()).contains("it is not the disk: look for a slow handler");
    }

    @Test
    void doesNotTakeFlushesOfTheMetadataLogForThoseOfHandlersThatHaveTime() {
        localTimeMs = 70;
        flushingThreads = 0.5;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.NONE);
    }

    @Test
    void doesNotBlameADiskThatIsBusyWithOtherThings() {
        diskWait = 0.7;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.NONE);
    }

    @Test
    void pointsToHandlerThreadsForBurstsThatWait() {
        queueTimeMs = 80;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.HANDLERS);
        assertThat(diagnosis().advice()).contains("bursts");
    }

    @Test
    void pointsToClientsThatReadSlowly() {
        sendTimeMs = 210;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.CLIENTS);
    }

    @Test
    void doesNotPromiseMuchWhereTheMachineHasNoProcessorToSpare() {
        networkIdle = 0.04;
        processorWait = 0.8;

        assertThat(diagnosis().advice()).contains("it may help little");
    }

    @Test
    void saysNothingFromTooFewRequests() {
        requests = 99;
        handlerIdle = 0.01;

        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
        assertThat(diagnosis().advice()).contains("99 of 100");
    }

    @Test
    void saysNothingWhereNothingWasMeasured() {
        requests = Double.NaN;
        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.NONE);

        queueTimeMs = 0;
        localTimeMs = 0;
        sendTimeMs = 0;
        assertThat(diagnosis().bottleneck()).isEqualTo(Bottleneck.UNKNOWN);
    }

    @Test
    void showsFiguresInTheOrderToLookAtThem() {
        handlerIdle = 0.02;
        diskWait = Double.NaN;

        assertThat(TuningTable.draw(new TreeMap<>(Map.of("broker", readings())))
                        .lines()
                        .map(line -> line.replaceAll(" +", " ")))
                .startsWith(
                        "ROLE FIGURE NOW GOOD STATE",
                        "broker handler idle 0.02 >= 0.30 look",
                        "broker network idle 0.90 >= 0.30",
                        "broker queue time p99 1.00 ms < 50 ms",
                        "broker queue size 3 of 500 not full")
                .contains("broker waits for disk - < 0.40")
                .last()
                .asString()
                .startsWith("broker: num.io.threads");
    }

    private Diagnosis diagnosis() {
        return Diagnosis.of(readings());
    }

    private Readings readings() {
        Figures figures = new Figures(handlerIdle, queueTimeMs, localTimeMs, 500, 0.1, sendTimeMs, 3, 500);
        return new Readings(
                requests, figures, 8, networkIdle, 3, new Machine(38, flushingThreads, diskWait, processorWait));
    }
}
