package io.gregor.shell;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * The service properties that make a component's methods commands: {@code osgi.command.scope}, {@code
 * osgi.command.function} and, for the overview, {@code osgi.command.example}.
 */
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface ShellScope {
    String PREFIX_ = "osgi.command.";

    /** What stands before the colon. */
    String scope();

    /** The methods that are commands. */
    String[] function();

    /** One example for each function, in the same order. */
    String[] example();
}
