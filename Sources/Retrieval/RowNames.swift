package import ChatCore
import VectorIndex

// How passages, conversations and what filters choose by are named in the index.

extension RowKey {
    /// The row that holds a passage's vector.
    init(_ passage: PassageNumber) {
        self.init(rawValue: passage.rawValue)
    }
}

extension PassageNumber {
    /// The passage whose vector a row holds.
    init(_ row: RowKey) {
        self.init(rawValue: row.rawValue)
    }
}

extension GroupKey {
    /// The group that holds a conversation's rows.
    init(_ conversation: ConversationNumber) {
        self.init(rawValue: conversation.rawValue)
    }
}

extension RowAttributes {
    /// What rows of a message by `sender` at `timestamp` are chosen by.
    init(sender: UserID, timestamp: Timestamp) {
        self.init(sender: sender.rowNumber, time: timestamp.microseconds)
    }
}

extension UserID {
    /// The FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/) of the id: the same in every process, for it is kept
    /// in files.
    ///
    /// Two ids may share a number: a filter by it lets through too much, never too little.
    package var rowNumber: Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64(bitPattern: hash)
    }
}

extension SearchFilter {
    /// Lets through the rows of all messages that pass the filter, and hardly any others; nil when everything passes.
    var rowPredicate: RowPredicate? {
        guard !isEmpty else { return nil }
        let senders = senderIDs.map { Set($0.map(\.rowNumber)) }
        let (first, end) = (from?.microseconds, to?.microseconds)
        return { _, row in
            if let senders, !senders.contains(row.sender) { return false }
            if let first, row.time < first { return false }
            if let end, row.time >= end { return false }
            return true
        }
    }
}
