package import Assistant
package import ChatCore

/// The store of schedules, and what bounds them.
package struct Scheduling: Sendable {
    let store: any ScheduleRepository
    /// The most schedules of a person.
    package let limit: Int
    /// Returns what an answer would cost; nil without a language model.
    let cost: @Sendable (AskRequest) async throws -> AnswerEstimate?

    package init(
        store: any ScheduleRepository, limit: Int,
        cost: @escaping @Sendable (AskRequest) async throws -> AnswerEstimate?
    ) {
        (self.store, self.limit, self.cost) = (store, limit, cost)
    }
}

/// Why a schedule is refused.
package enum ScheduleError: Error, Equatable, Sendable {
    /// The person has as many as allowed.
    case full(limit: Int)
}

/// The content of a new or changed schedule, as a person gives it.
package struct ScheduleDraft: Hashable, Sendable {
    package var content: Schedule.Content
    package var times: ScheduleTimes
    package var language: String

    package init(content: Schedule.Content, times: ScheduleTimes, language: String = "en") {
        (self.content, self.times, self.language) = (content, times, language)
    }
}

/// What a schedule would do.
package struct SchedulePreview: Hashable, Sendable {
    /// The next times.
    package let next: [Timestamp]
    /// What one run costs at present; nil if no language model is asked.
    package let cost: AnswerEstimate?
}

/// The schedules of a person, with the conversation to which they deliver.
package struct ScheduleList: Hashable, Sendable {
    package let schedules: [Schedule]
    /// The conversation with the assistant; nil before the first delivery.
    package let conversationID: ConversationID?
    /// The most schedules of a person.
    package let limit: Int
}

/// Questions and digests that the assistant repeats.
extension UseCases {
    /// How many times a preview shows.
    private static let previewCount = 3

    /// Lists a person's schedules, the oldest first.
    package func schedules(of asker: UserID) async throws -> ScheduleList {
        guard let scheduling else { return ScheduleList(schedules: [], conversationID: nil, limit: 0) }
        return ScheduleList(
            schedules: try await scheduling.store.schedules(of: asker),
            conversationID: try await scheduling.store.assistantConversation(of: asker), limit: scheduling.limit)
    }

    /// Returns the next times of a schedule, and what a run would cost; nothing is stored.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/invalid(field:reason:)``, ``LimitError``.
    package func preview(_ draft: ScheduleDraft, of asker: UserID) async throws -> SchedulePreview {
        let draft = try await checked(draft, of: asker)
        var next: [Timestamp] = []
        while next.count < Self.previewCount, let time = draft.times.next(after: next.last ?? now()) {
            next.append(time)
        }
        guard let scheduling, let request = draft.request(of: asker) else {
            return SchedulePreview(next: next, cost: nil)
        }
        let cost = try await questions.withPlace(for: asker.rawValue) { try await scheduling.cost(request) }
        return SchedulePreview(next: next, cost: cost)
    }

    /// Saves a schedule.
    ///
    /// - Throws: ``ScheduleError``, ``RepositoryError/noSuchConversation(_:)``,
    ///   ``RepositoryError/invalid(field:reason:)``.
    package func createSchedule(_ draft: ScheduleDraft, of asker: UserID) async throws -> Schedule {
        let draft = try await checked(draft, of: asker)
        let moment = now()
        let schedule = Schedule(
            id: ScheduleID(rawValue: makeID()), ownerID: asker, content: draft.content, times: draft.times,
            language: draft.language, next: draft.times.next(after: moment), createdAt: moment)
        guard let scheduling, try await scheduling.store.create(schedule, limit: scheduling.limit) else {
            throw ScheduleError.full(limit: scheduling?.limit ?? 0)
        }
        return schedule
    }

    /// Changes a schedule of a person, also one that was paused.
    ///
    /// - Parameters:
    ///   - id: The schedule.
    ///   - asker: Its owner.
    ///   - isPaused: Whether it is paused afterwards; nil to leave that as it is.
    ///   - edit: Returns the new content for the present one.
    /// - Returns: The schedule as it is now.
    /// - Throws: ``RepositoryError/noSuchSchedule(_:)``; as ``createSchedule(_:of:)``; errors of `edit`.
    package func changeSchedule(
        _ id: ScheduleID, of asker: UserID, isPaused: Bool?, _ edit: (ScheduleDraft) throws -> ScheduleDraft
    ) async throws -> Schedule {
        guard let scheduling else { throw RepositoryError.noSuchSchedule(id) }
        var schedule = try await scheduling.store.schedule(id, of: asker)
        let before = ScheduleDraft(content: schedule.content, times: schedule.times, language: schedule.language)
        var draft = try edit(before)
        if isPaused != true { draft = try await checked(draft, of: asker) }
        (schedule.content, schedule.times, schedule.language) = (draft.content, draft.times, draft.language)
        if let isPaused { schedule.pause = isPaused ? schedule.pause ?? .byPerson : nil }
        schedule.next = schedule.pause == nil ? schedule.times.next(after: now()) : nil
        try await scheduling.store.change(schedule)
        return schedule
    }

    /// Deletes a schedule of a person; what it delivered stays.
    ///
    /// - Throws: ``RepositoryError/noSuchSchedule(_:)``.
    package func deleteSchedule(_ id: ScheduleID, of asker: UserID) async throws {
        guard let scheduling else { throw RepositoryError.noSuchSchedule(id) }
        try await scheduling.store.deleteSchedule(id, of: asker)
    }

    /// Checks what a person gives; returns it with the question as it is asked.
    private func checked(_ draft: ScheduleDraft, of asker: UserID) async throws -> ScheduleDraft {
        var draft = draft
        guard case .question(let text, let conversation) = draft.content else { return draft }
        let question = text.trimmingWhitespace()
        if let fault = TextLimit.question.fault(of: question, mayBeEmpty: false) {
            throw RepositoryError.invalid(field: "question", reason: fault)
        }
        if let conversation {
            let seen = try await store.permitted(
                SearchScope(asker: asker, conversations: .only([conversation])), at: now())
            guard !seen.isEmpty else { throw RepositoryError.noSuchConversation(conversation) }
        }
        draft.content = .question(question, conversation)
        return draft
    }
}

extension ScheduleDraft {
    /// The question as it is asked now; nil for a digest, which asks no language model.
    fileprivate func request(of asker: UserID) -> AskRequest? {
        guard case .question(let question, let conversation) = content else { return nil }
        return ScheduledQuestion(question, in: conversation, times: times, asker: asker).request
    }
}
