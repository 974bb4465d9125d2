import ChatCore

/// What a person missed, has to do, and what was decided, in lines that each name their messages.
struct Digest: Sendable {
    /// A line of text.
    struct Line: Sendable {
        let text: String
        /// The numbers of the messages that it is based on.
        let sources: [Int]
    }

    /// A message that lines are based on.
    struct Source {
        let key: MessageKey
        let posted: PostedSource
    }

    let title: String
    private(set) var lines: [Line] = []
    /// In the order of their numbers, which are counted from 1.
    private(set) var sources: [Source] = []

    init(title: String) { self.title = title }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - messages: The messages that it is based on.
    ///   - name: Returns the name of a conversation.
    ///   - text: Returns the text for the numbers of the messages.
    mutating func add(
        _ messages: [Message], naming name: (ConversationID) -> String, _ text: ([Int]) -> String
    ) {
        let numbers = messages.map { number(of: $0, naming: name) }
        // A line of a digest is one line of its text.
        let words = text(numbers).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        lines.append(Line(text: words, sources: numbers))
    }

    private mutating func number(of message: Message, naming name: (ConversationID) -> String) -> Int {
        if let known = sources.firstIndex(where: { $0.key == message.key }) { return known + 1 }
        let number = sources.count + 1
        let posted = PostedSource(
            number: number, message, at: nil, conversationName: name(message.key.conversationID), isElsewhere: true)
        sources.append(Source(key: message.key, posted: posted))
        return number
    }
}
