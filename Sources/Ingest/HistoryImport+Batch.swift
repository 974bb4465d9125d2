import ChatCore
import Foundation

extension HistoryImport {
    /// Lines that are stored together.
    struct Batch {
        /// A value with the number of its line.
        struct Numbered<Value> {
            let line: Int
            let value: Value
            /// When the message was deleted, if it was: it is stored without text, then deleted.
            var deletedAt: Timestamp?
        }

        private let decoder = JSONDecoder()
        private(set) var lineCount = 0
        private(set) var conversations: [Numbered<ConversationRoster>] = []
        private(set) var messages: [Numbered<Message>] = []
        private(set) var rejects: [(line: Int, reason: String)] = []

        /// Adds a line; returns how many bytes of the file it took.
        mutating func add(_ line: LineReader.Line, number: Int) -> Int {
            lineCount += 1
            switch line {
            case .tooLong:
                reject(number, "longer than \(LineReader.lineByteLimit) bytes")
                return LineReader.lineByteLimit
            case .text(let data):
                add(data, number: number)
                return data.count + 1
            }
        }

        private mutating func add(_ data: Data, number: Int) {
            guard !data.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
            guard String(validating: data, as: UTF8.self) != nil else {
                return reject(number, "not valid UTF-8")
            }
            do throws(ImportLineError) {
                switch try ImportRecord(line: data, decoder: decoder) {
                case .conversation(let roster): conversations.append(Numbered(line: number, value: roster))
                case .message(let message, let deletedAt):
                    messages.append(Numbered(line: number, value: message, deletedAt: deletedAt))
                }
            } catch {
                reject(number, error.reason)
            }
        }

        mutating func reject(_ line: Int, _ reason: String) {
            rejects.append((line, reason))
        }

        /// Counts what became of a message.
        mutating func count(_ outcome: AcceptOutcome, line: Int, in report: inout ImportReport) {
            switch outcome {
            case .inserted: report.insertedMessages += 1
            case .unchanged: report.unchangedMessages += 1
            case .updated: report.updatedMessages += 1
            case .deletedBefore: report.deletedMessages += 1
            case .conflict: reject(line, "the same id stands for another message")
            case .noSuchConversation: reject(line, "unknown conversation")
            case .invalid(let field, let reason): reject(line, "field \"\(field)\": \(reason)")
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
