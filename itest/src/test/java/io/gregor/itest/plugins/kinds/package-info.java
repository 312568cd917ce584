/** What a plugin may be besides handlers and filters: packed by tests into jars, and run in the node. */
package io.gregor.itest.plugins.kinds;
