import Synchronization

/// Tells an observer of each transaction that wrote.
package final class StoreWrites: Sendable {
    /// A closure that is the value of a `Mutex` itself is wrapped once more each time that it is read, with Swift 6.3: the
    /// millionth call would pass through a million closures.
    private struct Observer {
        let tell: @Sendable (StoreWrite) -> Void
    }

    private let observer = Mutex<Observer?>(nil)

    package init() {}

    /// Sets the observer of each transaction that wrote; it replaces an earlier one.
    package func observe(_ tell: @escaping @Sendable (StoreWrite) -> Void) {
        observer.withLock { $0 = Observer(tell: tell) }
    }

    /// Tells the observer of a transaction that wrote.
    package func announce(_ write: StoreWrite) { observer.withLock { $0 }?.tell(write) }
}
