/// Gives a session its access tokens.
///
/// ``AppTokens`` wraps the tokens of an issuer such as Firebase.
public protocol TokenProvider: Sendable {
    /// Returns an access token.
    ///
    /// A session asks once at a time: requests that fail together share the next token.
    ///
    /// - Parameter refused: The token that the server has just refused; nil if a kept one may do.
    /// - Returns: The token.
    /// - Throws: ``TokenError``, which says whether the person has to sign in again.
    func token(replacing refused: String?) async throws(TokenError) -> String

    /// Ends the person's session where the tokens come from, and forgets what renews it.
    ///
    /// - Returns: Whether the session has ended there; false without a connection.
    func endSession() async -> Bool
}

extension TokenProvider {
    /// Does nothing: the app signs out where its tokens come from.
    public func endSession() async -> Bool { true }
}

/// Why there is no token.
public enum TokenError: Error, Hashable, Sendable {
    /// The person has to sign in again: the session has ended.
    case signedOut(SignOutReason)
    /// Where the tokens come from cannot be reached, or is busy: the session tries again.
    case unavailable
}

/// Tokens that an app gets elsewhere, for example from Firebase.
public struct AppTokens: TokenProvider {
    private let source: @Sendable (_ refused: String?) async throws(TokenError) -> String

    /// - Parameter source: Returns a token; the argument is the one that the server has just refused, or nil.
    public init(_ source: @escaping @Sendable (_ refused: String?) async throws(TokenError) -> String) {
        self.source = source
    }

    /// See ``TokenProvider/token(replacing:)``.
    public func token(replacing refused: String?) async throws(TokenError) -> String { try await source(refused) }
}

/// Why a person is signed out: a word of this library, or the code with which the server refused the token.
public struct SignOutReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The word.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person signed out on this device.
    public static let person = SignOutReason(rawValue: "person")
    /// The session ended elsewhere, or was not used for too long.
    public static let sessionEnded = SignOutReason(rawValue: "session_ended")
    /// The account was disabled.
    public static let accountDisabled = SignOutReason(rawValue: "account_disabled")
    /// The server does not accept a fresh token.
    public static let tokenRefused = SignOutReason(rawValue: "token_refused")
}
