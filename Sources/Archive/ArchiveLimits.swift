/// What an archive may be.
public struct ArchiveLimits: Hashable, Sendable {
    /// The most entries, folders and those that are passed over included.
    public var entryCount = 500_000
    /// The most bytes that are read out of all entries together.
    public var totalByteCount = 64 << 30
    /// The most bytes that are read out of one entry.
    public var entryByteCount = 16 << 30
    /// The most bytes that one byte of the file may unpack to, over one entry and over the whole.
    ///
    /// Chats as JSON stay below 50; deflate ends at about 1,030.
    public var ratio = 200
    /// How many bytes may be unpacked before the ratio counts, as a few bytes say nothing.
    public var ratioFreeByteCount = 16 << 20
    /// The longest path in bytes; an entry with a longer one is passed over.
    public var pathByteCount = 1_024
    /// The most bytes of the description of one entry in a tar.
    public var headerByteCount = 4 << 20
    /// The most entries that are told by name of those that were passed over.
    public var skippedEntryCount = 100

    /// The limits for an export of a chat.
    public static let standard = ArchiveLimits()

    public init() {}
}
