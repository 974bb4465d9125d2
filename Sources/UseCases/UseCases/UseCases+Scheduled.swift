package import ChatCore

/// Messages that people write to be sent later.
extension UseCases {
    /// Lists a person's scheduled messages, the next one first.
    ///
    /// - Parameters:
    ///   - author: The person.
    ///   - place: The place of the last message of the page before; nil for the first page.
    ///   - limit: The most messages.
    /// - Returns: The messages.
    /// - Throws: Storage errors.
    package func scheduledMessages(
        of author: UserID, after place: ScheduledMessage.Place?, limit: Int
    ) async throws -> [ScheduledMessage] {
        try await live.scheduledMessages(of: author, after: place, limit: limit)
    }

    /// Schedules a message; the same request again changes nothing.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: As ``ScheduledMessageRepository/schedule(_:limit:at:)``.
    package func schedule(_ message: ScheduledMessage) async throws -> Bool {
        try check(message.sendAt, field: "sendAt", dayLimit: ScheduledMessage.dayLimit)
        return try await live.schedule(message, limit: ScheduledMessage.limit, at: now())
    }

    /// Changes a scheduled message; another time lets one that was refused wait again.
    ///
    /// - Parameters:
    ///   - id: The message.
    ///   - author: Its author.
    ///   - text: The new text; nil to keep it.
    ///   - time: The new time; nil to keep it.
    /// - Returns: The message as it is now.
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``, ``RepositoryError/invalid(field:reason:)``.
    package func changeScheduled(
        _ id: MessageID, of author: UserID, text: String?, sendAt time: Timestamp?
    ) async throws -> ScheduledMessage {
        // Whose message is gone learns that first.
        _ = try await live.scheduledMessage(id, of: author)
        if let time { try check(time, field: "sendAt", dayLimit: ScheduledMessage.dayLimit) }
        return try await live.changeScheduled(id, of: author, text: text, sendAt: time)
    }

    /// Deletes a scheduled message.
    ///
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``.
    package func deleteScheduled(_ id: MessageID, of author: UserID) async throws {
        try await live.deleteScheduled(id, of: author)
    }

    /// Sends a scheduled message now; unless it is stored, it stays scheduled as it was.
    ///
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``.
    package func sendScheduled(
        _ id: MessageID, of author: UserID
    ) async throws -> (message: Message, posted: PostedMessage) {
        try await live.sendScheduled(id, of: author, at: now())
    }

    /// Checks a time that a person sets.
    ///
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for a time that is over or too far away.
    func check(_ time: Timestamp, field: String, dayLimit: Int) throws {
        let moment = now()
        guard time > moment, time <= moment + .seconds(dayLimit * 86_400) else {
            throw RepositoryError.invalid(field: field, reason: "must be in the future, at most \(dayLimit) days ahead")
        }
    }
}
