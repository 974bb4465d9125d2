import ChatCore
import ServiceLifecycle

/// Probes the language and the reranking model while they are known not to work.
struct ModelProber: Service {
    let probe: ServiceProbe

    func run() async throws {
        await cancelWhenGracefulShutdown { await probe.run() }
    }
}
