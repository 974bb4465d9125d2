import ChatCore
import Synchronization
import VectorIndex

/// What the filters and the results need to know of the rows of a vector index.
///
/// Written before the index gets a row and after it has lost one, so that every row that a search meets is known here.
final class PassageTable: Sendable {
    /// What is known of one row.
    struct Entry {
        let messageKey: MessageKey
        let senderID: UserID
        let timestamp: Timestamp
    }

    private struct State {
        var entries: [PassageNumber: Entry] = [:]
        var passages: [MessageKey: [PassageNumber]] = [:]
    }

    private let state = Mutex(State())

    /// Adds passages, or renews what is known of them.
    func insert(_ passages: [IndexedPassage]) {
        state.withLock { state in
            for passage in passages {
                let entry = Entry(
                    messageKey: passage.messageKey, senderID: passage.senderID, timestamp: passage.timestamp)
                guard state.entries.updateValue(entry, forKey: passage.number) == nil else { continue }
                state.passages[passage.messageKey, default: []].append(passage.number)
            }
        }
    }

    /// Forgets passages.
    func remove(_ numbers: [PassageNumber]) {
        state.withLock { state in
            for number in numbers {
                guard let entry = state.entries.removeValue(forKey: number) else { continue }
                let rest = state.passages[entry.messageKey, default: []].filter { $0 != number }
                state.passages[entry.messageKey] = rest.isEmpty ? nil : rest
            }
        }
    }

    /// Returns what is known of a row; nil when it has gone.
    func entry(of key: RowKey) -> Entry? {
        state.withLock { $0.entries[PassageNumber(rawValue: key.rawValue)] }
    }

    /// Returns the passages of a message.
    func passages(of message: MessageKey) -> [PassageNumber] {
        state.withLock { $0.passages[message] ?? [] }
    }
}

extension RowKey {
    /// The row that holds a passage's vector.
    init(_ passage: PassageNumber) {
        self.init(rawValue: passage.rawValue)
    }
}

extension GroupKey {
    /// The group that holds a conversation's rows.
    init(_ conversation: ConversationNumber) {
        self.init(rawValue: conversation.rawValue)
    }
}
