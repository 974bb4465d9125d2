public import ChatCore
import Foundation

/// A key: readable on purpose only, masked wherever it is described.
public struct SecretText: Hashable, Sendable {
    private let value: String

    /// Keeps `value` without white space and line breaks around it; nil when nothing is left.
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
        else { throw ModelServiceError.misconfigured(reason: "the key file \(name) holds no key") }
        self = secret
    }

    /// The key itself; only for the header that carries it.
    public func reveal() -> String { value }

    private static let fileByteLimit = 64 << 10
}

extension SecretText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Eight asterisks, whatever the key.
    public var description: String { "********" }
    /// Eight asterisks, whatever the key.
    public var debugDescription: String { description }
    /// Nothing: `dump` shows no key either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
