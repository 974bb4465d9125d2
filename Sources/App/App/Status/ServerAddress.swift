import Synchronization

/// The address of this process's server, once it listens.
final class ServerAddress: Sendable {
    private let known = Mutex<String?>(nil)

    /// The address as a client writes it; nil if no server listens.
    var text: String? { known.withLock { $0 } }

    /// Sets the address.
    func set(_ text: String) { known.withLock { $0 = text } }
}
