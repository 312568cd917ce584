package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.ServingBundles.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/** What a plugin's handlers and filters did, of its newest bundle that is used. Shared: any thread. */
final class BundleBean extends ReadOnlyBean {
    private static final String BUNDLE_ID = "BundleId";
    private static final String IN_HAND = "InHand";

    private static final Map<String, Function<Account, Long>> FIGURES = new TreeMap<>(Map.ofEntries(
            Map.entry(BUNDLE_ID, Account::bundleId),
            Map.entry("Requests", Account::requests),
            Map.entry("Failures", Account::failures),
            Map.entry("Errors", Account::errors),
            Map.entry("BusyNs", Account::busyNs),
            Map.entry("AnswerNs", Account::answerNs),
            Map.entry("FilterCalls", Account::filterCalls),
            Map.entry("FilterFaults", Account::filterFaults),
            Map.entry("FilterNs", Account::filterNs),
            Map.entry("AllocatedBytes", Account::allocatedBytes)));

    private static final MBeanInfo INFO = info(BundleBean.class, attributes());

    private final RoleBundles bundles;
    private final String symbolicName;

    BundleBean(RoleBundles bundles, String symbolicName) {
        super(INFO);
        this.bundles = bundles;
        this.symbolicName = symbolicName;
    }

    private static List<MBeanAttributeInfo> attributes() {
        List<MBeanAttributeInfo> all = new ArrayList<>();
        FIGURES.keySet().forEach(name -> all.add(attribute(name, Long.class)));
        all.add(attribute(IN_HAND, Long.class));
        return all;
    }

    @Override
    Function<String, @Nullable Object> read() {
        Account account = bundles.accountOf(symbolicName);
        return name -> {
            Function<Account, Long> figure = FIGURES.get(name);
            if (account == null) {
                return null;
            }
            return name.equals(IN_HAND)
                    ? (Object) bundles.inHand(account.bundleId())
                    : figure == null ? null : figure.apply(account);
        };
    }
}
