import ChatCore
import Crypto
package import Foundation
import Logging
import UseCases

/// Sends a form to an address, and returns the reply.
package typealias FormPost =
    @Sendable (_ address: String, _ form: String, _ authorization: String?) async throws -> (
        status: Int, body: Data
    )

/// Why signing in with another service failed; the page gets the word.
enum OpenIDFault: String, Error, CaseIterable {
    /// The browser did not begin this sign-in, or began it too long ago.
    case state = "sign_in_state"
    /// The service says that the person may not sign in, or cancelled.
    case refused = "sign_in_refused"
    /// The service cannot be reached.
    case unavailable = "provider_unavailable"
    /// The service's reply cannot be trusted.
    case invalidReply = "provider_reply_invalid"
    /// The account is disabled.
    case disabled = "account_disabled"
    /// The browser called this server by a name that is not configured.
    case unknownHost = "host_unknown"
    /// The person cannot sign in for another reason.
    case failed = "sign_in_failed"
}

/// Signs people in with another service: OpenID Connect Core 1.0, the authorization code flow with PKCE (RFC 7636).
actor OpenIDSignIn {
    /// How long the service's description is kept, in seconds.
    private static let descriptionLifetime: Duration = .seconds(3_600)

    /// The service as it describes itself (OpenID Connect Discovery 1.0).
    struct Service: Sendable {
        let issuer: String
        let authorizationEndpoint: String
        let tokenEndpoint: String
        /// Whether the secret is sent in the form instead of a header.
        let takesSecretInForm: Bool
        let verifier: TokenVerifier
    }

    nonisolated let settings: OpenIDSettings
    nonisolated let pending: PendingSignIns
    private let fetch: KeyFetch
    private let post: FormPost
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private var known: (service: Service, until: Timestamp)?

    init(
        settings: OpenIDSettings, fetch: @escaping KeyFetch, post: @escaping FormPost,
        pending: PendingSignIns, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.pending = pending
        self.settings = settings
        self.fetch = fetch
        self.post = post
        self.now = now
        self.logger = logger
    }

    /// Returns the address at which the person signs in, and the secret for the browser's cookie.
    ///
    /// - Parameter callback: The address to which the service sends the browser back.
    /// - Returns: Both.
    /// - Throws: ``OpenIDFault``.
    func begin(callback: String) async throws(OpenIDFault) -> (address: String, binding: String) {
        let service = try await service()
        guard let begun = try? await pending.begin(callback: callback, at: now()) else { throw .unavailable }
        let challenge = Base64URL.encode(SHA256.hash(data: Data(begun.verifier.utf8)))
        let query = Form.encode([
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", callback),
            ("scope", "openid profile email"), ("state", begun.state), ("nonce", begun.nonce),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ])
        let separator = service.authorizationEndpoint.contains("?") ? "&" : "?"
        return (service.authorizationEndpoint + separator + query, begun.binding)
    }

    /// Returns the person for whom the service sent a code.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - begun: What the browser began.
    ///   - issuer: The issuer that came with the code (RFC 9207); nil for none.
    /// - Returns: The person, with the name that the service knows, and the mail address that it has verified.
    /// - Throws: ``OpenIDFault``.
    func person(
        code: String, begun: PendingSignIns.Begun, issuer: String?
    ) async throws(OpenIDFault) -> (person: IdentifiedPerson, verifiedEmail: String?) {
        let service = try await service()
        guard issuer == nil || issuer == service.issuer else { throw .invalidReply }
        let token = try await idToken(code: code, begun: begun, service: service)
        do {
            let bearer = try await service.verifier.bearer(of: token)
            // With several audiences the token says for which of them it was made (OpenID Connect Core, 3.1.3.7).
            guard let nonce = bearer.nonce, isSameSecret(nonce.utf8, begun.nonce.utf8),
                (bearer.authorizedParty ?? (bearer.audienceCount == 1 ? settings.clientID : nil)) == settings.clientID
            else { throw OpenIDFault.invalidReply }
            return (bearer.user, bearer.verifiedEmail)
        } catch let fault as TokenFault {
            logger.warning("A token of the sign-in service is refused", metadata: ["oidc.reason": "\(fault.rawValue)"])
            throw .invalidReply
        } catch let fault as OpenIDFault {
            throw fault
        } catch {
            throw .unavailable
        }
    }

    private func idToken(
        code: String, begun: PendingSignIns.Begun, service: Service
    ) async throws(OpenIDFault) -> String {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", begun.callback),
            ("code_verifier", begun.verifier), ("client_id", settings.clientID),
        ]
        var authorization: String?
        if let secret = settings.clientSecret?.reveal() {
            if service.takesSecretInForm {
                fields.append(("client_secret", secret))
            } else {
                // Both parts are encoded as in a form (RFC 6749, section 2.3.1).
                let pair = Form.encode(settings.clientID) + ":" + Form.encode(secret)
                authorization = "Basic " + Data(pair.utf8).base64EncodedString()
            }
        }
        let reply: (status: Int, body: Data)
        do {
            reply = try await post(service.tokenEndpoint, Form.encode(fields), authorization)
        } catch {
            log("The sign-in service cannot be reached", error)
            throw .unavailable
        }
        guard reply.status == 200 else {
            logger.warning("The sign-in service refuses a code", metadata: ["oidc.status": "\(reply.status)"])
            throw reply.status >= 500 ? .unavailable : .refused
        }
        guard let value = try? JSONParser.parse(Array(reply.body)),
            let token = try? JSONField(value)["id_token"].string()
        else { throw .invalidReply }
        return token
    }

    /// Returns the service, which is asked for its description once an hour.
    private func service() async throws(OpenIDFault) -> Service {
        if let known, now() < known.until { return known.service }
        let address = settings.issuer + "/.well-known/openid-configuration"
        do {
            let document = try await fetch(address)
            let found = try await read(JSONField(try JSONParser.parse(Array(document.body))).object())
            known = (found, now() + Self.descriptionLifetime)
            return found
        } catch let fault as OpenIDFault {
            throw fault
        } catch {
            log("The sign-in service's description cannot be fetched", error)
            // The last one is better than none.
            if let known { return known.service }
            throw .unavailable
        }
    }

    private func read(_ fields: JSONField) async throws -> Service {
        let issuer = try fields["issuer"].string()
        let (authorization, token) = (
            try fields["authorization_endpoint"].string(), try fields["token_endpoint"].string()
        )
        let keys = try fields["jwks_uri"].string()
        let isSame = issuer == settings.issuer || issuer == settings.issuer + "/"
        guard isSame, [authorization, token, keys].allSatisfy(isSafe) else {
            logger.warning("The sign-in service's description names another issuer, or unsafe addresses")
            throw OpenIDFault.invalidReply
        }
        let methods = try fields["token_endpoint_auth_methods_supported"].optionalArray()?.map { try $0.string() }
        let verifier = try await TokenVerifier(
            TokenSettings(
                keys: .address(keys), issuer: issuer, audience: settings.clientID, userClaim: settings.userClaim,
                nameClaim: settings.nameClaim), fetch: fetch, now: now, logger: logger)
        return Service(
            issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token,
            takesSecretInForm: methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
                ?? false, verifier: verifier)
    }

    /// Whether an address is as safe as the issuer's.
    private func isSafe(_ address: String) -> Bool {
        guard let url = URL(string: address), let host = url.host(), !host.isEmpty, url.user() == nil else {
            return false
        }
        return url.scheme == "https" || (url.scheme == "http" && settings.issuer.hasPrefix("http:"))
    }

    private func log(_ line: String, _ error: any Error) {
        logger.warning("\(line)", metadata: ["error.type": "\(type(of: error))"])
    }
}

/// Sign-ins that browsers have begun with another service.
struct PendingSignIns: Sendable {
    /// How long a person may take, in seconds.
    static let lifetime: Int64 = 600
    /// What a browser began.
    struct Begun: Sendable, Codable, MaskedDescription {
        /// The secret that the service returns.
        let state: String
        /// The secret that only this browser has.
        let binding: String
        /// The secret in the service's token.
        let nonce: String
        /// The secret that proves who may use the code.
        let verifier: String
        let callback: String
    }

    let values: any OneTimeValues

    /// Begins a sign-in; nil while there are too many.
    func begin(callback: String, at moment: Timestamp) async throws -> Begun? {
        let new = Begun(
            state: Self.secret(), binding: Self.secret(), nonce: Self.secret(), verifier: Self.secret(),
            callback: callback)
        let value = String(decoding: try JSONEncoder().encode(new), as: UTF8.self)
        let isKept = try await values.keep(
            value, as: new.state, of: nil, until: moment + .seconds(Self.lifetime), at: moment)
        return isKept ? new : nil
    }

    /// Returns what a browser began, which is used up by this; nil if it was another browser, or too long ago.
    func take(state: String, binding: String?, at moment: Timestamp) async throws -> Begun? {
        guard let value = try await values.take(state, at: moment), let binding else { return nil }
        let found = try JSONDecoder().decode(Begun.self, from: Data(value.utf8))
        guard isSameSecret(found.binding.utf8, binding.utf8) else { return nil }
        return found
    }

    private static func secret() -> String { Base64URL.encode(randomBytes(32)) }
}

/// Forms as browsers write them (`application/x-www-form-urlencoded`).
enum Form {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    static func encode(_ fields: [(String, String)]) -> String {
        fields.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }

    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
