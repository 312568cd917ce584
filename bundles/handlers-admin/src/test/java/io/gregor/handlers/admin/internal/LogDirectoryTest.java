package io.gregor.handlers.admin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoryTest {
    @TempDir
    Path path;

    @Test
    void tellsTheSpaceOfItsFileSystem() {
        DescribeLogDirsResult result = describe(path, true);

        assertThat(result.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(result.logDir()).isEqualTo(path.toString());
        assertThat(result.totalBytes()).isPositive();
        assertThat(result.usableBytes()).isBetween(1L, result.totalBytes());
    }

    @Test
    void tellsThatItHasFailed() {
        DescribeLogDirsResult result = describe(path, false);

        assertThat(result.errorCode()).isEqualTo(Errors.KAFKA_STORAGE_ERROR.code());
        assertThat(result.totalBytes()).isEqualTo(-1);
    }

    @Test
    void tellsThatItCannotBeRead() {
        DescribeLogDirsResult result = describe(path.resolve("gone"), true);

        assertThat(result.errorCode()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR.code());
    }

    private static DescribeLogDirsResult describe(Path path, boolean isOnline) {
        return new LogDirectory(path, any -> isOnline, List.of(), any -> Optional.empty()).describe();
    }
}
