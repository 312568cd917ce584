package io.gregor.internal.quota;

import java.util.List;
import org.apache.kafka.server.quota.ClientQuotaType;

/** What quotas show of themselves. A service with the property {@code role}. Shared: any thread; each call is a snapshot. */
public interface QuotaView {
    /** A connection that is held back. {@code user} is the principal's name, {@code remainingMs} 0 or more. */
    record HeldRow(ClientQuotaType type, String user, String clientId, long remainingMs) {}

    /** All that are held back, in no order. */
    List<HeldRow> held();
}
