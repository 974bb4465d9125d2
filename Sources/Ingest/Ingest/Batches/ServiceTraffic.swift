import ChatCore

/// The open requests to one service.
struct ServiceTraffic {
    private var window: RequestWindow
    private var sentCount = 0
    /// Whether a probe is under way.
    var isProbing = false
    /// The time until which the service asked for a pause.
    private(set) var resumesAt: ContinuousClock.Instant?

    init(maximum: Int) {
        window = RequestWindow(maximum: maximum)
    }

    /// Identifies the requests that are sent now; see ``RequestWindow/epoch``.
    var epoch: Int { window.epoch }
    /// Whether nothing is under way.
    var isIdle: Bool { sentCount == 0 && !isProbing }

    /// Whether a request may be sent; new messages get one request more than the backlog.
    func admits(isBacklog: Bool, at moment: ContinuousClock.Instant) -> Bool {
        if let resumesAt, resumesAt > moment { return false }
        return sentCount < window.limit + (isBacklog ? 0 : 1)
    }

    mutating func countSent() {
        sentCount += 1
    }

    /// Notes that a request was not sent after all.
    mutating func countUnsent() {
        sentCount -= 1
    }

    /// Notes an answer.
    ///
    /// - Parameters:
    ///   - failure: Why the service has failed; nil when it works.
    ///   - epoch: The value of ``epoch`` when the request was sent.
    ///   - moment: The present instant.
    /// - Returns: The failure if it means that the service is down; a busy service first gets a pause.
    mutating func recordAnswer(
        _ failure: ModelServiceError?, sentIn epoch: Int, at moment: ContinuousClock.Instant
    ) -> ModelServiceError? {
        sentCount -= 1
        guard let failure else {
            window.recordSuccess()
            return nil
        }
        if case .slow = failure {
            window.recordSlow(sentIn: epoch)
            resumesAt = moment + window.pause
            return nil
        }
        guard case .busy(let wish) = failure else { return failure }
        guard let isBearable = window.recordBusy(sentIn: epoch) else { return nil }
        guard isBearable, wish ?? .zero <= .seconds(20) else { return failure }
        resumesAt = moment + (wish ?? window.pause)  // bounded: 20 seconds
        return nil
    }

    /// Notes that the service is back; earlier slowdowns no longer count.
    mutating func open() {
        window.open()
        resumesAt = nil
    }
}
