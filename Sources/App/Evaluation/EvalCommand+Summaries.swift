import Assistant
import ChatCore
import Evaluation
import Foundation
import ModelClients
import Prompting
import Retrieval

extension EvalCommand.Run {
    private typealias Measured = (summaries: [ConversationID: EvaluatedSummary], judged: JudgedStatements?)

    /// Lets the conversations that `facts.jsonl` names be summarized as people get it, and looks for the facts.
    func measureSummaries(settings: NexusSettings) async throws {
        let source = URL(filePath: options.dataset)
        let dataset = try options.read()
        let facts = try FactLabel.read(source, of: dataset)
        guard !facts.isEmpty else { throw EvaluationError.nothingToMeasure("facts") }
        let (summaries, judged) = try await MeasuredFolder.with(source, settings: settings) { workspace in
            let conversations = options.first(
                dataset.conversations.filter { given in facts.contains { $0.conversationID == given.id } })
            return try await summarize(conversations, in: workspace)
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
        _ conversations: [EvaluationConversation], in workspace: Workspace
    ) async throws -> Measured {
        var judge =
            judge ? StatementJudge(try JudgeModel(workspace.settings, transport: workspace.transport)) : nil
        let progress = SharedProgress()
        defer { progress.close() }
        var summaries: [ConversationID: EvaluatedSummary] = [:]
        for (place, conversation) in conversations.enumerated() {
            guard let reader = conversation.participants.first?.id else { continue }
            let answer = try await summary(of: conversation.id, for: reader, by: workspace)
            summaries[conversation.id] = answer.summary
            try await judge?.judge(answer.summary, sources: answer.judgedSources)
            progress.show(StageProgress(stage: .asking, done: place + 1, total: conversations.count))
        }
        return (summaries, judge?.judged)
    }

    private func summary(
        of id: ConversationID, for reader: UserID, by workspace: Workspace
    ) async throws -> Answer {
        let question = ConversationQuestion(text: nil, conversationID: id, asker: reader)
        for try await event in workspace.conversationAssistant.answer(question) {
            if case .done(let answer) = event { return answer }
        }
        throw ModelServiceError.incompleteReply
    }
}

extension Answer {
    /// A summary as it is measured.
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
