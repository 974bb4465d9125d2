public import NexusModel

/// Pages of a conversation that are not next to the known messages; they are not part of ``NexusSession/state``.
extension NexusSession {
    /// The messages of a page.
    private static let windowSize = 50

    /// Returns the messages around one message.
    public func window(
        around message: String, in conversation: String
    ) async throws(SessionError) -> MessageWindow {
        try await window(conversation, ["around": message])
    }

    /// Returns the messages before one message.
    public func window(
        before message: String, in conversation: String
    ) async throws(SessionError) -> MessageWindow {
        try await window(conversation, ["before": message])
    }

    /// Returns the messages after one message.
    public func window(
        after message: String, in conversation: String
    ) async throws(SessionError) -> MessageWindow {
        try await window(conversation, ["after": message])
    }

    private func window(
        _ conversation: String, _ start: KeyValuePairs<String, String?>
    ) async throws(SessionError) -> MessageWindow {
        let query = Self.query(start) + "&limit=\(Self.windowSize)"
        return try await fetch("GET", Self.path(conversation, "messages") + query)
    }
}
