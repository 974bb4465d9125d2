/// How many requests a service gets at once: one more after a run of successes, half as many if it is too busy.
package struct RequestWindow {
    /// How often in a row a service may be too busy before it counts as down.
    private static let busyLimit = 8

    private let maximum: Int
    /// How many requests are allowed at once.
    package private(set) var limit: Int
    /// Counts the reductions; an answer to a request from before the last reduction is ignored.
    package private(set) var epoch = 0
    private var successCount = 0
    private var busyCount = 0

    package init(maximum: Int) {
        self.maximum = maximum
        limit = maximum
    }

    /// Notes a success; when all allowed requests have succeeded, one more is allowed.
    package mutating func recordSuccess() {
        busyCount = 0
        guard limit < maximum else { return }
        successCount += 1
        guard successCount >= limit else { return }
        limit += 1
        successCount = 0
    }

    /// Notes that the service was too busy.
    ///
    /// - Parameter epoch: The value of ``epoch`` when the request was sent.
    /// - Returns: Nil for an answer from before the last reduction; true for news; false when it has lasted so long
    ///   that the service counts as down.
    package mutating func recordBusy(sentIn epoch: Int) -> Bool? {
        guard epoch == self.epoch else { return nil }
        self.epoch += 1
        limit = max(1, limit / 2)
        successCount = 0
        busyCount += 1
        return busyCount < Self.busyLimit
    }

    /// Notes that the service was too slow: it gets fewer requests at once, and never counts as down for that.
    package mutating func recordSlow(sentIn epoch: Int) {
        guard epoch == self.epoch else { return }
        self.epoch += 1
        limit = max(1, limit / 2)
        successCount = 0
    }

    /// The pause for a busy service that does not name one itself.
    package var pause: Duration { .milliseconds(250) * (1 << min(busyCount, 6)) }

    /// Allows all requests again because the service is back.
    package mutating func open() {
        self = RequestWindow(maximum: maximum)
    }
}
