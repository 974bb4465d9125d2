import Synchronization

/// Reports the bound port once the server listens on every address.
package final class Listening: Sendable {
    private let state: Mutex<(missing: Int, port: Int?)>
    private let report: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - count: The number of addresses.
    ///   - report: Gets the port, or 0 without one.
    package init(count: Int, report: @escaping @Sendable (Int) -> Void) {
        state = Mutex((count, nil))
        self.report = report
    }

    /// Notes that one address is bound; `port` is nil for the local socket.
    package func began(port: Int?) {
        let complete = state.withLock { state -> Int? in
            state.missing -= 1
            state.port = port ?? state.port
            return state.missing == 0 ? state.port ?? 0 : nil
        }
        if let complete { report(complete) }
    }
}
