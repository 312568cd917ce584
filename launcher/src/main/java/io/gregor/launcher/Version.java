package io.gregor.launcher;

/** What this build is, from the manifest of its jar: the implementation is Gregor's, the specification Kafka's. Immutable. */
final class Version {
    private Version() {}

    /** For example {@code Gregor 0.1.0 (Apache Kafka 4.4.0)}. */
    static String line() {
        Package here = Version.class.getPackage();
        return "Gregor " + here.getImplementationVersion() + " (Apache Kafka " + here.getSpecificationVersion() + ")";
    }
}
