import ChatCore
import IndexCore
import LexicalIndex

/// A message with its neighbours in its conversation.
struct MessageNeighbours: Sendable {
    var conversation: ConversationNumber
    /// The sender's number in the rows.
    var sender: Int64
    var timestamp: Timestamp
    var marks: MessageMarks
    var previous: MessageNumber?
    var next: MessageNumber?
    /// Whether the message before asks something and has another sender.
    var answersPrevious: Bool
    /// How far it needs its neighbours to be understood: above 0, at most 1.
    var need: Double
}

/// The conversation, sender, time, marks and neighbours of every message in scope, for both retrievers.
///
/// It reads the rows of the lexical index, which has one for each message with content, even if words are not searched.
/// A separate directory would keep the same columns in memory twice.
struct MessageDirectory: Sendable {
    private let rows: BM25Index.Snapshot

    init(_ words: ScopedWords) { rows = words.rows }

    /// Returns the kinds of content of a message; nil if the asker may not see it, as far as the rows tell: its
    /// conversation is not compared.
    func kinds(of message: MessageNumber) -> ContentKinds? {
        rows.facts(of: RowKey(message)).map { WordFlags(rawValue: $0.flags).kinds }
    }

    /// Returns each message with its neighbours; nil for removed messages.
    ///
    /// The weights say how far neighbours may be apart, and how far a long message needs them.
    func neighbours(of messages: [MessageNumber], weights: LexicalWeights) -> [MessageNeighbours?] {
        rows.neighbours(of: messages.map { RowKey($0) }, maximumGap: weights.maximumGap)
            .map { $0.map { MessageNeighbours($0, weights: weights) } }
    }
}

extension MessageNeighbours {
    fileprivate init(_ rows: RowWithNeighbours, weights: LexicalWeights) {
        let asks = rows.previous.map { previous in
            WordFlags(rawValue: previous.flags).marks.contains(.asks)
                && previous.attributes.sender != rows.row.attributes.sender
        }
        self.init(
            conversation: ConversationNumber(rawValue: rows.group.rawValue), sender: rows.row.attributes.sender,
            timestamp: Timestamp(microseconds: rows.row.attributes.time),
            marks: WordFlags(rawValue: rows.row.flags).marks, previous: rows.previous.map { MessageNumber($0.key) },
            next: rows.next.map { MessageNumber($0.key) }, answersPrevious: asks ?? false,
            need: Double(weights.neighbourNeed(textLength: Float(rows.row.textLength))))
    }
}
