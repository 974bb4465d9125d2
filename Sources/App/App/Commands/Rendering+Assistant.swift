import Assistant
import ChatCore
import HTTPAPI
import NexusModel

extension Rendering {
    static func show(_ threads: [ChatThread]) {
        for thread in threads {
            let title = thread.title.isEmpty ? "(no question yet)" : thread.title
            let place = thread.conversationId.map { ", in \($0)" } ?? ""
            let count = thread.turnCount == 1 ? "1 turn" : "\(thread.turnCount) turns"
            Console.print(Console.printable("\(title)\n    \(thread.id), \(count)\(place), \(time(thread.updatedAt))"))
        }
    }

    static func show(_ turns: [ChatTurn]) {
        for turn in turns { Console.print(Console.printable(text(of: turn))) }
    }

    /// One turn: question, answer, then id, time, feedback and sources.
    private static func text(of turn: ChatTurn) -> String {
        let question = turn.question.isEmpty ? "(removed)" : turn.question
        let answer =
            turn.redactedReason.map { "(\(ReadableTurn.Withholding(rawValue: $0)?.explanation ?? $0))" } ?? turn.answer
        var about = ["\(turn.turnId)", time(turn.askedAt)]
        if let feedback = turn.feedback {
            about.append(feedback.rating.rawValue + (feedback.reason.map { " (\($0))" } ?? ""))
        }
        let cited = turn.sources.compactMap { source in source.number.map { ($0, source) } }.sorted { $0.0 < $1.0 }
        let sources = cited.map { number, source in
            "    [\(number)] \(source.senderName), \(source.conversationName), \(time(source.timestamp)) "
                + "(\(source.conversationId)/\(source.messageId))" + (source.url.map { "\n        \($0)" } ?? "")
        }
        return
            (["Q: \(question)"] + (answer.isEmpty ? [] : ["A: \(answer)"]) + ["    " + about.joined(separator: ", ")]
            + sources).joined(separator: "\n")
    }
}

extension Rendering {
    static func show(_ items: [ChatItem], of kind: ExtractedItem.Kind) {
        for item in items { Console.print(Console.printable(line(of: item, kind))) }
    }

    /// One item as `[ ] task (who, by when, priority) — "quote", conversation/message`.
    private static func line(of item: ChatItem, _ kind: ExtractedItem.Kind) -> String {
        var about: [String] = []
        if let person = item.person { about.append(person) }
        if let due = item.due { about.append("by \(time(due))") }
        if let priority = item.priority, priority != .medium { about.append(priority.rawValue) }
        if kind == .decision { about.append(time(item.sentAt)) }
        if let successor = item.supersededBy { about.append("superseded by \(successor)") }
        let box = kind == .decision ? "" : item.status == .done ? "[x] " : "[ ] "
        let details = about.isEmpty ? "" : " (\(about.joined(separator: ", ")))"
        return "\(box)\(item.text)\(details)\n    \(item.conversationId)/\(item.messageId): \"\(item.quote)\"\n"
            + "    \(item.id)"
    }

    static func showCounts(_ outcome: ChatExtraction) {
        Console.note(
            "read: \(outcome.messageCount) messages, \(outcome.addedCount) new, \(outcome.changedCount) changed, "
                + "\(outcome.removedCount) removed")
        for (fault, count) in (outcome.faults ?? [:]).sorted(by: { $0.key < $1.key }) {
            Console.note("the model's replies: \(fault) \(count)")
        }
        if !outcome.isComplete { Console.note("the conversation is longer: call again to continue") }
    }

    static func show(_ messages: [NexusModel.MessagePriority]) {
        for message in messages {
            let score = message.score.map { "\(Int(($0 * 100).rounded()))" } ?? "-"
            Console.print(
                Console.printable(
                    "\(score)  \(message.senderName), \(time(message.timestamp)): \(message.text)\n"
                        + "    \(message.reason ?? "not judged")"))
        }
    }
}
