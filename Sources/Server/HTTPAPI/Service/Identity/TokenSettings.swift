public import ChatCore
public import Foundation

/// The settings for checking tokens (JSON Web Tokens, RFC 7519).
public struct TokenSettings: Sendable, Equatable {
    /// The source of the signing service's public keys: a JSON Web Key Set (RFC 7517).
    public enum Keys: Sendable, Equatable, MaskedDescription {
        /// A set that was read from a file; it may hold secrets of HS256.
        case document(Data)
        /// The address of a set; it is fetched when needed, and secrets in it are ignored.
        case address(String)
    }

    /// The rules that tokens follow.
    public enum Profile: Sendable, Equatable {
        /// The rules of any service.
        case general
        /// The rules of Firebase ID tokens: RS256 only, `auth_time` in the past, `sub` of 1 to 128 characters.
        case firebase
    }

    /// The public keys; nil for none.
    public var keys: Keys?
    /// The secret of HS256, 32 bytes or more; nil for none.
    public var secret: SecretBytes?
    /// The required value of `iss`; nil for any.
    public var issuer: String?
    /// The required audience in `aud`; nil for any.
    public var audience: String?
    /// The claim that holds the user's id.
    public var userClaim: String
    /// The claim that holds the user's name.
    public var nameClaim: String
    /// The claim that holds the kind of user: member, guest or bot; nil if tokens have none.
    public var kindClaim: String?
    /// The rules that tokens follow.
    public var profile: Profile
    /// The tolerated difference of the two clocks.
    public var leeway: Duration

    public init(
        keys: Keys? = nil, secret: SecretBytes? = nil, issuer: String? = nil, audience: String? = nil,
        userClaim: String = "sub", nameClaim: String = "name", profile: Profile = .general,
        leeway: Duration = .seconds(30)
    ) {
        self.keys = keys
        self.secret = secret
        self.issuer = issuer
        self.audience = audience
        self.userClaim = userClaim
        self.nameClaim = nameClaim
        self.profile = profile
        self.leeway = leeway
    }

    /// Returns settings for ID tokens of a Firebase project
    /// (https://firebase.google.com/docs/auth/admin/verify-id-tokens).
    ///
    /// - Parameters:
    ///   - project: The project's id.
    ///   - keys: Other keys than Google's.
    /// - Returns: The settings.
    public static func firebase(project: String, keys: Keys? = nil) -> TokenSettings {
        TokenSettings(
            keys: keys ?? .address(firebaseKeys), issuer: "https://securetoken.google.com/\(project)",
            audience: project, profile: .firebase)
    }

    private static let firebaseKeys =
        "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
}

/// The settings for identifying callers.
public struct AuthenticationSettings: Sendable, Equatable {
    /// The settings for tokens of persons; nil if only keys are accepted.
    public var tokens: TokenSettings?
    /// The service with which people sign in; nil for none.
    public var openID: OpenIDSettings?

    /// Whether tokens are checked with a secret only, for any issuer and audience; another service with the same secret
    /// then lets its own users in.
    public var takesTokensOfAnyIssuer: Bool {
        tokens.map { $0.secret != nil && ($0.issuer == nil || $0.audience == nil) } ?? false
    }

    public init(tokens: TokenSettings? = nil, openID: OpenIDSettings? = nil) {
        self.tokens = tokens
        self.openID = openID
    }
}

/// A fetched set of keys.
public struct KeyDocument: Sendable {
    /// The set in JSON.
    public var body: Data
    /// The header `Cache-Control`.
    public var cacheControl: String?
    /// The header `Age`.
    public var age: String?

    public init(body: Data, cacheControl: String? = nil, age: String? = nil) {
        self.body = body
        self.cacheControl = cacheControl
        self.age = age
    }
}

/// Fetches a set of keys from its address.
public typealias KeyFetch = @Sendable (_ address: String) async throws -> KeyDocument
