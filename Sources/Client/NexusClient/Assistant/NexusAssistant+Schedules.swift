public import NexusModel

/// A question or a digest with its times, as a person gives it.
public struct ScheduleDraft: Hashable, Sendable, Encodable {
    /// The question; nil for a digest.
    public var question: String?
    /// The conversation in which the question is asked; nil for all.
    public var conversationId: String?
    /// The parts of a digest: `missed`, `due`, `decisions`; nil for a question.
    public var digest: [String]?
    /// The days, from `monday` to `sunday`.
    public var days: [String]
    /// The time of the day, such as `09:00`.
    public var time: String
    /// The IANA name of the zone.
    public var timeZone: String
    /// The language of a digest, such as `de`; nil for English.
    public var language: String?

    public init(
        question: String? = nil, conversationId: String? = nil, digest: [String]? = nil, days: [String], time: String,
        timeZone: String, language: String? = nil
    ) {
        self.question = question
        self.conversationId = conversationId
        self.digest = digest
        self.days = days
        self.time = time
        self.timeZone = timeZone
        self.language = language
    }
}

/// Questions and digests that the assistant repeats.
extension NexusAssistant {
    /// Lists the person's schedules, the oldest first.
    public func schedules() async throws(SessionError) -> ChatScheduleList {
        try await session.fetch("GET", "/v1/schedules")
    }

    /// Returns the next times and the cost of a schedule, and saves nothing.
    public func preview(_ draft: ScheduleDraft) async throws(SessionError) -> ChatSchedulePreview {
        try await session.fetch("POST", "/v1/schedules/preview", draft)
    }

    /// Saves a schedule.
    public func createSchedule(_ draft: ScheduleDraft) async throws(SessionError) -> ChatSchedule {
        try await session.fetch("POST", "/v1/schedules", draft)
    }

    /// Replaces what a schedule asks, and its times.
    public func changeSchedule(_ schedule: String, to draft: ScheduleDraft) async throws(SessionError) -> ChatSchedule {
        try await session.fetch("PATCH", Self.path(schedule), draft)
    }

    /// Pauses a schedule, or resumes it.
    public func pauseSchedule(_ schedule: String, isPaused: Bool = true) async throws(SessionError) -> ChatSchedule {
        try await session.fetch("PATCH", Self.path(schedule), PauseBody(isPaused: isPaused))
    }

    /// Deletes a schedule; what it delivered stays.
    public func deleteSchedule(_ schedule: String) async throws(SessionError) {
        try await session.change("DELETE", Self.path(schedule))
    }

    private static func path(_ schedule: String) -> String { "/v1/schedules/" + NexusSession.encoded(schedule) }
}

/// Whether a schedule is paused.
private struct PauseBody: Encodable {
    let isPaused: Bool
}
