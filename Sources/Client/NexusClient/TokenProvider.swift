public import NexusModel

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
public enum SignOutReason: OpenWord {
    /// The person signed out on this device.
    case person
    /// The session ended elsewhere, or was not used for too long.
    case sessionEnded
    /// The account was disabled.
    case accountDisabled
    /// The server does not accept a fresh token.
    case tokenRefused
    /// A word of a later server.
    case unknown(String)

    /// The words of this version.
    public static let allCases: [SignOutReason] = [.person, .sessionEnded, .accountDisabled, .tokenRefused]

    /// The word.
    public var rawValue: String {
        switch self {
        case .person: "person"
        case .sessionEnded: "session_ended"
        case .accountDisabled: "account_disabled"
        case .tokenRefused: "token_refused"
        case .unknown(let word): word
        }
    }
}
