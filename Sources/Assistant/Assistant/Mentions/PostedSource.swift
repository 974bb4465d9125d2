import ChatCore
import Retrieval

/// A source of a message of the assistant, in the form that clients find in ``Message/extra``.
struct PostedSource: Encodable {
    let number: Int
    let conversationId: String
    let conversationName: String
    let messageId: String
    let senderName: String
    let timestamp: String
    let isElsewhere: Bool
    /// Where in a file of the message it is, in words; nil for none.
    let place: String?

    init(number: Int, _ message: Message, at file: FilePlace?, conversationName: String, isElsewhere: Bool) {
        self.number = number
        conversationId = message.key.conversationID.rawValue
        self.conversationName = conversationName
        messageId = message.key.messageID.rawValue
        senderName = message.senderName
        timestamp = message.timestamp.iso8601
        self.isElsewhere = isElsewhere
        place = file.map { file in
            guard let unit = file.unit, let number = file.number else { return file.name }
            // Names of parts are whole phrases, such as "On 3 November Ada wrote".
            if unit == .part, let label = file.label { return "“\(label)” in \(file.name)" }
            return "\(unit.rawValue) \(file.label ?? "\(number)") of \(file.name)"
        }
    }

    /// The line below an answer that names the source.
    var line: String {
        let day = timestamp.split(separator: "T").first.map(String.init) ?? ""
        return "[\(number)] \(senderName), \(day)" + (place.map { ", \($0)" } ?? "")
            + (isElsewhere ? ", from \(conversationName)" : "")
    }

    /// Returns the sources that an answer cites, by number; those of another conversation than `id` are elsewhere.
    static func cited(by answer: Answer, in id: ConversationID?) -> [PostedSource] {
        let numbers = Set(answer.citations.map(\.number))
        return answer.sources.compactMap { source in
            guard let number = source.number, numbers.contains(number) else { return nil }
            return PostedSource(
                number: number, source.hit.message, at: source.hit.excerpt.file,
                conversationName: source.hit.conversation.displayName,
                isElsewhere: source.hit.message.key.conversationID != id)
        }.sorted { $0.number < $1.number }
    }
}
