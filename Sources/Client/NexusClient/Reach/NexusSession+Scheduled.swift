public import Foundation
public import NexusModel

/// Messages that the person writes to be sent later; nobody else sees them before.
extension NexusSession {
    /// Lists the scheduled messages, the next one first.
    ///
    /// - Parameters:
    ///   - cursor: ``ScheduledMessageList/next`` of the page before; nil for the first page.
    ///   - limit: The most messages of the page, at most 100; nil for all.
    /// - Returns: The page.
    /// - Throws: ``SessionError``.
    public func scheduledMessages(
        after cursor: String? = nil, limit: Int? = nil
    ) async throws(SessionError) -> ScheduledMessageList {
        let query = [limit.map { "limit=\($0)" }, cursor.map { "after=" + Self.encoded($0) }].compactMap(\.self)
        return try await fetch("GET", "/v1/scheduled" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    /// Schedules a message.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - conversation: The conversation's id.
    ///   - time: When it is sent: in the future, at most 366 days ahead.
    ///   - replyTo: The message to which it replies; nil for none.
    ///   - threadRoot: The first message of its thread; nil outside of threads.
    ///   - id: The id that the message gets; the same call with the same id changes nothing. Nil for a new one.
    /// - Returns: The scheduled message.
    /// - Throws: ``SessionError``.
    @discardableResult
    public func schedule(
        _ text: String, in conversation: String, at time: Date, replyTo: String? = nil, threadRoot: String? = nil,
        id: String? = nil
    ) async throws(SessionError) -> ScheduledChatMessage {
        let body = ScheduledBody(id: id, text: text, sendAt: time, replyTo: replyTo, threadRoot: threadRoot)
        return try await fetch("POST", path(conversation, "scheduled"), body)
    }

    /// Gives a scheduled message another text or time; another time lets one that was refused wait again.
    @discardableResult
    public func changeScheduled(
        _ id: String, text: String? = nil, at time: Date? = nil
    ) async throws(SessionError) -> ScheduledChatMessage {
        try await fetch("PATCH", Self.scheduled(id), ScheduledBody(text: text, sendAt: time))
    }

    /// Sends a scheduled message now.
    public func sendScheduled(_ id: String) async throws(SessionError) {
        try await change("POST", Self.scheduled(id) + "/send")
    }

    /// Deletes a scheduled message.
    public func deleteScheduled(_ id: String) async throws(SessionError) {
        try await change("DELETE", Self.scheduled(id))
    }

    private static func scheduled(_ id: String) -> String { "/v1/scheduled/" + encoded(id) }
}

private struct ScheduledBody: Encodable {
    var id: String?
    var text: String?
    var sendAt: Date?
    var replyTo: String?
    var threadRoot: String?
}
