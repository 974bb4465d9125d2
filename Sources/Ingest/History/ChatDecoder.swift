/// What one format means by a chat and its messages.
protocol ChatDecoder {
    /// Whether it must have seen all messages of a chat before it can decode the first.
    var looksAhead: Bool { get }

    /// Takes note of a message in a first pass.
    ///
    /// - Throws: ``ImportLineError`` for something that will not be taken.
    mutating func lookAhead(_ element: JSONFields) throws(ImportLineError)

    /// Begins a chat.
    ///
    /// - Parameter fields: What the document says about it.
    /// - Returns: Its roster, and what else there is to tell.
    /// - Throws: ``ImportLineError`` for a chat that cannot be taken.
    mutating func begin(_ fields: JSONFields) throws(ImportLineError) -> [HistoryItem.Content]

    /// Decodes a message of the chat.
    ///
    /// - Throws: ``ImportLineError`` for one that cannot be taken.
    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content]

    /// Ends the chat; returns its roster with everybody who wrote.
    mutating func end() -> [HistoryItem.Content]
}

extension ChatDecoder {
    var looksAhead: Bool { false }

    mutating func lookAhead(_ element: JSONFields) throws(ImportLineError) {}
}
