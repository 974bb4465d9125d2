import ChatCore

extension PushProgress {
    /// The progress after a notification was taken by the service.
    func sent(_ number: Int64) -> PushProgress { PushProgress(number: number) }

    /// The progress after a notification was skipped or given up; a pause remains.
    func passed(_ number: Int64) -> PushProgress {
        PushProgress(number: number, failureCount: failureCount, pausedUntil: pausedUntil)
    }

    /// The progress after a failure: a pause, and the notification again or, after too long, given up.
    ///
    /// - Parameters:
    ///   - number: The notification.
    ///   - asked: The pause that the service asked for.
    ///   - rules: The pauses.
    ///   - start: When this attempt began.
    ///   - now: The present time.
    /// - Returns: The progress; its number is the notification's if it was given up.
    func failed(
        _ number: Int64, asked: Duration?, _ rules: PushBackoff, startedAt start: Timestamp, at now: Timestamp
    ) -> PushProgress {
        let count = failureCount.addingReportingOverflow(1).partialValue
        let first = triedSince ?? start
        if let pause = rules.pause(afterFailures: count, asked: asked, age: max(.zero, now - first)) {
            return PushProgress(
                number: self.number, failureCount: count, triedSince: first, pausedUntil: now + pause)
        }
        return PushProgress(number: number, failureCount: count, pausedUntil: now + max(rules.longest, asked ?? .zero))
    }
}
