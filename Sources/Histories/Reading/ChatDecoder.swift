import ChatCore

/// What one format means by a chat and its messages.
protocol ChatDecoder {
    /// Whether `\xNN` stands for a character in these documents.
    var takesHexEscapes: Bool { get }

    /// Whether it must see all messages of a chat before it can decode the first, by what the document said about the
    /// chat so far.
    func looksAhead(_ fields: [String: JSONValue]) -> Bool

    /// Takes note of a message in a first pass.
    ///
    /// - Parameters:
    ///   - element: The message.
    ///   - chat: Which chat of the document it is of; see ``ChatDocument/chat``.
    /// - Throws: ``ImportLineError`` for something that will not be taken.
    mutating func lookAhead(_ element: JSONFields, chat: Int) throws(ImportLineError)

    /// Begins a chat.
    ///
    /// - Parameters:
    ///   - fields: What the document says about it.
    ///   - chat: Which chat of the document it is.
    ///   - document: What the document says about itself.
    /// - Returns: Its roster, and what else there is to tell.
    /// - Throws: ``ImportLineError`` for a chat that cannot be taken.
    mutating func begin(
        _ fields: JSONFields, chat: Int, document: JSONFields
    ) throws(ImportLineError) -> [HistoryItem.Content]

    /// Decodes a message of the chat.
    ///
    /// - Throws: ``ImportLineError`` for one that cannot be taken.
    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content]

    /// Ends the chat; returns its roster with everybody who wrote.
    mutating func end() -> [HistoryItem.Content]
}

extension ChatDecoder {
    var takesHexEscapes: Bool { false }
}
