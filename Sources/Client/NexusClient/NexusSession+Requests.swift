import Foundation
public import NexusModel

/// What a person does that is not queued: it fails at once if there is no connection.
extension NexusSession {
    /// Replaces the text of a message.
    public func edit(_ message: String, in conversation: String, to text: String) async throws(SessionError) {
        try await change("PATCH", path(conversation, "messages", message), ["text": text])
    }

    /// Deletes a message.
    public func delete(_ message: String, in conversation: String) async throws(SessionError) {
        try await change("DELETE", path(conversation, "messages", message))
    }

    /// Adds the person's reaction to a message, or removes it.
    public func react(
        _ emoji: String, isSet: Bool = true, to message: String, in conversation: String
    ) async throws(SessionError) {
        try await change(isSet ? "PUT" : "DELETE", path(conversation, "messages", message, "reactions", emoji))
    }

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

/// Requests.
extension NexusSession {
    /// Returns the person that a JSON Web Token names, which only the server can verify; nil for other tokens.
    public static func user(in token: String) -> String? {
        struct Claims: Decodable { let sub: String? }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Claims.self, from: $0).sub }
    }

    /// Returns the path of a conversation, or of something in it.
    func path(_ parts: String...) -> String {
        "/v1/conversations/" + parts.map { Self.encoded($0) }.joined(separator: "/")
    }

    static func encoded(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Sends a request whose reply is not of interest.
    func change(_ method: String, _ path: String, _ body: [String: String]? = nil) async throws(SessionError) {
        _ = try await reply(method, path, try body.map { value throws(SessionError) in try Self.data(value) })
    }

    /// Sends a request and reads its reply.
    func fetch<Value: Decodable>(_ method: String, _ path: String) async throws(SessionError) -> Value {
        try Self.value(try await reply(method, path, nil))
    }

    func fetch<Value: Decodable>(
        _ method: String, _ path: String, _ body: some Encodable & Sendable, timeout: Duration = .seconds(60)
    ) async throws(SessionError) -> Value {
        try Self.value(try await reply(method, path, try Self.data(body), timeout: timeout))
    }

    private static func data(_ value: some Encodable) throws(SessionError) -> Data {
        do { return try JSONEncoder().encode(value) } catch { throw .unreadable }
    }

    private static func value<Value: Decodable>(_ data: Data) throws(SessionError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: data) } catch { throw .unreadable }
    }

    /// Sends a body that is not JSON.
    func upload(_ path: String, _ body: Data, type: String) async throws(SessionError) -> UploadedFile {
        try Self.value(try await reply("POST", path, body, type: type, timeout: .seconds(300)))
    }

    /// Sends a request, again with a fresh token if the server refuses the last one.
    private func reply(
        _ method: String, _ path: String, _ body: Data?, type: String = "application/json",
        timeout: Duration = .seconds(60)
    ) async throws(SessionError) -> Data {
        var refused: String?
        for isRefresh in [false, true] {
            var headers = try await headers(refused: refused)
            if body != nil { headers["Content-Type"] = type }
            let request = ClientRequest(method, path, headers: headers, body: body, timeout: timeout)
            let response: ClientResponse
            do { response = try await transport.send(request) } catch { throw .unavailable }
            switch response.status {
            case 200...299: return response.body
            case 401 where !isRefresh && tokens != nil: refused = headers["Authorization"] ?? ""
            case 401: throw .signedOut
            default: throw Self.error(of: response)
            }
        }
        throw .signedOut
    }

    /// Returns the fields that say who asks.
    ///
    /// - Parameter refused: The `Authorization` that the server has just refused; nil for none. If another request got a
    ///   fresh token meanwhile, that one is used.
    /// - Returns: Header fields.
    /// - Throws: ``SessionError/unavailable`` if there is no token.
    func headers(refused: String?) async throws(SessionError) -> [String: String] {
        var headers: [String: String] = [:]
        headers["X-Nexus-User"] = user
        guard let tokens else { return headers }
        let isRefused = refused != nil && refused == (token.map { "Bearer \($0)" } ?? "")
        if token == nil || isRefused {
            do { token = try await tokens(isRefused) } catch { throw .unavailable }
        }
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return headers
    }

    static func error(of response: ClientResponse) -> SessionError {
        let problem = try? JSONDecoder().decode(Problem.self, from: response.body)
        return .refused(
            status: response.status, code: problem?.code ?? "", detail: problem?.detail ?? "",
            retryAfter: response.headers["retry-after"].flatMap { Int($0) })
    }
}

/// The body of an error.
private struct Problem: Decodable {
    let code: String?
    let detail: String?
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
