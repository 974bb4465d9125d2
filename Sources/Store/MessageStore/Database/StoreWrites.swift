import Synchronization

/// Tells an observer of each transaction that wrote.
package final class StoreWrites: Sendable {
    private let observer = Mutex<(@Sendable (StoreWrite) -> Void)?>(nil)

    package init() {}

    /// Sets the observer of each transaction that wrote; it replaces an earlier one.
    package func observe(_ observer: @escaping @Sendable (StoreWrite) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    /// Tells the observer of a transaction that wrote.
    package func announce(_ write: StoreWrite) { observer.withLock { $0 }?(write) }
}
