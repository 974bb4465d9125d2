import Accounts
import ChatCore
import Crypto
import Foundation

/// A program's wish to act as a person, as a browser brings it to `GET /authorize`.
struct AuthorizationRequest: Sendable {
    /// The scopes of a program that names none.
    static let standardScopes: Set<AssistantScope> = [.read, .ask]
    private static let textLimit = 2_000

    let clientID: String
    let program: RegisteredProgram
    let redirect: RedirectAddress
    let state: String?
    let challenge: String
    let scopes: Set<AssistantScope>

    /// Reads and checks the parameters of the query.
    ///
    /// No fault sends the browser on to the program's address: anybody can register an address, so only a person may
    /// decide to go there (RFC 9700, section 4.11.2).
    ///
    /// - Parameters:
    ///   - query: The query, encoded as a form.
    ///   - origin: The origin of this server.
    ///   - accounts: Knows the programs.
    /// - Throws: ``OAuthFault``; storage errors.
    init(query: String, origin: String, accounts: AccountService) async throws {
        guard let form = Form.decode(query.utf8) else {
            throw OAuthFault(.invalidRequest, "the parameters cannot be read, or one is repeated")
        }
        guard let id = form.only("client_id"), let program = try await accounts.program(id) else {
            throw OAuthFault(.invalidClient, "this program is not registered here")
        }
        guard let text = form.only("redirect_uri"), let redirect = program.redirect(text) else {
            throw OAuthFault(.invalidRequest, "redirect_uri is not an address of this program")
        }
        guard form.only("response_type") == "code" else {
            throw OAuthFault(.unsupportedResponseType, "response_type must be code")
        }
        guard form.only("code_challenge_method") == "S256", let challenge = form.only("code_challenge"),
            Base64URL.decode(challenge.utf8)?.count == 32
        else { throw OAuthFault(.invalidRequest, "code_challenge must be of the method S256") }
        let state = form.only("state")
        guard (state?.utf8.count ?? 0) <= Self.textLimit else {
            throw OAuthFault(.invalidRequest, "state has at most \(Self.textLimit) bytes")
        }
        guard ProtectedResource(origin: origin).isNamed(by: form["resource"] ?? []) else {
            throw OAuthFault(.invalidTarget, "resource is not an address of this server")
        }
        let known = Set<AssistantScope>(words: form.only("scope") ?? "")
        (clientID, self.program, self.redirect, self.state) = (id, program, redirect, state)
        (self.challenge, scopes) = (challenge, known.isEmpty ? Self.standardScopes : known)
    }

    /// The hash of the program's id.
    var client: [UInt8] { RegisteredProgram.digest(of: clientID) }

    /// Returns the address at which the program learns the person's decision (RFC 9207: with the issuer).
    func answer(_ fields: [(String, String)], issuer: String) -> String {
        redirect.adding(fields + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)])
    }
}

/// The addresses of `/mcp` that tokens are made for.
struct ProtectedResource: Sendable {
    let origin: String

    /// The audience of tokens.
    var address: String { origin + "/mcp" }

    /// Whether a request means this server only: by `/mcp`, by the origin with or without a slash, or by nothing.
    func isNamed(by texts: [String]) -> Bool {
        texts.allSatisfy { [address, address + "/", origin, origin + "/"].contains($0) }
    }
}

/// What a person allowed a program, until the program exchanges its code.
struct AssistantGrant: Codable, Sendable, MaskedDescription {
    /// How long a code can be exchanged, in seconds.
    static let lifetime: Int64 = 60

    let user: String
    let name: String
    let scopes: String
    let redirect: String
    let challenge: String
    let origin: String

    /// Whether the verifier is the one that the program chose before (RFC 7636).
    func isVerified(by verifier: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count) else { return false }
        return isSameSecret(Base64URL.encode(SHA256.hash(data: Data(verifier.utf8))).utf8, challenge.utf8)
    }
}

extension Form {
    /// Reads a form; nil if it cannot be read, or repeats a field other than `resource`.
    static func decode(_ bytes: some Sequence<UInt8>) -> [String: [String]]? {
        var fields: [String: [String]] = [:]
        for pair in String(decoding: Array(bytes), as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
            }
            guard let name = parts[0], let value = parts.count == 2 ? parts[1] : "" else { return nil }
            // An empty value is like a missing one (RFC 6749, section 3.1).
            if !value.isEmpty { fields[name, default: []].append(value) }
        }
        return fields.allSatisfy { $0.key == "resource" || $0.value.count == 1 } ? fields : nil
    }
}

extension [String: [String]] {
    /// Returns the value of a field; nil for none.
    func only(_ name: String) -> String? { self[name]?.first }
}
