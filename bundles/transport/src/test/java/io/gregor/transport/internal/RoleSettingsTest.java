package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.testing.FakeNodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class RoleSettingsTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void eachPartIsToldItsOwnKeysOnly() {
        RoleSettings settings = new RoleSettings(List.of(new Part("a"), new Part("b"), new Part("c")));

        CompletableFuture<String> after = settings.prepare(change("a", "c")).commit();

        assertThat(seen).containsExactly("prepare [a]", "prepare [c]", "commit a", "commit c");
        assertThat(after).isCompletedWithValue("a=done c=done");
        assertThat(settings.owns("b")).isTrue();
        assertThat(settings.owns("d")).isFalse();
    }

    @Test
    void nothingIsLeftBehindWhenALaterPartRefuses() {
        RoleSettings settings = new RoleSettings(List.of(new Part("a"), new Part("refused")));

        assertThatThrownBy(() -> settings.prepare(change("a", "refused"))).isInstanceOf(ConfigException.class);

        assertThat(seen).containsExactly("prepare [a]", "prepare [refused]", "undo a");
    }

    @Test
    void theOthersAreUndoneWhenTheFirstCannotBeSwitchedOn() {
        RoleSettings settings = new RoleSettings(List.of(new Part("failing"), new Part("b")));
        PreparedChange prepared = settings.prepare(change("failing", "b"));

        assertThatThrownBy(prepared::commit).hasMessage("failed");

        assertThat(seen).containsExactly("prepare [failing]", "prepare [b]", "commit failing", "undo b");
    }

    private static ConfigChange change(String... keys) {
        return new ConfigChange(FakeNodeConfig.of(), FakeNodeConfig.of(), Set.of(keys), false);
    }

    private final class Part implements LiveSettings {
        private final String key;

        Part(String key) {
            this.key = key;
        }

        @Override
        public boolean owns(String asked) {
            return asked.equals(key);
        }

        @Override
        public PreparedChange prepare(ConfigChange change) {
            seen.add("prepare " + change.keys());
            if (key.equals("refused")) {
                throw new ConfigException("refused");
            }
            return new PreparedChange() {
                @Override
                public CompletableFuture<String> commit() {
                    seen.add("commit " + key);
                    if (key.equals("failing")) {
                        throw new IllegalStateException("failed");
                    }
                    return CompletableFuture.completedFuture(key + "=done");
                }

                @Override
                public void undo() {
                    seen.add("undo " + key);
                }
            };
        }
    }
}
