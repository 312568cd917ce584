package io.gregor.internal.dispatch;

import org.apache.kafka.common.requests.ApiVersionsResponse;

/**
 * Answers ApiVersions for connections that are not authenticated yet, whose requests dispatch does not see. A service of the
 * handlers of ApiVersions, with the property {@code role}. Shared: any thread.
 */
public interface VersionsAnswers {
    /** The answer in a version, as dispatch would give it. */
    ApiVersionsResponse response(short version);
}
