import ChatCore
import IndexCore
import LexicalIndex

/// A message with what stands beside it in its conversation.
struct MessageNeighbours: Sendable {
    /// Where it is.
    var conversation: ConversationNumber
    /// Who wrote it, as rows tell senders apart.
    var sender: Int64
    var timestamp: Timestamp
    var marks: MessageMarks
    var previous: MessageNumber?
    var next: MessageNumber?
    /// Whether the message before asks something, and somebody else wrote it.
    var answersPrevious: Bool
}

/// What both retrievers know of every message in scope: where it is, by whom, of when, its marks and its neighbours.
///
/// It reads the rows of the lexical index, which has one for each message with content, whether words are searched or not:
/// a directory of its own would keep the same columns in memory once more.
struct MessageDirectory: Sendable {
    private let rows: BM25Index.Snapshot

    init(_ words: ScopedWords) { rows = words.rows }

    /// Returns each message with its neighbours; nil for those that have gone.
    ///
    /// Messages that lie further apart than the gap are no neighbours.
    func neighbours(of messages: [MessageNumber], gapMinutes: Int) -> [MessageNeighbours?] {
        rows.neighbours(of: messages.map { RowKey($0) }, maximumGap: Int64(gapMinutes) * 60_000_000)
            .map { $0.map(MessageNeighbours.init) }
    }
}

extension MessageNeighbours {
    fileprivate init(_ rows: RowWithNeighbours) {
        let asks = rows.previous.map { previous in
            WordFlags(rawValue: previous.flags).marks.contains(.asks)
                && previous.attributes.sender != rows.row.attributes.sender
        }
        self.init(
            conversation: ConversationNumber(rawValue: rows.group.rawValue), sender: rows.row.attributes.sender,
            timestamp: Timestamp(microseconds: rows.row.attributes.time),
            marks: WordFlags(rawValue: rows.row.flags).marks, previous: rows.previous.map { MessageNumber($0.key) },
            next: rows.next.map { MessageNumber($0.key) }, answersPrevious: asks ?? false)
    }
}
