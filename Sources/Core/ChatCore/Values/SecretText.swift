public import Foundation

/// A key, password or other secret of the settings: readable on purpose only, masked wherever it is described.
public struct SecretText: Hashable, Sendable {
    private let value: String

    /// Keeps a secret without white space and line breaks around it; nil when nothing is left.
    public init?(_ value: String) {
        let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { return nil }
        self.value = trimmed
    }

    /// Reads a key from a file.
    ///
    /// - Parameter path: A file of UTF-8 text, as a secret store mounts it.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` when it cannot be read, is longer than 64 KiB or empty.
    public init(contentsOf path: String) throws(ModelServiceError) {
        let name = (path as NSString).lastPathComponent
        guard let data = RegularFile.contents(path, byteLimit: Self.fileByteLimit + 1), !data.isEmpty else {
            throw ModelServiceError.misconfigured(reason: "the key file \(name) cannot be read or is empty")
        }
        guard data.count <= Self.fileByteLimit, let text = String(data: data, encoding: .utf8),
            let secret = SecretText(text)
        else { throw ModelServiceError.misconfigured(reason: "the key file \(name) contains no key") }
        self = secret
    }

    /// The secret itself; only for where it is used.
    public func reveal() -> String { value }

    private static let fileByteLimit = 64 << 10
}

extension SecretText: MaskedDescription {}

/// Secret bytes of the settings; as ``SecretText``.
public struct SecretBytes: Hashable, Sendable, MaskedDescription {
    private let value: Data

    public init(_ value: Data) {
        self.value = value
    }

    /// The bytes themselves; only for where they are used.
    public func reveal() -> Data { value }
}

/// A value that holds a secret: `print`, string interpolation, `dump` and mirrors show eight asterisks.
///
/// Libraries describe the values that they are given, in their log lines too. So every type with a secret is masked.
public protocol MaskedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension MaskedDescription {
    /// Eight asterisks.
    public var description: String { "********" }
    /// Eight asterisks.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
