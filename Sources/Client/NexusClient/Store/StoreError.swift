import GRDB

/// Errors of a store on disk; no message text is in them.
public enum StoreError: Error, Hashable, Sendable, Codable {
    /// Another process, or another store of this one, has the file open.
    case inUse
    /// The disk is full.
    case full
    /// The file is not a store, or is damaged: ``MessageStore/erase(_:)`` removes it with everything that was not sent.
    case damaged
    /// A later version of this library wrote the file.
    case newer
    /// The file belongs to another person or another server.
    case foreign
    /// The store was closed or erased.
    case closed
    /// The file could not be opened, read or written.
    case failed

    init(_ error: any Error) {
        if let error = error as? StoreError {
            self = error
            return
        }
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse
        case .SQLITE_FULL: self = .full
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged
        default: self = .failed
        }
    }
}

/// How much a store keeps.
public struct StoreLimits: Sendable, Hashable {
    /// The most messages of all conversations.
    public var messageCount: Int
    /// The most messages of one conversation.
    public var messagesPerConversation: Int
    /// How many of the newest messages of each conversation are always kept.
    public var keptPerConversation: Int
    /// The most bytes of a file that waits to be sent.
    public var fileByteCount: Int

    public init(
        messageCount: Int = 500_000, messagesPerConversation: Int = 50_000, keptPerConversation: Int = 100,
        fileByteCount: Int = 100 << 20
    ) {
        self.messageCount = messageCount
        self.messagesPerConversation = messagesPerConversation
        self.keptPerConversation = keptPerConversation
        self.fileByteCount = fileByteCount
    }
}
