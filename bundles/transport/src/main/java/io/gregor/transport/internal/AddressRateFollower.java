package io.gregor.transport.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.function.Consumer;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/** Takes the connection rates of addresses from the metadata. Called on the metadata loader's thread. */
public final class AddressRateFollower implements MetadataFollower {
    private final Consumer<AddressRates> target;

    /** Gives them to this. */
    public AddressRateFollower(Consumer<AddressRates> target) {
        this.target = target;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        target.accept(AddressRates.of(image.clientQuotas()));
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        if (delta.clientQuotasDelta() != null) {
            target.accept(AddressRates.of(image.clientQuotas()));
        }
    }
}
