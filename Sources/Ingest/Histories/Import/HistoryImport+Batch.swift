import ChatCore

extension HistoryImport {
    /// Items that are stored together.
    struct Batch {
        /// A value with its place.
        struct Placed<Value> {
            let place: HistoryPlace
            /// The index of the item in the batch.
            let index: Int
            var value: Value
            /// When the message was deleted, if it was: it is stored without text, then deleted.
            var deletedAt: Timestamp?
        }

        let source: String
        var rosters: [Placed<ConversationRoster>] = []
        private(set) var authors: [Placed<Identity>] = []
        private(set) var messages: [Placed<Message>] = []
        private var rejections: [(index: Int, place: HistoryPlace, reason: String)] = []
        private(set) var skipped: [SkipReason: Int] = [:]
        private(set) var notes: [ImportNote] = []
        /// Messages that are stored already.
        private(set) var knownCount = 0

        /// Sorts items by the kind of processing.
        ///
        /// Names, captions, reactions and further fields that are too long are cut, because a history cannot be asked
        /// to send less.
        init(_ batch: HistoryReading.Batch) {
            source = batch.source
            for (index, item) in batch.items.enumerated() { add(item, index: index) }
        }

        /// The rejected items, in order.
        var rejects: [(index: Int, place: HistoryPlace, reason: String)] {
            rejections.sorted { $0.index < $1.index }
        }

        private mutating func add(_ item: HistoryItem, index: Int) {
            let place = item.place
            switch item.content {
            case .roster(let roster): rosters.append(Placed(place: place, index: index, value: roster.cutToLimits()))
            case .author(let author): authors.append(Placed(place: place, index: index, value: author.cutToLimits()))
            case .message(let message, let deletedAt):
                messages.append(
                    Placed(place: place, index: index, value: message.cutToLimits(), deletedAt: deletedAt))
            case .known: knownCount += 1
            case .skipped(let reason): skipped[reason, default: 0] += 1
            case .rejected(let reason): rejections.append((index, place, reason))
            case .noted(let note): notes.add(note)
            }
        }

        mutating func reject<Value>(_ item: Placed<Value>, _ reason: String) {
            rejections.append((item.index, item.place, reason))
        }

        /// Counts the result for a message.
        mutating func count(_ outcome: AcceptOutcome, of message: Placed<Message>, in report: inout ImportReport) {
            switch outcome {
            case .inserted: report.insertedMessages += 1
            case .unchanged: report.unchangedMessages += 1
            case .updated: report.updatedMessages += 1
            case .deletedBefore: report.deletedMessages += 1
            case .conflict: reject(message, "another message has the same id")
            case .noSuchConversation: reject(message, "unknown conversation")
            case .invalid(let field, let reason): reject(message, "field \"\(field)\": \(reason)")
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
