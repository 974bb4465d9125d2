import Synchronization

/// Tells an observer of each transaction that wrote.
final class StoreWrites: Sendable {
    private let observer = Mutex<(@Sendable (StoreWrite) -> Void)?>(nil)

    func observe(_ observer: @escaping @Sendable (StoreWrite) -> Void) { self.observer.withLock { $0 = observer } }

    func note(_ write: StoreWrite) { observer.withLock { $0 }?(write) }
}
