package io.gregor.itest.transactions;

import java.util.Arrays;

/**
 * One side of a transfer, as it stands in the ledger. Immutable.
 *
 * @param attempt the transaction that wrote it
 * @param transfer which of all transfers it is; both sides have it
 * @param amount what is added to the account
 */
record Leg(long attempt, long transfer, int account, long amount) {
    String text() {
        return attempt + "," + transfer + "," + account + "," + amount;
    }

    static Leg parse(String text) {
        long[] fields =
                Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
        return new Leg(fields[0], fields[1], (int) fields[2], fields[3]);
    }
}
