package io.gregor.security.tls.internal;

import io.gregor.api.security.SecuredConnection;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose delegated tasks, the arithmetic of a handshake and the check of certificates, are done aside. Owned by the
 * processor thread of its connection.
 *
 * <p>Kafka's channel layer runs delegated tasks at once. Here it gets none: the handshake still needs its task until the task
 * is done and the layer is called again. The engine itself is locked by a task that runs, so nobody asks it meanwhile.
 */
final class AsideEngine extends SSLEngine {
    /** Has no renegotiation, but messages that look like one. */
    private static final String TLS_13 = "TLSv1.3";

    private static final SSLEngineResult NOTHING_DONE =
            new SSLEngineResult(SSLEngineResult.Status.OK, HandshakeStatus.NEED_TASK, 0, 0);

    private final SSLEngine engine;
    private final SecuredConnection connection;
    private volatile boolean isAside;
    private boolean mayShakeAgain = true;

    AsideEngine(SSLEngine engine, SecuredConnection connection) {
        super(engine.getPeerHost(), engine.getPeerPort());
        this.engine = engine;
        this.connection = connection;
    }

    /** Hands what is to be done to other threads. */
    @Override
    public @Nullable Runnable getDelegatedTask() {
        if (isAside) {
            return null;
        }
        Runnable task = engine.getDelegatedTask();
        if (task != null) {
            isAside = true;
            connection.aside(() -> run(task));
        }
        return null;
    }

    private void run(Runnable first) {
        for (Runnable task = first; task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        isAside = false;
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return isAside ? HandshakeStatus.NEED_TASK : engine.getHandshakeStatus();
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer source, ByteBuffer target) throws SSLException {
        return isAside ? NOTHING_DONE : noted(engine.wrap(source, target));
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) throws SSLException {
        return isAside ? NOTHING_DONE : noted(engine.wrap(sources, offset, length, target));
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer target) throws SSLException {
        return isAside ? NOTHING_DONE : received(engine.unwrap(source, target));
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) throws SSLException {
        return isAside ? NOTHING_DONE : received(engine.unwrap(source, targets, offset, length));
    }

    private SSLEngineResult noted(SSLEngineResult result) {
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            mayShakeAgain = TLS_13.equals(engine.getSession().getProtocol());
        }
        return result;
    }

    /** Kafka's channel layer refuses another handshake as well, with a line at ERROR for each that a client asks for. */
    private SSLEngineResult received(SSLEngineResult result) throws SSLException {
        boolean isQuiet = result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                || result.getHandshakeStatus() == HandshakeStatus.FINISHED;
        if (!mayShakeAgain && !isQuiet && result.getStatus() == SSLEngineResult.Status.OK) {
            throw new SSLHandshakeException("the client asks for another handshake, which is refused");
        }
        return noted(result);
    }

    @Override
    public void closeInbound() throws SSLException {
        engine.closeInbound();
    }

    @Override
    public boolean isInboundDone() {
        return engine.isInboundDone();
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
    }

    @Override
    public boolean isOutboundDone() {
        return engine.isOutboundDone();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public void setUseClientMode(boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }

    @Override
    public String getApplicationProtocol() {
        return engine.getApplicationProtocol();
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return engine.getHandshakeApplicationProtocol();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
        engine.setHandshakeApplicationProtocolSelector(selector);
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return engine.getHandshakeApplicationProtocolSelector();
    }
}
