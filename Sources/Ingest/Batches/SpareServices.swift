import ChatCore
import Synchronization

/// The services that only generations on standby use: while one of them does not work, searches and the next generation
/// go on, so it is no trouble of the worker's.
final class SpareServices: Sendable {
    private let services = Mutex<Set<ModelServiceName>>([])

    /// Takes note of the generations that are kept up to date.
    func renew(for generations: [EmbeddingGeneration]) {
        let spare = Set(generations.filter { $0.state == .standby }.map(\.service))
        let needed = Set(generations.filter { $0.state != .standby }.map(\.service))
        services.withLock { $0 = spare.subtracting(needed) }
    }

    /// Whether nothing but generations on standby needs a service.
    func contains(_ service: ModelServiceName) -> Bool { services.withLock { $0.contains(service) } }
}
