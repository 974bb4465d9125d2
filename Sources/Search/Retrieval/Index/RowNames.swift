package import ChatCore
import IndexCore

// A row of the vector index is a passage, and a row of the lexical index a message. Groups of both are conversations.

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

extension RowKey {
    /// The row that holds a message's terms.
    init(_ message: MessageNumber) {
        self.init(rawValue: message.rawValue)
    }
}

extension MessageNumber {
    /// The message whose terms a row holds.
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
    /// The attributes by which rows of a message are filtered.
    init(sender: UserID, timestamp: Timestamp, message: MessageNumber) {
        self.init(sender: sender.rowNumber, time: timestamp.microseconds, owner: message.rawValue)
    }
}

extension UserID {
    /// A hash of the id.
    ///
    /// Two ids may share a number, so a filter by it may let through too much, but never too little.
    package var rowNumber: Int64 { StableHash.number(of: rawValue) }
}

/// Numbers for ids, the same in every process and on every machine, because they are kept in files.
package enum StableHash {
    /// Returns the FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/) of a text's UTF-8.
    package static func number(of text: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64(bitPattern: hash)
    }
}
