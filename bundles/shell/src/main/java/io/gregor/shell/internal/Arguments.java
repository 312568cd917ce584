package io.gregor.shell.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The words that a command takes, in order: help shows them, and {@link Syntax} reads what was typed by them. Each is
 * {@code FORM: what it means}, with one of the forms {@code NAME}, {@code NAME...} (one or more), {@code [NAME]}, {@code
 * [NAME...]}, {@code [--flag]}, {@code [--option VALUE]} or {@code [--option VALUE]...} (may be repeated).
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Arguments {
    /** What stands between a form and its meaning. */
    String SEPARATOR = ": ";

    /** The words. */
    String[] value();
}
