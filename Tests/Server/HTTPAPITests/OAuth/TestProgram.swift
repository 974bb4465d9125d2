import ChatCore
import Crypto
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport
import WebPage

/// A program that gets tokens for `/mcp`, step by step, as the programs of others do.
struct TestProgram {
    typealias Headers = [(name: String, value: String)]

    static let password = "correct horse"
    let server: RunningServer
    var redirect = "http://localhost:7777/callback"
    var verifier = String(repeating: "v", count: 64)
    var id = ""

    /// What the server gives for a code or a refresh token.
    struct Tokens: Decodable {
        let accessToken: String
        let refreshToken: String
        let expiresIn: Int
        let scope: String
        let tokenType: String

        var bearer: Headers { [("Authorization", "Bearer \(accessToken)")] }
    }

    /// A server on which people sign in, with a page.
    static func parts(_ clock: ManualNow) -> ServerParts {
        var parts = ServerParts(AuthenticationSettings())
        parts.now = clock.now
        parts.page = WebPage()
        return parts
    }

    /// Makes an account and signs its person in.
    static func join(_ server: RunningServer, _ user: String = "ada") async throws -> Headers {
        let admin = try await server.key(.admin)
        let invited = try await server.send("POST", "/v1/accounts", #"{"userId":"\#(user)"}"#, headers: admin)
        let code = try #require(invited.field("link")?.split(separator: "/").last)
        let reply = try await server.send("POST", "/v1/invitations/\(code)", #"{"password":"\#(password)"}"#)
        return [("Authorization", "Bearer \(reply.field("accessToken") ?? "")")]
    }

    /// A program that has registered itself.
    static func registered(
        _ server: RunningServer, name: String = "Helper", redirect: String = "http://localhost:7777/callback"
    ) async throws -> TestProgram {
        var program = TestProgram(server: server, redirect: redirect)
        let reply = try await program.register(#"{"client_name":"\#(name)","redirect_uris":["\#(redirect)"]}"#)
        #expect(reply.status == 201, "\(reply.text)")
        program.id = try #require(reply.field("client_id"))
        return program
    }

    func register(_ body: String) async throws -> Reply { try await server.send("POST", "/register", body) }

    var origin: String { "http://127.0.0.1:\(server.port)" }

    /// The query with which the program sends a browser to the server.
    func query(_ changes: [String: String?] = [:]) -> String {
        let challenge = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        let fields: [String: String?] = [
            "response_type": "code", "client_id": id, "redirect_uri": redirect, "state": "s t&=",
            "code_challenge": challenge, "code_challenge_method": "S256", "resource": origin + "/mcp",
        ]
        return Self.form(fields.merging(changes) { $1 }.compactMapValues { $0 })
    }

    static func form(_ fields: [String: String]) -> String {
        fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Says what the person decides; nil asks only what the program wants.
    func decide(
        _ decision: String?, by person: Headers, _ changes: [String: String?] = [:], headers: Headers = []
    ) async throws -> Reply {
        let said = decision.map { #","consent":"\#($0)""# } ?? ""
        return try await server.send(
            "POST", "/authorize", #"{"request":"\#(query(changes))"\#(said)}"#, headers: person + headers)
    }

    /// The parameters with which the browser returns.
    static func returned(_ reply: Reply) throws -> [String: String] {
        let address = try #require(reply.field("redirectTo").flatMap { URLComponents(string: $0) }, "\(reply.text)")
        return (address.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value }
    }

    /// The code that a person who allows everything gives.
    func code(from person: Headers, _ changes: [String: String?] = [:]) async throws -> String {
        let reply = try await decide("allow", by: person, changes)
        return try #require(try Self.returned(reply)["code"], "\(reply.text)")
    }

    func exchange(_ code: String, _ changes: [String: String?] = [:]) async throws -> Reply {
        let fields: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "client_id": id,
            "code_verifier": verifier, "resource": origin + "/mcp",
        ]
        return try await post("/token", fields.merging(changes) { $1 }.compactMapValues { $0 })
    }

    func refresh(_ token: String, _ changes: [String: String] = [:]) async throws -> Reply {
        let fields = ["grant_type": "refresh_token", "refresh_token": token, "client_id": id]
        return try await post("/token", fields.merging(changes) { $1 })
    }

    func post(_ path: String, _ fields: [String: String]) async throws -> Reply {
        try await server.send(
            "POST", path, Self.form(fields), headers: [("Content-Type", "application/x-www-form-urlencoded")])
    }

    static func tokens(_ reply: Reply) throws -> Tokens {
        #expect(reply.status == 200, "\(reply.text)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Tokens.self, from: Data(reply.text.utf8))
    }

    /// Connects the program to a person.
    func connect(_ person: Headers, _ changes: [String: String?] = [:]) async throws -> Tokens {
        try Self.tokens(try await exchange(code(from: person, changes)))
    }

    /// Calls a method of MCP.
    func call(
        _ token: Tokens, _ method: String = "tools/list", _ params: String = "{}", headers: Headers = []
    ) async throws -> Reply {
        try await server.send(
            "POST", "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#,
            headers: token.bearer + headers)
    }
}
