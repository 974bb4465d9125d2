import ChatCore

/// Finds the lists of messages in a JSON document.
///
/// A document is one chat, which is an object with `messages` and fields of the chat, or contains many in `chats.list`
/// and `left_chats.list`.
struct ChatDocument: ~Copyable {
    /// The next part of the document.
    enum Step {
        /// A field of the chat; the reader is at its value.
        case field(String)
        /// The chat's messages: the reader is at an array.
        case messages
    }

    private enum Level {
        case start
        case top
        /// In the object with the list of chats.
        case chats
        case list
        case chat
        case end
    }

    /// The reader; the caller of a step reads or skips the value.
    var stream: JSONStream
    private var level = Level.start
    private var chatCount = 0
    /// The number of the current chat: 0 for the document itself, from 1 for those of its lists.
    private(set) var chat = 0

    init(_ source: any ByteSource, takesHexEscapes: Bool = false) {
        stream = JSONStream(document: source, takesHexEscapes: takesHexEscapes)
    }

    /// Goes to the next field of a chat; nil at the document's end.
    ///
    /// - Throws: ``JSONStreamError``, errors of reading.
    mutating func next() throws -> Step? {
        while true {
            switch level {
            case .start:
                try stream.beginObject()
                level = .top
            case .top, .chat:
                if let step = try nextField() { return step }
            case .chats: try nextOfChats()
            case .list: try nextOfList()
            case .end: return nil
            }
        }
    }

    private mutating func nextField() throws -> Step? {
        guard let key = try stream.nextKey() else {
            // Text after the document makes it invalid.
            if level == .top { _ = try stream.next() }
            level = level == .top ? .end : .list
            chat = 0
            return nil
        }
        let kind = try stream.peek()
        if key == "messages", kind == .array { return .messages }
        guard level == .top, key == "chats" || key == "left_chats", kind == .object else { return .field(key) }
        try stream.beginObject()
        level = .chats
        return nil
    }

    private mutating func nextOfChats() throws {
        guard let key = try stream.nextKey() else {
            level = .top
            return
        }
        if key == "list", try stream.peek() == .array {
            try stream.beginArray()
            level = .list
        } else {
            try stream.skipField()
        }
    }

    private mutating func nextOfList() throws {
        guard try stream.hasElement() else {
            level = .chats
            return
        }
        guard try stream.peek() == .object else { return try stream.skipValue() }
        try stream.beginObject()
        chatCount += 1
        chat = chatCount
        level = .chat
    }
}
