import Foundation
import NexusModel

/// What this library has no function for.
extension NexusSession {
    /// Sends a request of the API and reads its reply, with the session's tokens and errors.
    ///
    /// A request that the server refuses with 401 is sent again with a fresh token. Nothing else is repeated.
    ///
    /// - Parameters:
    ///   - method: The method, such as `PUT`.
    ///   - path: The parts of the path after `/v1/`, such as `["conversations", id, "members"]`; they are encoded.
    ///   - query: The parameters that have values.
    ///   - body: What is sent, as JSON; nil for nothing.
    ///   - timeout: How long the connection may be silent.
    /// - Returns: The reply.
    /// - Throws: ``SessionError``; ``SessionError/unreadable`` if the reply is something else.
    public func request<Reply: Decodable>(
        _ method: String, _ path: [String], query: KeyValuePairs<String, String?> = [:],
        body: (any Encodable & Sendable)? = nil, timeout: Duration = .seconds(60)
    ) async throws(SessionError) -> Reply {
        try Self.value(try await send(method, path, query, body, timeout))
    }

    /// Sends a request of the API whose reply is not of interest; see the other function of this name.
    public func request(
        _ method: String, _ path: [String], query: KeyValuePairs<String, String?> = [:],
        body: (any Encodable & Sendable)? = nil, timeout: Duration = .seconds(60)
    ) async throws(SessionError) {
        _ = try await send(method, path, query, body, timeout)
    }

    private func send(
        _ method: String, _ path: [String], _ query: KeyValuePairs<String, String?>,
        _ body: (any Encodable & Sendable)?, _ timeout: Duration
    ) async throws(SessionError) -> Data {
        let target = "/v1/" + path.map { Self.encoded($0) }.joined(separator: "/") + Self.query(query)
        let data = try body.map { body throws(SessionError) in try Self.data(body) }
        return try await reply(method, target, data, timeout: timeout)
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
    func change(_ method: String, _ path: String) async throws(SessionError) {
        _ = try await reply(method, path, nil)
    }

    func change(_ method: String, _ path: String, _ body: some Encodable & Sendable) async throws(SessionError) {
        _ = try await reply(method, path, try Self.data(body))
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

    static func data(_ value: some Encodable) throws(SessionError) -> Data {
        do { return try JSONEncoder().encode(value) } catch { throw .unreadable }
    }

    static func value<Value: Decodable>(_ data: Data) throws(SessionError) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: data) } catch { throw .unreadable }
    }

    /// Sends a body that is not JSON.
    func upload(_ path: String, _ body: Data, type: String) async throws(SessionError) -> UploadedFile {
        try Self.value(try await reply("POST", path, body, type: type, timeout: .seconds(300)))
    }

    private func reply(
        _ method: String, _ path: String, _ body: Data?, type: String = "application/json",
        timeout: Duration = .seconds(60)
    ) async throws(SessionError) -> Data {
        var request = ClientRequest(method, path, body: body, timeout: timeout)
        if body != nil { request.headers["Content-Type"] = type }
        return try await response(to: request) { [transport] request in try await transport.send(request) }.body
    }

    /// Sends a request, again with a fresh token if the server refuses the last one.
    ///
    /// - Parameters:
    ///   - request: The request, without the fields that say who asks.
    ///   - send: Sends it.
    /// - Returns: The response, of a status that says that the request succeeded.
    /// - Throws: ``SessionError``.
    func response(
        to request: ClientRequest, _ send: @Sendable (ClientRequest) async throws -> ClientResponse
    ) async throws(SessionError) -> ClientResponse {
        var refused: String?
        while true {
            let identity = try await headers(refused: refused)
            var next = request
            next.headers.merge(identity) { own, _ in own }
            let response: ClientResponse
            do { response = try await send(next) } catch { throw .unavailable }
            switch response.status {
            case 200...299: return response
            case 401 where refused == nil && tokens != nil: refused = Self.token(in: identity)
            default: throw Self.error(of: response)
            }
        }
    }

    /// Returns the fields that say who asks.
    ///
    /// - Parameter refused: The token that the server has just refused; nil for none. If another request got a fresh
    ///   token meanwhile, that one is used.
    /// - Returns: Header fields.
    /// - Throws: ``SessionError/unavailable`` if there is no token now, ``SessionError/signedOut(_:)`` if there will be
    ///   none.
    func headers(refused: String?) async throws(SessionError) -> [String: String] {
        guard !isEnding else { throw .signedOut(.person) }
        var headers: [String: String] = [:]
        headers["X-Nexus-User"] = user
        if let tokens { headers["Authorization"] = "Bearer \(try await token(of: tokens, replacing: refused))" }
        return headers
    }

    /// Returns the token in the fields that say who asks; an empty text if there is none.
    static func token(in headers: [String: String]) -> String {
        String((headers["Authorization"] ?? "").dropFirst("Bearer ".count))
    }

    private func token(of tokens: any TokenProvider, replacing refused: String?) async throws(SessionError) -> String {
        if let token, token != refused { return token }
        guard await tokenGate.enter() else { throw .unavailable }
        let result: Result<String, TokenError>
        if let token, token != refused {
            // Another request got it meanwhile.
            result = .success(token)
        } else {
            do throws(TokenError) {
                result = .success(try await tokens.token(replacing: refused))
            } catch {
                result = .failure(error)
            }
        }
        if case .success(let fresh) = result, !isEnding { token = fresh }
        await tokenGate.leave()
        switch result {
        case .success(let token): return token
        case .failure(.signedOut(let reason)): throw .signedOut(reason)
        case .failure(.unavailable): throw .unavailable
        }
    }

    static func error(of response: ClientResponse) -> SessionError {
        let problem = Problem(response)
        let code = problem.code ?? ""
        // A wrong password ends no session.
        if response.status == 401, code != "sign_in_failed" {
            return .signedOut(code.isEmpty ? .tokenRefused : SignOutReason(rawValue: code))
        }
        let isDisabled = response.status == 403 && code == SignOutReason.accountDisabled.rawValue
        if isDisabled { return .signedOut(.accountDisabled) }
        return .refused(
            status: response.status, code: code, detail: problem.detail ?? "",
            retryAfter: response.headers["retry-after"].flatMap { Int($0) })
    }
}

/// The body of an error, as far as it can be read.
struct Problem: Decodable {
    let code: String?
    let detail: String?

    init(_ response: ClientResponse) {
        let read = try? JSONDecoder().decode(Problem.self, from: response.body)
        (code, detail) = (read?.code, read?.detail)
    }
}
