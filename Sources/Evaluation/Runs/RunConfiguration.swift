public import ChatCore
import Crypto

/// What a run was made with: all that decides its rankings beside the dataset.
public struct RunConfiguration: Hashable, Sendable {
    /// The effective configuration.
    public var value: JSONValue
    /// Its hash, in hexadecimal.
    public var hash: String
    /// Which messages were searched: `conversation` or `all`.
    public var scope: String

    /// Takes a configuration with the hash that the pipeline gives it.
    public init(value: JSONValue, hash: String, scope: String) {
        self.value = value
        self.hash = hash
        self.scope = scope
    }

    /// Takes a configuration and hashes it: SHA-256 of its JSON with sorted keys.
    ///
    /// - Parameters:
    ///   - value: The effective configuration.
    ///   - scope: Which messages are searched.
    /// - Throws: An encoding error when a number is not finite.
    public init(value: JSONValue, scope: String) throws {
        self.init(value: value, hash: SHA256.hash(data: try JSONLines.encode([value])).hexadecimal, scope: scope)
    }
}
