import ChatCore
import Foundation

/// REALTALK (https://github.com/danny911kr/REALTALK, no licence file): one chat in each file.
enum RealTalkFile {
    private struct Chat: Decodable {
        private enum CodingKeys: String, CodingKey {
            case questions = "qa"
        }

        var transcript: SessionTranscript
        var questions: [TranscriptQuestion]

        init(from decoder: any Decoder) throws {
            transcript = try SessionTranscript(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            questions = try container.decodeIfPresent([TranscriptQuestion].self, forKey: .questions) ?? []
        }
    }

    /// Adds a chat: `Chat_1.json` becomes `realtalk-chat-1`, its turn `D1:3` the message `realtalk-chat-1/D1:3`.
    ///
    /// A turn without a time gets its session's plus a minute for each turn before it.
    static func add(_ file: URL, to builder: inout DatasetBuilder) throws {
        let chat = try DatasetBuilder.decode(Chat.self, from: file)
        let stem = DatasetBuilder.slug(file.deletingPathExtension().lastPathComponent)
        let conversation = ConversationID(rawValue: "realtalk-\(stem)")
        let people = try builder.addConversation(
            conversation, people: chat.transcript.speakers, file: file.lastPathComponent)
        for session in chat.transcript.sessions {
            let start = session.date.flatMap(LooseDate.moment(in:))
            for (index, turn) in session.turns.enumerated() {
                let own = turn.dateTime.flatMap(LooseDate.moment(in:))
                guard let moment = own ?? start.map({ $0 + .seconds(60 * index) }) else {
                    throw EvaluationError.invalidFile(file: file.lastPathComponent, reason: "\(turn.id) has no date")
                }
                try builder.addMessage(
                    "\(conversation)/\(turn.id)", to: conversation, sender: people[turn.speaker] ?? "",
                    senderName: turn.speaker, text: turn.searchableText, at: moment, file: file.lastPathComponent)
            }
        }
        builder.addQuestions(chat.questions, of: conversation)
    }
}
