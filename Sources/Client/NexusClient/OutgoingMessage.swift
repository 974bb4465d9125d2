public import Foundation
public import NexusModel

/// A message to send.
public struct OutgoingDraft: Hashable, Sendable {
    /// The text; may be empty if there are files.
    public var text: String
    /// The message that it replies to.
    public var replyTo: String?
    /// The message with which its thread begins.
    public var threadRoot: String?
    /// Files that are kept with the message and uploaded before it.
    public var files: [FileToSend]
    /// Files that ``NexusSession/upload(_:name:mediaType:progress:)`` has uploaded, by their ids.
    public var attachments: [String]
    /// Own fields of the app.
    public var extra: [String: JSONContent]

    public init(
        _ text: String, replyTo: String? = nil, threadRoot: String? = nil, files: [FileToSend] = [],
        attachments: [String] = [], extra: [String: JSONContent] = [:]
    ) {
        self.text = text
        self.replyTo = replyTo
        self.threadRoot = threadRoot
        self.files = files
        self.attachments = attachments
        self.extra = extra
    }
}

/// A message that this client sends.
public struct OutgoingMessage: Hashable, Sendable, Identifiable {
    /// How far it is.
    public enum State: Hashable, Sendable {
        /// It waits for earlier ones of its conversation, or for the connection.
        case queued
        /// It is on its way.
        case sending
        /// The server has stored it.
        case sent(seq: Int64?)
        /// It came back in the feed.
        case confirmed
        /// The server refused it; later ones of its conversation wait until it is retried or discarded.
        case failed(SessionError)
        /// It was dropped and is not sent.
        case discarded
    }

    /// The id that this client chose; the server keeps it for ever.
    public let localId: String
    /// The conversation.
    public let conversationId: String
    /// The text.
    public internal(set) var text: String
    /// The message that it replies to.
    public let replyTo: String?
    /// The message with which its thread begins.
    public let threadRoot: String?
    /// How far it is.
    public internal(set) var state = State.queued
    /// Files that are uploaded before it.
    public internal(set) var files: [OutgoingFile] = []
    /// Its place among all that was queued on this device; 0 if it could not be stored.
    public internal(set) var number: Int64 = 0
    /// The id that the server gave it.
    public internal(set) var messageId: String?

    /// The local id, which is there before the server's.
    public var id: String { localId }

    public init(
        localId: String, conversationId: String, text: String, replyTo: String? = nil, threadRoot: String? = nil,
        state: State = .queued, files: [OutgoingFile] = [], number: Int64 = 0, messageId: String? = nil
    ) {
        self.localId = localId
        self.conversationId = conversationId
        self.text = text
        self.replyTo = replyTo
        self.threadRoot = threadRoot
        self.state = state
        self.files = files
        self.number = number
        self.messageId = messageId
    }

    /// Whether the server has not stored it.
    var isWaiting: Bool {
        switch state {
        case .queued, .sending, .failed: true
        case .sent, .confirmed, .discarded: false
        }
    }
}

/// A file of an outgoing message.
public struct OutgoingFile: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its media type.
    public let mediaType: String
    /// Its size.
    public let byteCount: Int
    /// The id that the server gave it; nil before it was uploaded.
    public internal(set) var fileId: String?

    public init(name: String, mediaType: String, byteCount: Int, fileId: String? = nil) {
        self.name = name
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.fileId = fileId
    }
}

/// A file to send with a message.
public struct FileToSend: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its media type.
    public var mediaType: String
    /// The file itself.
    public var data: Data

    public init(name: String, mediaType: String, data: Data) {
        self.name = name
        self.mediaType = mediaType
        self.data = data
    }

    /// A file of this device, which is read when it is queued; see ``NexusSession/upload(_:name:mediaType:progress:)`` for
    /// large ones.
    ///
    /// - Throws: Errors of the file.
    public init(contentsOf file: URL, mediaType: String = "application/octet-stream") throws {
        self.init(
            name: file.lastPathComponent, mediaType: mediaType,
            data: try Data(contentsOf: file, options: .mappedIfSafe))
    }
}

/// An edit, a deletion or a reaction that waits for its message and is then sent.
public struct OutgoingChange: Hashable, Sendable, Identifiable {
    /// What is done to the message.
    public enum Action: Hashable, Sendable, Codable {
        /// Its text is replaced.
        case edit(text: String)
        /// It is deleted.
        case delete
        /// The person's reaction is added or removed.
        case reaction(emoji: String, isSet: Bool)
    }

    /// The message.
    public enum Subject: Hashable, Sendable {
        /// One that this client sends, by its local id.
        case outgoing(String)
        /// One that the server has, by its id.
        case stored(String)
    }

    /// How far it is.
    public enum State: Hashable, Sendable {
        /// It waits for earlier ones, for its message, or for the connection.
        case queued
        /// It is on its way.
        case sending
        /// The server has made it.
        case done
        /// Its message was deleted or discarded.
        case cancelled
        /// The server refused it; later ones do not wait for it.
        case failed(SessionError)
    }

    /// The id that this client chose.
    public let id: String
    /// The conversation.
    public let conversationId: String
    /// The message.
    public internal(set) var subject: Subject
    /// What is done to the message.
    public internal(set) var action: Action
    /// How far it is.
    public internal(set) var state = State.queued
    /// Its place among all that was queued on this device; 0 if it could not be stored.
    public internal(set) var number: Int64 = 0
}
