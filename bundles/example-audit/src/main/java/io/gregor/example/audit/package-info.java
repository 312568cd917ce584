/** Writes down who moves how much, and whom quotas hold back. Counts only; records and responses stay as they are. */
@NullMarked
package io.gregor.example.audit;

import org.jspecify.annotations.NullMarked;
