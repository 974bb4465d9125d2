import ChatCore
import HTTPAPI

extension Rendering {
    static func show(_ threads: [ThreadWire]) {
        for thread in threads {
            let title = thread.title.isEmpty ? "(no question yet)" : thread.title
            let place = thread.conversationId.map { ", in \($0)" } ?? ""
            let count = thread.turnCount == 1 ? "1 turn" : "\(thread.turnCount) turns"
            Console.print(Console.printable("\(title)\n    \(thread.id), \(count)\(place), \(thread.updatedAt)"))
        }
    }

    static func show(_ turns: [TurnWire]) {
        for turn in turns { Console.print(Console.printable(text(of: turn))) }
    }

    /// One turn: question, answer, then id, time, feedback and sources.
    private static func text(of turn: TurnWire) -> String {
        let question = turn.question.isEmpty ? "(removed)" : turn.question
        let answer = turn.redactedReason.map { "(\($0.explanation))" } ?? turn.answer
        var about = ["\(turn.turnId)", "\(turn.askedAt)"]
        if let feedback = turn.feedback {
            about.append(feedback.rating.rawValue + (feedback.reason.map { " (\($0))" } ?? ""))
        }
        let cited = turn.sources.compactMap { source in source.number.map { ($0, source) } }.sorted { $0.0 < $1.0 }
        let sources = cited.map { number, source in
            "    [\(number)] \(source.senderName), \(source.conversationName), \(source.timestamp) "
                + "(\(source.conversationId)/\(source.messageId))" + (source.url.map { "\n        \($0)" } ?? "")
        }
        return
            (["Q: \(question)"] + (answer.isEmpty ? [] : ["A: \(answer)"]) + ["    " + about.joined(separator: ", ")]
            + sources).joined(separator: "\n")
    }
}
