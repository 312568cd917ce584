package io.gregor.dispatch.internal;

import org.osgi.framework.Bundle;

/**
 * What the filters of one bundle did since it came. Immutable.
 *
 * @param bundle whose filters
 * @param calls how often they were called
 * @param faults of those, how many were faults
 * @param ns how long they took, in nanoseconds
 * @param allocatedBytes what they allocated
 */
record FilterAccount(Bundle bundle, long calls, long faults, long ns, long allocatedBytes) {}
