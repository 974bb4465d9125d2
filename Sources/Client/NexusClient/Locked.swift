import Foundation

/// A value behind a lock, for short accesses; `Mutex` needs a later system than this library.
///
/// Sendable because `value` is only touched while `lock` is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Reads or changes the value; `body` must not block or call out.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
