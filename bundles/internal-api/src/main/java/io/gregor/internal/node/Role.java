package io.gregor.internal.node;

import java.util.Locale;

/** A role of {@code process.roles}; its {@link #property} tells the services and configurations of the two roles apart. */
public enum Role {
    BROKER,
    CONTROLLER;

    /** Name of the service and configuration property whose value is {@link #property}. */
    public static final String PROPERTY = "role";

    /** Returns {@code broker} or {@code controller}. */
    public String property() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the role with this {@link #property}. */
    public static Role of(String property) {
        return valueOf(property.toUpperCase(Locale.ROOT));
    }
}
