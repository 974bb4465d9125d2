import ArgumentParser
import Assistant
import ChatCore
import Evaluation
import Foundation
import MessageStore
import ModelClients
import Prompting
import Retrieval
import UseCases

/// A task that `nexus eval run` measures.
enum EvalTask: String, CaseIterable, ExpressibleByArgument {
    /// The search.
    case search
    /// Items that the language model extracts from conversations; the labels are in `items.jsonl`.
    case actionItems = "action-items"
    case decisions
    case deadlines
    /// Facts that summaries of conversations tell; the labels are in `facts.jsonl`.
    case summaries
    /// Priorities of unread messages; the labels are in `priorities.jsonl`.
    case priorities
    /// Suggested replies; the labels are in `replies.jsonl`.
    case replies
}

extension EvalCommand.Run {
    /// Extracts items of the labelled conversations in a temporary data folder, and compares them with the labels.
    func measureItems(_ kind: ExtractedItem.Kind, settings: NexusSettings) async throws {
        let source = URL(filePath: options.dataset)
        let dataset = try options.read()
        let labels = try ItemLabel.read(source, of: dataset).filter { $0.kind == kind }
        guard !labels.isEmpty else { throw EvaluationError.nothingToMeasure("labels of this kind") }
        let conversations = options.first(
            dataset.conversations.filter { given in labels.contains { $0.conversationID == given.id } })
        let items = try await MeasuredFolder.with(source, settings: settings) { node in
            try await extract(kind, of: conversations, in: node)
        }
        let asked = Set(conversations.map(\.id))
        let report = try ItemReport(
            items, labels: labels.filter { asked.contains($0.conversationID) }, kind: kind, dataset: dataset)
        try EvaluationText.write(report, to: json)
        Console.print("\(kind.rawValue): \(report.labelledCount) labelled, \(report.foundCount) found")
        Console.print(EvaluationText.lines(of: report.values))
    }

    private func extract(
        _ kind: ExtractedItem.Kind, of conversations: [EvaluationConversation], in node: Node
    ) async throws -> [ExtractedItem] {
        let progress = SharedProgress()
        defer { progress.close() }
        var items: [ExtractedItem] = []
        for (place, conversation) in conversations.enumerated() {
            guard let reader = conversation.participants.first?.id else { continue }
            var isComplete = false
            while !isComplete {
                isComplete = try await node.assistant.extractor.extract(
                    kind, in: conversation.id, asker: reader, timeZone: nil
                ).outcome.isComplete
            }
            let scope = SearchScope(asker: reader, conversations: .only([conversation.id]))
            items += try await node.workspace.store.items(of: kind, in: scope, at: node.workspace.now())
            progress.show(StageProgress(stage: .asking, done: place + 1, total: conversations.count))
        }
        return items
    }
}

extension EvalCommand.Run {
    /// Scores unread messages in their conversations at that time, and compares the scores with the labels.
    func measurePriorities(settings: NexusSettings) async throws {
        let dataset = try options.read()
        let cases = options.first(try PriorityCase.read(URL(filePath: options.dataset), of: dataset))
        guard !cases.isEmpty else { throw EvaluationError.nothingToMeasure("labelled messages") }
        let said = try await MeasuredFolder.with(dataset.cut(cases.map(\.cut)), settings: settings) { node in
            try await each(cases, id: \.id) { labelled in
                try await node.assistant.extractor.priorities(
                    in: labelled.cut.id, asker: labelled.readerID, from: .after(labelled.readID), timeZone: nil
                ).reduce(into: [:]) { $0[$1.message.key.messageID] = $1.score }
            }
        }
        let report = try PriorityReport(said, of: cases, dataset: dataset.name)
        try EvaluationText.write(report, to: json)
        Console.print(
            "priorities: \(report.labelledCount) labelled, \(report.scoredCount) scored, \(report.pairCount) pairs")
        Console.print(EvaluationText.lines(of: [("pairwise accuracy", report.accuracy)]))
    }

    /// Runs `body` for each case; returns the results by case id.
    func each<Case, Value>(
        _ cases: [Case], id: (Case) -> String, _ body: (Case) async throws -> Value
    ) async throws -> [String: Value] {
        let progress = SharedProgress()
        defer { progress.close() }
        var values: [String: Value] = [:]
        for labelled in cases {
            values[id(labelled)] = try await body(labelled)
            progress.show(StageProgress(stage: .asking, done: values.count, total: cases.count))
        }
        return values
    }
}

extension EvalCommand.Run {
    /// Suggests replies in conversations at that time, and compares them with the labels.
    func measureReplies(settings: NexusSettings) async throws {
        let dataset = try options.read()
        let cases = options.first(try ReplyCase.read(URL(filePath: options.dataset), of: dataset))
        guard !cases.isEmpty else { throw EvaluationError.nothingToMeasure("cases") }
        let said = try await MeasuredFolder.with(dataset.cut(cases.map(\.cut)), settings: settings) { node in
            try await each(cases, id: \.id) { labelled in
                let said = try await node.assistant.smartReplies.replies(for: labelled.userID, in: labelled.cut.id)
                return ReplyReport.Suggested(replies: said.replies, reason: said.reason?.rawValue)
            }
        }
        let limits = ReplyReport.Limits(count: SmartReplies.limit, length: SmartReplies.lengthLimit)
        let report = try ReplyReport(said, of: cases, limits: limits, dataset: dataset.name)
        try EvaluationText.write(report, to: json)
        Console.print(
            "replies: \(report.cases.count) cases, \(report.replyCount) suggested, \(report.toldCount) of a language")
        Console.print(EvaluationText.lines(of: report.values))
    }
}

extension EvalCommand.Run {
    private typealias Measured = (summaries: [ConversationID: EvaluatedSummary], judged: JudgedStatements?)

    /// Summarizes the conversations that `facts.jsonl` names, as for people, and looks for the facts.
    func measureSummaries(settings: NexusSettings) async throws {
        let source = URL(filePath: options.dataset)
        let dataset = try options.read()
        let facts = try FactLabel.read(source, of: dataset)
        guard !facts.isEmpty else { throw EvaluationError.nothingToMeasure("facts") }
        let (summaries, judged) = try await MeasuredFolder.with(source, settings: settings) { node in
            let conversations = options.first(
                dataset.conversations.filter { given in facts.contains { $0.conversationID == given.id } })
            return try await summarize(conversations, in: node)
        }
        var report = try SummaryReport(summaries, facts: facts, dataset: dataset)
        report.judged = judged
        try EvaluationText.write(report, to: json)
        Console.print(
            "summaries: \(report.summaries.count), \(report.coverage.factCount) facts, "
                + "\(report.coverage.coveredCount) told, \(report.statementCount) statements")
        Console.print(EvaluationText.lines(of: report.values))
        if let judged, judged.unjudgedCount > 0 {
            Console.note(
                "\(judged.unjudgedCount) statements got no verdict, "
                    + "\(judged.uselessReplyCount) of the judge's replies could not be read")
        }
    }

    private func summarize(
        _ conversations: [EvaluationConversation], in node: Node
    ) async throws -> Measured {
        var judge =
            judge ? StatementJudge(try JudgeModel(node.workspace.settings, transport: node.transport)) : nil
        let progress = SharedProgress()
        defer { progress.close() }
        var summaries: [ConversationID: EvaluatedSummary] = [:]
        for (place, conversation) in conversations.enumerated() {
            guard let reader = conversation.participants.first?.id else { continue }
            let answer = try await summary(of: conversation.id, for: reader, by: node)
            summaries[conversation.id] = answer.summary
            try await judge?.judge(answer.summary, sources: answer.judgedSources)
            progress.show(StageProgress(stage: .asking, done: place + 1, total: conversations.count))
        }
        return (summaries, judge?.judged)
    }

    private func summary(
        of id: ConversationID, for reader: UserID, by node: Node
    ) async throws -> Answer {
        let question = ConversationQuestion(text: nil, conversationID: id, asker: reader)
        let answer = try await node.assistant.conversations.wholeAnswer(to: question)
        guard !answer.notices.contains(.modelUnavailable) else {
            throw OperatorFailure(
                message: "the language model gave no summary of the conversation \(id), so nothing is measured")
        }
        return answer
    }
}

extension Answer {
    /// The answer as a summary that can be measured.
    var summary: EvaluatedSummary {
        EvaluatedSummary(
            text: text, citations: citations.map { .init(range: $0.range, key: $0.messageKey) },
            isIncomplete: notices.contains(.incomplete))
    }

    /// The messages that the language model saw, as a judge sees them: first the cited ones by number, then the others
    /// with the numbers that follow.
    var judgedSources: [JudgedSource] {
        let cited = sources.compactMap { source in source.number.map { ($0, source.hit) } }.sorted { $0.0 < $1.0 }
        let shown = Set(promptMessageKeys)
        let others = sources.filter { $0.number == nil && shown.contains($0.hit.message.key) }.map(\.hit)
        return (cited + others.enumerated().map { (cited.count + $0 + 1, $1) }).map { number, hit in
            let source = PromptSource(
                sender: hit.message.senderName, conversation: hit.conversation.displayName,
                conversationID: hit.message.key.conversationID, timestamp: hit.message.timestamp, timeZone: nil,
                text: hit.message.searchableText)
            return JudgedSource(key: hit.message.key, text: NumberedSource(number: number, source: source))
        }
    }
}
