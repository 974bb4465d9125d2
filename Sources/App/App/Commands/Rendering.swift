import Assistant
import ChatCore
import Foundation
import Histories
package import NexusModel
import UseCases

/// Shows outcomes to people.
package enum Rendering {
    static func show(_ report: ImportReport, waiting: Int?) {
        var parts = ["\(report.insertedMessages) new messages"]
        if report.updatedMessages > 0 { parts.append("\(report.updatedMessages) renewed") }
        if report.unchangedMessages > 0 { parts.append("\(report.unchangedMessages) known before") }
        if report.deletedMessages > 0 { parts.append("\(report.deletedMessages) deleted") }
        if report.newConversations > 0 { parts.append("\(report.newConversations) new conversations") }
        if report.rejectedItems > 0 { parts.append("\(report.rejectedItems) items not imported") }
        if report.isEmpty {
            Console.print((["no messages imported"] + parts.dropFirst()).joined(separator: ", "))
        } else {
            Console.print("imported: " + parts.joined(separator: ", "))
        }
        show(skipped: report.skipped)
        if report.missingMessages > 0 {
            Console.print("missing: \(report.missingMessages) stored messages, which stay")
        }
        for renaming in report.renamed { Console.print(Console.printable(line(of: renaming))) }
        show(report.notes)
        guard waiting ?? report.insertedMessages > 0 else { return }
        let count = waiting.map { "\($0) messages wait" } ?? "they wait"
        Console.print("\(count) to be embedded: nexus ingest, or a running server")
    }

    static func show(_ queue: QueueStatus) {
        Console.print("embedded: \(queue.embeddedCount) of \(queue.embeddableCount) messages")
        if queue.pendingCount > 0 { Console.print("waiting: \(queue.pendingCount)") }
        if queue.failedCount > 0 { Console.print("given up: \(queue.failedCount); see nexus ingest failed") }
    }

    static func show(_ messages: [FailedMessage]) {
        for message in messages {
            Console.print(
                Console.printable(
                    "\(message.name)  \(message.code), \(message.attempts) tries, \(message.failedAt), "
                        + "generation \(message.generation): \(message.reason)"))
        }
        if messages.isEmpty { Console.note("no message was given up") }
    }

    static func show(_ report: EmbeddingReport) {
        let coverage = report.coverage
        Console.print(
            "  messages: \(coverage.messageCount) = embedded \(coverage.embeddedCount) + waiting "
                + "\(coverage.waitingCount) + given up \(coverage.failedCount) + excluded \(coverage.excludedCount) "
                + "+ nothing to embed \(coverage.emptyCount)")
        if let age = report.oldestWaitingSeconds { Console.print("  oldest waiting for: \(span(age))") }
        if report.messagesPerSecond > 0 {
            let rest = report.secondsLeft.map { ", done in about \(span($0))" } ?? ""
            Console.print("  embedding: \(hundredths(report.messagesPerSecond)) messages a second\(rest)")
        }
        for (code, count) in report.failures.sorted(by: { $0.key < $1.key }) {
            Console.print("  given up for \(code): \(count)")
        }
        let (asked, askedTotal) = (report.questionsToday.tokenCount, report.questionsTotal.tokenCount)
        Console.print(
            "  tokens: \(report.today.tokenCount.addingClamped(asked)) today\(cost(report.costToday)), "
                + "\(report.total.tokenCount.addingClamped(askedTotal)) in all\(cost(report.costTotal))")
        if askedTotal > 0 { Console.print("  of these for questions: \(asked) today, \(askedTotal) in all") }
    }

    private static func cost(_ amount: Double?) -> String {
        amount.map { $0 > 0 ? String(format: " (cost %.4f)", $0) : "" } ?? ""
    }

    /// Seconds as `3 h 12 min`, `4 min 5 s` or `7 s`.
    private static func span(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e12).rounded())
        if whole >= 3_600 { return "\(whole / 3_600) h \(whole % 3_600 / 60) min" }
        return whole >= 60 ? "\(whole / 60) min \(whole % 60) s" : "\(whole) s"
    }

    static func show(_ messages: [ChatSearchResult.Found]) {
        for (index, message) in messages.enumerated() {
            Console.print(
                Console.printable(
                    "\(index + 1). \(message.senderName), \(message.conversationName), \(time(message.timestamp)) "
                        + "(\(percent(message.score)))\n   \(message.text)"))
            if let others = message.duplicates {
                let ids = others.prefix(5).map(\.messageId).joined(separator: ", ")
                Console.print(
                    Console.printable("   said \(others.count) more times: \(ids)\(others.count > 5 ? ", …" : "")"))
            }
            if let part = message.passage {
                Console.print("   found: part \(part.ordinal + 1), characters \(part.start) to \(part.end)")
            }
            if let signals = message.explanation { Console.print("   " + signals.map(text).joined(separator: ", ")) }
        }
        if messages.isEmpty { Console.note("nothing found") }
    }

    static func show(_ timeline: ChatTimeline) {
        if let asOf = timeline.asOf { Console.note("Only messages up to \(asOf) were read.") }
        for entry in timeline.entries {
            let values = entry.states.filter { $0.kind != "decision" }.map { $0.value ?? $0.text }
            let head = values.isEmpty ? "" : values.joined(separator: ", ") + ": "
            Console.print(
                Console.printable(
                    "\(head)\(entry.excerpt)\n   \(entry.senderName), \(entry.conversationName), "
                        + time(entry.timestamp)))
            if let newer = entry.replacedBy {
                let replaced = entry.states.filter { $0.isReplaced ?? false }.map(\.text)
                let part = replaced.count < entry.states.count ? replaced.joined(separator: ", ") + " " : ""
                Console.print(Console.printable("   \(part)replaced by \(newer.conversationId) \(newer.messageId)"))
            }
            if let said = entry.verdict {
                let words = said.isReplaced ? "replaced" : "still true"
                Console.print(Console.printable("   \(words), says \(said.userName)"))
            }
        }
        if timeline.entries.isEmpty { Console.note("no message states anything about it") }
    }

    /// A signal as `cosine 0.61 (rank 2) +0.61`.
    private static func text(_ signal: SearchSignal) -> String {
        let rank = signal.rank.map { " (rank \($0))" } ?? ""
        let sign = signal.contribution < 0 ? "" : "+"
        return "\(signal.name) \(hundredths(signal.value))\(rank) \(sign)\(hundredths(signal.contribution))"
    }

    /// A time as ISO 8601; empty for none.
    static func time(_ date: Date?) -> String { date.map { TimeText.text($0) } ?? "" }

    private static func hundredths(_ value: Double) -> String { String(format: "%.2f", value) }

    static func show(_ suggested: NexusModel.SmartReplies) {
        for text in suggested.replies { Console.print(Console.printable(text)) }
        switch suggested.reason.flatMap({ Assistant.SmartReplies.Reason(rawValue: $0) }) {
        case nil: break
        case .noLanguageModel: Console.note("No language model is configured.")
        case .emptyConversation: Console.note("There is no message yet.")
        case .machineMessage: Console.note("A program wrote the last message.")
        case .ownLastMessage: Console.note("The last message is this user's own.")
        case .nothingWritten: Console.note("The last message has no words.")
        case .noSuggestion: Console.note("The language model suggested nothing that can be used.")
        }
    }

    /// Shows the notices and sources of an answer whose text was already shown.
    static func showSources(of answer: ChatAnswer) {
        Console.print("")
        if answer.notices.contains(.truncated) { Console.note("The token limit cut the answer off.") }
        if answer.notices.contains(.filtered) { Console.note("The model's service cut the answer off.") }
        if answer.notices.contains(.uncited) {
            Console.note(
                answer.sources.isEmpty
                    ? "The answer cites no message." : "The answer cites no message; the model was given these.")
        }
        if answer.notices.contains(.incomplete) {
            Console.note(
                "Parts of the conversation are neither shown to the model nor summarized; ask again to continue.")
        }
        if answer.notices.contains(.asOf) { Console.note("Only messages up to \(answer.asOf ?? "then") were read.") }
        if answer.notices.contains(.sentencesRemoved) {
            Console.note("Sentences that no message supports were removed.")
        }
        doubts(about: answer).forEach { Console.note(Console.printable($0)) }
        guard !answer.sources.isEmpty else { return }
        Console.print("\nSources:")
        for source in answer.sources {
            let number = source.number.map { "[\($0)]" } ?? " - "
            Console.print(
                Console.printable(
                    "\(number) \(source.senderName), \(source.conversationName), \(time(source.timestamp)) "
                        + "(\(percent(source.relevanceScore)))\n    \(source.excerpt)"
                        + (source.url.map { "\n    \($0)" } ?? "")))
        }
    }

    /// Returns a line for each sentence of an answer that the messages do not support.
    package static func doubts(about answer: ChatAnswer) -> [String] {
        let characters = Array(answer.answer)
        return (answer.sentences ?? []).compactMap { sentence in
            guard sentence.start >= 0, sentence.start < sentence.end, sentence.end <= characters.count else {
                return nil
            }
            let text = String(characters[sentence.start..<sentence.end])
            switch sentence.support {
            case .contradicted: return "The messages say otherwise: \(text)"
            case .unsupported: return "No message says this: \(text)"
            case .partly: return "The messages say only a part of this: \(text)"
            default: return nil
            }
        }
    }

    static func show(_ status: WorkspaceStatus) {
        Console.print("data folder: \(status.dataFolder)\(status.isServed ? ", served" : "")")
        for generation in status.generations {
            Console.print(
                "generation \(generation.number) (\(generation.state.rawValue)): \(generation.provider) "
                    + "\(generation.model), \(generation.dimensions) dimensions")
            show(generation.report)
        }
        if status.generations.isEmpty { Console.print("nothing embedded yet") }
        Console.print("searchable passages: \(status.searchablePassages)")
        for line in status.sources ?? [] { Console.print(Console.printable(line)) }
        for note in status.notes { Console.print("note: \(note)") }
    }

    static func show(_ findings: [Finding]) {
        for finding in findings {
            let mark =
                switch finding.verdict {
                case .good: "ok  "
                case .warning: "warn"
                case .bad: "BAD "
                }
            Console.print("\(mark)  \(finding.subject): \(finding.detail)")
        }
    }

    static func show(_ identities: [Identity]) {
        for identity in identities {
            Console.print(
                Console.printable(
                    "\(identity.source)  \(identity.externalID)\(known(of: identity))  ->  \(identity.userID.rawValue)")
            )
        }
    }

    /// The facts about an author in a history, as ` (Ada Lovelace, ada@example.org, bot)`.
    private static func known(of author: Identity) -> String {
        let kind = author.kind.flatMap { $0 == .member ? nil : $0.rawValue } ?? (author.isBot ? "bot" : nil)
        let facts = [author.name, author.email, kind].compactMap { $0 }
        return facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
    }

    private static func percent(_ share: Double?) -> String { "\(Int(((share ?? 0) * 100).rounded())) %" }
}
