package import ChatCore
package import Foundation

/// The settings for checking tokens (JSON Web Tokens, RFC 7519).
package struct TokenSettings: Sendable, Equatable {
    /// The source of the signing service's public keys: a JSON Web Key Set (RFC 7517).
    package enum Keys: Sendable, Equatable, MaskedDescription {
        /// A set that was read from a file; it may hold secrets of HS256.
        case document(Data)
        /// The address of a set; it is fetched when needed, and secrets in it are ignored.
        case address(String)
    }

    /// The rules that tokens follow.
    package enum Profile: Sendable, Equatable {
        /// The rules of any service.
        case general
        /// The rules of Firebase ID tokens: RS256 only, `auth_time` in the past, `sub` of 1 to 128 characters.
        case firebase
    }

    /// The public keys; nil for none.
    package var keys: Keys?
    /// The secret of HS256, 32 bytes or more; nil for none.
    package var secret: SecretBytes?
    /// The required value of `iss`; nil for any.
    package var issuer: String?
    /// The required audience in `aud`; nil for any.
    package var audience: String?
    /// The claim that holds the user's id.
    package var userClaim: String
    /// The claim that holds the user's name.
    package var nameClaim: String
    /// The claim that holds the kind of user: member, guest or bot; nil if tokens have none.
    package var kindClaim: String?
    /// The rules that tokens follow.
    package var profile: Profile
    /// The tolerated difference of the two clocks.
    package var leeway: Duration

    package init(
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
    package static func firebase(project: String, keys: Keys? = nil) -> TokenSettings {
        TokenSettings(
            keys: keys ?? .address(firebaseKeys), issuer: "https://securetoken.google.com/\(project)",
            audience: project, profile: .firebase)
    }

    private static let firebaseKeys =
        "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
}

/// The settings for identifying callers.
package struct AuthenticationSettings: Sendable, Equatable {
    /// The settings for tokens of persons; nil if only keys are accepted.
    package var tokens: TokenSettings?
    /// The service with which people sign in; nil for none.
    package var openID: OpenIDSettings?

    /// Whether tokens are checked with a secret only, for any issuer and audience; another service with the same secret
    /// then lets its own users in.
    package var takesTokensOfAnyIssuer: Bool {
        tokens.map { $0.secret != nil && ($0.issuer == nil || $0.audience == nil) } ?? false
    }

    package init(tokens: TokenSettings? = nil, openID: OpenIDSettings? = nil) {
        self.tokens = tokens
        self.openID = openID
    }
}

/// A fetched set of keys.
package struct KeyDocument: Sendable {
    /// The set in JSON.
    package var body: Data
    /// The header `Cache-Control`.
    package var cacheControl: String?
    /// The header `Age`.
    package var age: String?

    package init(body: Data, cacheControl: String? = nil, age: String? = nil) {
        self.body = body
        self.cacheControl = cacheControl
        self.age = age
    }
}

/// Fetches a set of keys from its address.
package typealias KeyFetch = @Sendable (_ address: String) async throws -> KeyDocument
