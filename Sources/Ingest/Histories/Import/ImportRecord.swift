import ChatCore
import Foundation

/// One line of a history in JSON lines: a conversation or a message.
enum ImportRecord {
    case conversation(ConversationRoster)
    case message(Message, deletedAt: Timestamp?)

    /// Reads a line.
    ///
    /// A line with `conversationId` is a message, one without is a conversation. Unknown fields are ignored.
    ///
    /// - Parameters:
    ///   - line: One JSON object in UTF-8.
    ///   - decoder: Reads it.
    /// - Throws: ``ImportLineError`` with the reason and, if one is wrong, the field.
    init(line: Data, decoder: JSONDecoder) throws(ImportLineError) {
        do {
            self = try decoder.decode(Line.self, from: line).record
        } catch let error as ImportLineError {
            throw error
        } catch let error as DecodingError {
            throw ImportLineError(error)
        } catch {
            throw ImportLineError(reason: "not readable as JSON")
        }
    }

    /// Reads a line in one pass; its fields decide on the kind.
    private struct Line: Decodable {
        private enum CodingKeys: String, CodingKey {
            case conversationId
            case question
        }

        let record: ImportRecord

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            if fields.contains(.question) {
                throw ImportLineError(reason: "a question, not a conversation or a message")
            }
            if fields.contains(.conversationId) {
                let message = try MessageLine(from: decoder)
                record = .message(message.message(), deletedAt: message.deletedAt?.value)
            } else {
                let conversation = try ConversationLine(from: decoder)
                guard !conversation.isBare else {
                    throw ImportLineError(
                        reason: "neither a conversation (it has participants) nor a message (it has a conversationId)")
                }
                record = .conversation(conversation.roster())
            }
        }
    }
}

/// Why a line was not imported; contains no text of the line except names of fields.
struct ImportLineError: Error, Equatable {
    let reason: String

    init(reason: String) {
        self.reason = reason
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            reason = "missing field \"\(Self.path(context.codingPath + [key]))\""
        case .valueNotFound(_, let context): reason = "field \"\(Self.path(context.codingPath))\" is null"
        case .typeMismatch(_, let context): reason = Self.wrongType(context.codingPath)
        case .dataCorrupted(let context) where context.codingPath.isEmpty: reason = "not valid JSON"
        case .dataCorrupted(let context):
            reason = "field \"\(Self.path(context.codingPath))\": \(context.debugDescription)"
        @unknown default: reason = "not readable"
        }
    }

    private static func wrongType(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "not a JSON object" : "field \"\(self.path(path))\" has the wrong type"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }
}
