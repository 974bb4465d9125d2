/// Reads one history, a little at a time, as it streams by.
///
/// Nothing is kept but the people, the conversations and what is named with each reader: a history may be larger than
/// memory.
protocol HistoryReader: AnyObject {
    /// The bytes read so far.
    var byteCount: Int { get }

    /// Reads a little more and appends what it brings, if anything.
    ///
    /// A conversation's roster comes before its messages.
    ///
    /// - Parameter items: What was found, in the order of the file.
    /// - Returns: False at the end of the history.
    /// - Throws: ``ImportFileError`` and errors of reading; what the file holds is no reason to throw.
    func read(into items: inout [HistoryItem]) throws -> Bool
}
