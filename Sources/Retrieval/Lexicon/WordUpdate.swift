import ChatCore
import IndexCore
import LexicalIndex

/// What becomes of the rows of words when messages are as the store holds them now.
struct WordUpdate: Sendable {
    /// Rows that are new, or other than before.
    private(set) var added: [LexicalRow] = []
    /// Rows that go.
    private(set) var removed: [RowKey] = []
    /// The first message of which the index held words that it does not hold, or not so, afterwards.
    private(set) var firstErased: MessageNumber?
    /// The newest message that comes.
    private(set) var newest: MessageNumber?

    /// Compares messages with the rows that an index has; rows that stay as they are are left out.
    ///
    /// - Parameters:
    ///   - messages: By ascending number, each once.
    ///   - snapshot: The rows.
    ///   - rows: Makes rows of messages.
    init(_ messages: [IndexedMessage], in snapshot: BM25Index.Snapshot, rows: WordRows) {
        for (message, row) in zip(messages, rows.rows(of: messages)) {
            let before = snapshot.facts(of: RowKey(message.number))
            if before != nil, let row, snapshot.holds(row) { continue }
            if before != nil { firstErased = firstErased ?? message.number }
            if let row {
                newest = message.number
                added.append(row)
            } else if before != nil {
                removed.append(RowKey(message.number))
            }
        }
    }

    /// Rows that change.
    var changedCount: Int { added.count + removed.count }

    /// Changes the rows of an index.
    func apply(to index: BM25Index) {
        if !removed.isEmpty { index.remove(removed) }
        if !added.isEmpty { index.upsert(added) }
    }
}
