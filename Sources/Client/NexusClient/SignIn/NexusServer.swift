public import Foundation
public import NexusModel

/// A server as this device uses it: where it is, and where a person's messages and credentials are kept.
public struct NexusServer: Sendable {
    /// The address, such as `https://chat.example.com`.
    public let address: String
    let transport: any ClientTransport
    let device: String
    let folder: URL?
    let credentials: any CredentialStore
    let timing: SessionTiming

    /// - Parameters:
    ///   - address: The address of the server, also that of the transport.
    ///   - transport: Carries requests to it.
    ///   - device: The id of this device, which the app makes once and keeps.
    ///   - folder: A folder that exists, for the messages of each person; nil keeps them in memory.
    ///   - credentials: Keeps who is signed in.
    ///   - timing: Time and chance.
    public init(
        _ address: String, over transport: any ClientTransport, device: String, folder: URL?,
        credentials: any CredentialStore, timing: SessionTiming = .system
    ) {
        self.address = MessageStore.trimmed(address)
        self.transport = transport
        self.device = device
        self.folder = folder
        self.credentials = credentials
        self.timing = timing
    }

    /// Asks how people sign in here.
    public func signInMethods() async throws(SessionError) -> SignInMethods {
        try NexusSession.value(try await call("GET", "/v1/session/methods").body)
    }

    /// Makes the session of a person who is signed in.
    func session(user: String, tokens: any TokenProvider) -> NexusSession {
        let store = folder.map { MessageStore(in: $0, server: address, user: user) } ?? MessageStore()
        return NexusSession(
            transport: transport, user: user, device: device, tokens: tokens, store: store, timing: timing)
    }

    /// Keeps credentials.
    func keep(_ credentials: Credentials?) throws(SessionError) {
        do { try self.credentials.keep(credentials, for: address) } catch { throw .storage(.failed) }
    }

    func keptCredentials() throws(SessionError) -> Credentials? {
        do { return try credentials.credentials(for: address) } catch { throw .storage(.failed) }
    }

    /// Sends a request that needs no token; returns the response of any status.
    func send(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:],
        timeout: Duration = .seconds(60)
    ) async throws(SessionError) -> ClientResponse {
        var request = ClientRequest(method, path, headers: headers, body: body, timeout: timeout)
        if body != nil { request.headers["Content-Type"] = "application/json" }
        do { return try await transport.send(request) } catch { throw .unavailable }
    }

    /// Sends a request that needs no token, and succeeds.
    func call(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:],
        timeout: Duration = .seconds(60)
    ) async throws(SessionError) -> ClientResponse {
        let response = try await send(method, path, body: body, headers: headers, timeout: timeout)
        guard (200...299).contains(response.status) else { throw NexusSession.error(of: response) }
        return response
    }
}

extension Credentials {
    static let sessionCookieName = "nexus-session"
    static let deviceCookieName = "nexus-device"

    /// The field with which a request shows them.
    var headers: [String: String] {
        let pairs = [(Self.sessionCookieName, sessionCookie), (Self.deviceCookieName, deviceCookie)]
        let text = pairs.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "; ")
        return text.isEmpty ? [:] : ["Cookie": text]
    }

    /// Takes what a response of the server renews.
    mutating func renew(from response: ClientResponse) {
        sessionCookie = response.cookie(Self.sessionCookieName) ?? sessionCookie
        deviceCookie = response.cookie(Self.deviceCookieName) ?? deviceCookie
    }
}

extension ClientResponse {
    /// Returns the value that the response gives a cookie; nil for none.
    ///
    /// Several fields of one name arrive as one, separated by commas, which the server's cookies do not contain.
    func cookie(_ name: String) -> String? {
        for field in (headers["set-cookie"] ?? "").split(separator: ",") {
            let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces) == name else { continue }
            return pair[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }
}
