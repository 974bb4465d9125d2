import ChatCore

/// What is under way with one service.
struct ServiceTraffic {
    private var window: RequestWindow
    private var sentCount = 0
    /// Whether a request finds out whether the service is back.
    var isProbing = false
    /// Until when the service wants to be left alone.
    private(set) var resumesAt: ContinuousClock.Instant?

    init(maximum: Int) {
        window = RequestWindow(maximum: maximum)
    }

    /// Stands for the requests that are sent now; see ``RequestWindow/epoch``.
    var epoch: Int { window.epoch }
    /// Whether nothing is under way.
    var isIdle: Bool { sentCount == 0 && !isProbing }

    /// Whether a request may be sent; for what people write now one more is allowed.
    func admits(isBacklog: Bool, at moment: ContinuousClock.Instant) -> Bool {
        if let resumesAt, resumesAt > moment { return false }
        return sentCount < window.limit + (isBacklog ? 0 : 1)
    }

    /// Takes note of a request.
    mutating func noteSent() {
        sentCount += 1
    }

    /// Takes note of an answer.
    ///
    /// - Parameters:
    ///   - failure: Why the service as a whole failed; nil when it works.
    ///   - epoch: The value of ``epoch`` when the request was sent.
    ///   - moment: The present instant.
    /// - Returns: The failure if it means that the service does not work at all; a busy one is given time first.
    mutating func noteAnswer(
        _ failure: ModelServiceError?, sentIn epoch: Int, at moment: ContinuousClock.Instant
    ) -> ModelServiceError? {
        sentCount -= 1
        guard let failure else {
            window.noteSuccess()
            return nil
        }
        guard case .busy(let wish) = failure else { return failure }
        guard let isBearable = window.noteBusy(sentIn: epoch) else { return nil }
        guard isBearable, wish ?? .zero <= .seconds(20) else { return failure }
        resumesAt = moment + (wish ?? window.pause)  // bounded: 20 seconds
        return nil
    }

    /// Takes note that the service is back: nothing of what slowed it down counts any more.
    mutating func open() {
        window.open()
        resumesAt = nil
    }
}
