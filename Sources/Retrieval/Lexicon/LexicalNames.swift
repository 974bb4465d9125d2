import ChatCore
import LexicalIndex

// How messages and conversations are named in the lexical index, whose types have the same names as those of the vector
// index: files that know both use these.

typealias WordRowKey = RowKey
typealias WordGroupKey = GroupKey
typealias WordSelection = GroupSelection
typealias WordPredicate = RowPredicate

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
