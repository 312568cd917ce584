package io.gregor.handlers.transactions.internal;

import org.apache.kafka.common.protocol.Errors;

/** PRODUCER_FENCED as clients know it: those of before KIP-588 take INVALID_PRODUCER_EPOCH for it. Immutable. */
public final class Fenced {
    private Fenced() {}

    /** The error for a version of an API whose clients know PRODUCER_FENCED from another version on. */
    public static Errors since(int firstVersion, short version, Errors error) {
        return error == Errors.PRODUCER_FENCED && version < firstVersion ? Errors.INVALID_PRODUCER_EPOCH : error;
    }
}
