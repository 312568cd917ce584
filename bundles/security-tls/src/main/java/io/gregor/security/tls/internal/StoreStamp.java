package io.gregor.security.tls.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What shows that a file of a listener is another one: the real file behind all links, its identity, time and size. Immutable.
 *
 * @param files a text for each store that is a file
 */
record StoreStamp(List<String> files) {
    /** As the files are now. */
    static StoreStamp of(Map<String, ?> settings) {
        List<String> files = new ArrayList<>();
        for (StoreKind kind : StoreKind.values()) {
            String location = kind.location(settings);
            if (location != null) {
                files.add(stamp(location));
            }
        }
        return new StoreStamp(List.copyOf(files));
    }

    private static String stamp(String location) {
        try {
            Path real = Path.of(location).toRealPath();
            BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
            return real + " " + attributes.fileKey() + " " + attributes.lastModifiedTime() + " " + attributes.size();
        } catch (IOException | InvalidPathException e) {
            return "not there";
        }
    }
}
