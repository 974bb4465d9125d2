import ChatCore
import Extraction
import TextAnalysis

/// A talk of four messages, said on Wednesday, 22 October 2025 in Berlin; the first one is context.
enum Talk {
    static let ada = Participant(id: "ada", displayName: "Ada Lovelace", aliases: ["Countess"])
    static let bert = Participant(id: "bert", displayName: "Bert Brown")
    static let cara = Participant(id: "cara", displayName: "Cara Brown")

    static func message(
        _ id: MessageID, _ sender: Participant, _ text: String, at time: String = "2025-10-22T07:15:00Z",
        isContext: Bool = false
    ) -> NumberedMessage {
        NumberedMessage(
            key: MessageKey(conversationID: "ship", messageID: id), senderID: sender.id,
            senderName: sender.displayName, timestamp: Timestamp(iso8601: time) ?? Timestamp(microseconds: 0),
            text: text,
            isContext: isContext)
    }

    static let messages = [
        message("m1", ada, "We ship the engine with brass gears.", at: "2025-10-20T07:15:00Z", isContext: true),
        message("m2", bert, "I'll send the drawings to the foundry by Friday."),
        message("m3", ada, "Bert, please order 12 gears. And Countess here will write the manual tomorrow 5pm."),
        message("m4", cara, "No brass: we ship with steel gears instead. The foundry closes on Dec 3 at noon."),
    ]

    static let context = ExtractionContext(messages: messages, participants: [ada, bert, cara], zone: "Europe/Berlin")

    static func read(_ reply: String, _ schema: ExtractionSchema = .actionItems) -> ExtractedReply {
        DraftReader(schema: schema, context: context).read(reply)
    }

    /// The items as one line each: message, text, person, due, priority.
    static func lines(_ reply: ExtractedReply) -> [String] {
        reply.drafts.map { draft in
            [
                draft.message.key.messageID.rawValue, draft.text, draft.person?.id.rawValue ?? "-",
                draft.due?.iso8601 ?? "-", draft.priority.rawValue,
            ].joined(separator: " | ")
        }
    }

    /// The faults as `item:reason`, with an exclamation mark where the item was dropped.
    static func faults(_ reply: ExtractedReply) -> [String] {
        reply.faults.map { "\($0.item):\($0.reason.rawValue)\($0.isDropped ? "!" : "")" }
    }
}

/// Numbers that are the same on each run.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
