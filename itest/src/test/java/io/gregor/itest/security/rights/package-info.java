/** Who may do what: every API is asked by somebody without rights, and answers as Kafka's does. */
package io.gregor.itest.security.rights;
