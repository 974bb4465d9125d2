/// Names what a snapshot file holds: who opens it says what he expects.
public struct SnapshotStamp: Hashable, Sendable {
    /// The most bytes of an identity in UTF-8.
    public static let identityByteLimit = 128

    /// What the rows belong to: the caller's store and its generation.
    public let identity: String
    /// The caller's place in its change sequence: every change up to it is in the file.
    public let watermark: Int64

    /// Puts a stamp together.
    ///
    /// - Precondition: The identity has at most ``identityByteLimit`` bytes in UTF-8.
    public init(identity: String, watermark: Int64) {
        precondition(identity.utf8.count <= Self.identityByteLimit, "the identity is too long")
        self.identity = identity
        self.watermark = watermark
    }
}
