/// How many requests a service gets at once: one more after a run of successes, half as many when it is too busy.
package struct RequestWindow {
    /// How often in a row a service may be too busy before it counts as one that does not work.
    private static let busyLimit = 8

    private let maximum: Int
    /// How many requests are allowed at once.
    package private(set) var limit: Int
    /// Counts the reductions: an answer to a request from before the last one says nothing new.
    package private(set) var epoch = 0
    private var successCount = 0
    private var busyCount = 0

    package init(maximum: Int) {
        self.maximum = maximum
        limit = maximum
    }

    /// Takes note of an answer; as many as are allowed at once make room for one more.
    package mutating func noteSuccess() {
        busyCount = 0
        guard limit < maximum else { return }
        successCount += 1
        guard successCount >= limit else { return }
        limit += 1
        successCount = 0
    }

    /// Takes note that the service was too busy.
    ///
    /// - Parameter epoch: The value of ``epoch`` when the request was sent.
    /// - Returns: Whether that is news: nil for an answer from before the last reduction; false when it has gone on for so
    ///   long that the service counts as one that does not work.
    package mutating func noteBusy(sentIn epoch: Int) -> Bool? {
        guard epoch == self.epoch else { return nil }
        self.epoch += 1
        limit = max(1, limit / 2)
        successCount = 0
        busyCount += 1
        return busyCount < Self.busyLimit
    }

    /// How long to leave the service alone that does not say it itself.
    package var pause: Duration { .milliseconds(250) * (1 << min(busyCount, 6)) }

    /// Allows everything again: the service is back.
    package mutating func open() {
        self = RequestWindow(maximum: maximum)
    }
}
