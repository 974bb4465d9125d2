import ChatCore

extension HistoryImport {
    /// Items that are stored together.
    struct Batch {
        /// A value with its place.
        struct Placed<Value> {
            let place: HistoryPlace
            let value: Value
            /// When the message was deleted, if it was: it is stored without text, then deleted.
            var deletedAt: Timestamp?
        }

        let source: String
        private(set) var rosters: [Placed<ConversationRoster>] = []
        private(set) var authors: [Placed<Identity>] = []
        private(set) var messages: [Placed<Message>] = []
        private(set) var rejects: [(place: HistoryPlace, reason: String)] = []
        private(set) var skipped: [SkipReason: Int] = [:]

        /// Sorts items by what is done with them.
        init(_ batch: HistoryReading.Batch) {
            source = batch.source
            for item in batch.items { add(item) }
        }

        private mutating func add(_ item: HistoryItem) {
            switch item.content {
            case .roster(let roster): rosters.append(Placed(place: item.place, value: roster))
            case .author(let author): authors.append(Placed(place: item.place, value: author))
            case .message(let message, let deletedAt):
                messages.append(Placed(place: item.place, value: message, deletedAt: deletedAt))
            case .skipped(let reason): skipped[reason, default: 0] += 1
            case .rejected(let reason): reject(item.place, reason)
            }
        }

        mutating func reject(_ place: HistoryPlace, _ reason: String) {
            rejects.append((place, reason))
        }

        /// Counts what became of a message.
        mutating func count(_ outcome: AcceptOutcome, at place: HistoryPlace, in report: inout ImportReport) {
            switch outcome {
            case .inserted: report.insertedMessages += 1
            case .unchanged: report.unchangedMessages += 1
            case .updated: report.updatedMessages += 1
            case .deletedBefore: report.deletedMessages += 1
            case .conflict: reject(place, "the same id stands for another message")
            case .noSuchConversation: reject(place, "unknown conversation")
            case .invalid(let field, let reason): reject(place, "field \"\(field)\": \(reason)")
            }
        }
    }
}

extension AcceptOutcome {
    /// Whether the message is stored now.
    var isThere: Bool {
        switch self {
        case .inserted, .updated, .unchanged: true
        case .deletedBefore, .conflict, .noSuchConversation, .invalid: false
        }
    }
}
