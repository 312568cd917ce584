package io.gregor.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.opentest4j.TestAbortedException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The service properties of a component, as the build has written them into {@code OSGI-INF}: what a node reads. Immutable.
 *
 * @param values by name; a single value is a list of one
 */
record ComponentProperties(Map<String, List<String>> values) {

    /** Those of a component class; empty if the build has not written them to where its classes are. */
    static Optional<ComponentProperties> of(Class<?> component) {
        try (InputStream in = component.getResourceAsStream("/OSGI-INF/" + component.getName() + ".xml")) {
            return in == null ? Optional.empty() : Optional.of(read(in));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } catch (SAXException | ParserConfigurationException fault) {
            throw new IllegalStateException("component cannot be read: class=" + component.getName(), fault);
        }
    }

    /** The same, for a test that has no meaning without them: it is skipped then. */
    static ComponentProperties required(Class<?> component) {
        return of(component)
                .orElseThrow(() -> new TestAbortedException(
                        "the component is not described where its classes are, see goal bnd-process: class="
                                + component.getName()));
    }

    private static ComponentProperties read(InputStream in)
            throws IOException, SAXException, ParserConfigurationException {
        NodeList found = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(in)
                .getElementsByTagName("property");
        Map<String, List<String>> values = new HashMap<>();
        for (int i = 0; i < found.getLength(); i++) {
            Element property = (Element) found.item(i);
            List<String> lines = property.hasAttribute("value")
                    ? List.of(property.getAttribute("value"))
                    : Stream.of(property.getTextContent().split("\\R"))
                            .map(String::strip)
                            .filter(line -> !line.isEmpty())
                            .toList();
            values.put(property.getAttribute("name"), lines);
        }
        return new ComponentProperties(values);
    }

    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    List<Integer> numbers(String name) {
        return all(name).stream().map(Integer::valueOf).toList();
    }

    long number(String name, long other) {
        return all(name).isEmpty() ? other : Long.parseLong(all(name).get(0));
    }
}
