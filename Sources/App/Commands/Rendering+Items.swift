import Assistant
import ChatCore
import HTTPAPI

extension Rendering {
    static func show(_ items: [ExtractedItem]) {
        for item in items { Console.print(Console.printable(line(of: item))) }
    }

    /// One item as `[ ] task (who, by when, priority) — "quote", conversation/message`.
    private static func line(of item: ExtractedItem) -> String {
        var about: [String] = []
        if let person = item.personName { about.append(person) }
        if let due = item.due { about.append("by \(due)") }
        if item.kind == .actionItem, item.priority != .medium { about.append(item.priority.rawValue) }
        if item.kind == .decision { about.append("\(item.sentAt)") }
        if let successor = item.supersededByID { about.append("superseded by \(successor)") }
        let box = item.kind == .decision ? "" : item.status == .done ? "[x] " : "[ ] "
        let details = about.isEmpty ? "" : " (\(about.joined(separator: ", ")))"
        return "\(box)\(item.text)\(details)\n    \(item.key.conversationID)/\(item.key.messageID): \"\(item.quote)\"\n"
            + "    \(item.id)"
    }

    static func note(_ outcome: ExtractionOutcome) {
        Console.note(
            "read: \(outcome.messageCount) messages, \(outcome.addedCount) new, \(outcome.changedCount) changed, "
                + "\(outcome.removedCount) gone")
        for (fault, count) in outcome.faults.sorted(by: { $0.key < $1.key }) {
            Console.note("the model's replies: \(fault) \(count)")
        }
        if !outcome.isComplete { Console.note("the conversation is longer: call again to go on") }
    }

    static func show(_ messages: [PriorityWire]) {
        for message in messages {
            let score = message.score.map { "\(Int(($0 * 100).rounded()))" } ?? "-"
            Console.print(
                Console.printable(
                    "\(score)  \(message.senderName), \(message.timestamp): \(message.text)\n"
                        + "    \(message.reason ?? "not judged")"))
        }
    }
}
