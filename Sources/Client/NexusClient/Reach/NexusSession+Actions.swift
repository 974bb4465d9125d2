import Foundation
public import NexusModel

/// What a person does with messages of the server: it is queued, as ``submit(_:of:in:)`` does it.
extension NexusSession {
    /// Replaces the text of a message.
    @discardableResult
    public func edit(
        _ message: String, in conversation: String, to text: String
    ) async throws(SessionError) -> OutgoingChange? {
        try await submit(.edit(text: text), of: .stored(message), in: conversation)
    }

    /// Deletes a message.
    @discardableResult
    public func delete(_ message: String, in conversation: String) async throws(SessionError) -> OutgoingChange? {
        try await submit(.delete, of: .stored(message), in: conversation)
    }

    /// Adds the person's reaction to a message, or removes it.
    @discardableResult
    public func react(
        _ emoji: String, isSet: Bool = true, to message: String, in conversation: String
    ) async throws(SessionError) -> OutgoingChange? {
        try await submit(.reaction(emoji: emoji, isSet: isSet), of: .stored(message), in: conversation)
    }
}

/// What a person does that is not queued: it fails at once if there is no connection.
extension NexusSession {
    /// Returns the direct conversation with a person, which is made if there is none.
    public func openDirect(with user: String) async throws(SessionError) -> String {
        let made: Made = try await fetch("POST", "/v1/direct", ["with": user])
        return made.id
    }

    /// Makes a group and returns its id.
    public func createGroup(_ name: String, members: [String]) async throws(SessionError) -> String {
        let people = (members + [state.userID].compactMap(\.self)).reduce(into: [String]()) { people, user in
            if !people.contains(user) { people.append(user) }
        }
        let made: Made = try await fetch(
            "POST", "/v1/conversations", NewGroup(name: name, members: people.map { NewGroup.Member(userId: $0) }))
        return made.id
    }

    /// Finds messages.
    public func search(_ text: String) async throws(SessionError) -> [ChatSearchResult.Found] {
        let found: ChatSearchResult = try await fetch("POST", "/v1/search", ["query": text])
        return found.results
    }

    /// Asks the assistant; it answers from all messages that the person may see.
    public func ask(_ question: String) async throws(SessionError) -> ChatAnswer {
        try await fetch("POST", "/v1/ask", ["question": question], timeout: .seconds(300))
    }
}

/// A file that was uploaded.
struct UploadedFile: Decodable {
    let id: String
}

/// A conversation that was made.
private struct Made: Decodable {
    let id: String
}

/// A group to make.
private struct NewGroup: Encodable {
    struct Member: Encodable {
        let userId: String
    }

    let name: String
    let members: [Member]
}
