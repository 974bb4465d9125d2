import ChatCore
import Extraction
import Foundation
import Testing
import TextAnalysis

/// A model that finds exactly what is labelled in the sample chats, in the words of people: names, dates and quotes
/// come out as they are labelled.
@Suite("Labelled chats")
struct LabelledChatTests {
    private typealias Object = [String: Any]

    private static func lines(_ dataset: String, _ file: String) throws -> [Object] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "eval/datasets/\(dataset)")
        let text = try String(contentsOf: folder.appending(path: file + ".jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
        }
    }

    private static func context(_ dataset: String, _ conversation: Object) throws -> ExtractionContext {
        let id = try #require(conversation["id"] as? String)
        let messages = try lines(dataset, "messages").filter { $0["conversationId"] as? String == id }.map { line in
            NumberedMessage(
                key: MessageKey(
                    conversationID: ConversationID(rawValue: id),
                    messageID: MessageID(rawValue: line["id"] as? String ?? "")),
                senderID: UserID(rawValue: line["senderId"] as? String ?? ""),
                senderName: line["senderName"] as? String ?? "",
                timestamp: try #require(Timestamp(iso8601: line["timestamp"] as? String ?? "")),
                text: line["text"] as? String ?? "", isContext: false)
        }
        let people = (conversation["participants"] as? [Object] ?? []).map { person in
            Participant(
                id: UserID(rawValue: person["id"] as? String ?? ""), displayName: person["name"] as? String ?? "",
                aliases: person["aliases"] as? [String] ?? [])
        }
        return ExtractionContext(
            messages: messages, participants: people, zone: conversation["timeZone"] as? String ?? "UTC")
    }

    /// What the model says of a label: a date as the words of its message, a person by alias where there is one.
    private static func item(_ label: Object, in context: ExtractionContext) throws -> Object {
        let id = (label["messageIds"] as? [String])?.last
        let place = try #require(context.messages.firstIndex { $0.key.messageID.rawValue == id })
        let person = context.participants.first { $0.id.rawValue == label["personId"] as? String }
        let words = context.messages[place].text
        let name: Any = person.map { $0.aliases.first ?? $0.displayName } ?? NSNull()
        if label["kind"] as? String == "deadline" {
            // Several days may stand in a message: the date itself tells which one is meant.
            return [
                "message": place + 1, "what": label["text"] ?? "", "when": label["due"] ?? NSNull(), "whose": name,
                "quote": words,
            ]
        }
        return [
            "message": place + 1, "task": label["text"] ?? "", "decision": label["text"] ?? "",
            "assignee": name,
            "decidedBy": person.map(\.displayName) ?? NSNull(),
            "deadline": label["due"] is String ? words : NSNull(), "quote": words,
        ]
    }

    @Test("come out as they are labelled", arguments: ["harbor", "koto", "werft"])
    func gold(dataset: String) throws {
        let labels = try Self.lines(dataset, "items")
        var count = 0
        for conversation in try Self.lines(dataset, "conversations") {
            let context = try Self.context(dataset, conversation)
            for schema in [ExtractionSchema.actionItems, .decisions, .deadlines] {
                let kind = schema.itemKind?.rawValue ?? ""
                let wanted = labels.filter {
                    $0["conversationId"] as? String == conversation["id"] as? String && $0["kind"] as? String == kind
                }
                let reply = try JSONSerialization.data(
                    withJSONObject: ["items": try wanted.map { try Self.item($0, in: context) }])

                let read = DraftReader(schema: schema, context: context).read(String(decoding: reply, as: UTF8.self))

                #expect(read.faults == [], "\(conversation["id"] ?? "") \(kind)")
                #expect(read.drafts.map(\.text) == wanted.map { $0["text"] as? String })
                #expect(read.drafts.map(\.person?.id.rawValue) == wanted.map { $0["personId"] as? String })
                if kind != "decision" {
                    let days = read.drafts.map { Self.day($0.due, context.zone) }
                    #expect(zip(days, wanted).allSatisfy { Self.isRight($0, $1) }, "\(days)")
                }
                #expect(
                    zip(read.drafts, wanted).allSatisfy { draft, label in
                        (label["messageIds"] as? [String])?.contains(draft.message.key.messageID.rawValue) == true
                    })
                count += read.drafts.count
            }
        }
        #expect(count == labels.count && count > 25)
    }

    /// Whether a day is that of a label, or one of its days.
    private static func isRight(_ day: String?, _ label: Object) -> Bool {
        guard let day, let due = label["due"] as? String else { return day == label["due"] as? String }
        return (due...(label["until"] as? String ?? due)).contains(day)
    }

    private static func day(_ moment: Timestamp?, _ zone: String) -> String? {
        moment.flatMap { DayClock(zone: zone).day(of: $0) }
            .map { String(Timestamp(microseconds: $0 * 86_400_000_000).iso8601.prefix(10)) }
    }
}
