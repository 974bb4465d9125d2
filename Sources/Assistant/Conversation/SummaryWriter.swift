import ChatCore
import Foundation
import Logging
import Prompting

/// Writes the summaries that a conversation lacks, and makes few of many.
struct SummaryWriter: Sendable {
    let reader: ConversationReader
    let taker: NoteTaker
    let settings: ConversationSettings
    /// See ``SpanSummary/recipe``.
    let recipe: String
    /// Whether what is written is kept: summaries of some messages only are not.
    let isKept: Bool

    /// What is summarized.
    struct Result: Sendable {
        /// Summaries in order of time.
        var summaries: [SpanSummary]
        /// Whether they are of everything that they are to be of.
        var isComplete: Bool
        /// Whether the service cut a prompt, so that a summary is of some of its messages only.
        var isCut = false
        /// How many were written for this.
        var writtenCount = 0
        /// What the service counted.
        var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    }

    private typealias Written = (place: Int, outcome: NoteTaker.Outcome)

    /// Returns a summary of each part of a plan.
    ///
    /// Each one is kept at once, so that what fails later loses nothing. At most ``ConversationSettings/partLimit``
    /// are written, the earliest ones.
    ///
    /// - Parameters:
    ///   - plan: The parts.
    ///   - messages: What its places mean.
    ///   - progress: Told how many are written, of how many.
    /// - Returns: The summaries; without those of parts that the model gave nothing of use on, or that changed meanwhile.
    /// - Throws: ``ModelServiceError``, ``DailyTokensUsedUp``, ``RepositoryError``.
    func summaries(
        of plan: SummaryPlan, in messages: [Message], progress: (Int, Int) -> Void
    ) async throws -> Result {
        let missing = plan.parts.indices.filter { plan.parts[$0].summary == nil }
        let wanted = Array(missing.prefix(settings.partLimit))
        var written: [Int: [SpanSummary]] = [:]
        var result = Result(summaries: [], isComplete: wanted.count == missing.count)
        try await withThrowingTaskGroup(of: Written.self) { group in
            var waiting = wanted.makeIterator()
            func startNext() {
                guard let place = waiting.next() else { return }
                let places = plan.parts[place].places
                let sources = messages[places].map { reader.source($0) }
                group.addTask { (place, try await taker.notes(on: sources, at: places)) }
            }
            for _ in 0..<max(1, settings.concurrency) { startNext() }
            var doneCount = 0
            while let (place, outcome) = try await group.next() {
                startNext()
                result.usage.add(outcome.usage)
                result.isComplete = result.isComplete && outcome.isComplete
                result.isCut = result.isCut || outcome.isCut
                for piece in outcome.pieces {
                    let summary = summary(piece.notes, of: messages[piece.places])
                    // One of some of its messages only is of use for this answer alone: the next one tries again.
                    let isUsable = if piece.isCut { true } else { try await keep(summary, madeOf: []) }
                    guard isUsable else {
                        result.isComplete = false
                        continue
                    }
                    written[place, default: []].append(summary)
                    result.writtenCount += 1
                }
                doneCount += 1
                progress(doneCount, wanted.count)
            }
        }
        result.summaries = plan.parts.enumerated().flatMap { $1.summary.map { [$0] } ?? written[$0] ?? [] }
        return result
    }

    private func summary(_ notes: Notes, of messages: ArraySlice<Message>) -> SpanSummary {
        let ids = messages.map(\.key.messageID)
        return SpanSummary(
            conversationID: reader.conversation.id,
            span: .init(firstID: ids[0], lastID: ids[ids.count - 1]), messageCount: ids.count,
            contentHash: SpanSummary.contentHash(of: messages), recipe: recipe, text: notes.text,
            citedIDs: notes.cited.map { ids[$0 - 1] }, madeAt: taker.assistant.now())
    }

    private func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary]) async throws -> Bool {
        guard isKept else { return true }
        return try await reader.store.keep(
            summary, madeOf: parts, asker: reader.asker, at: taker.assistant.now())
    }
}

extension SummaryWriter {
    /// Makes summaries into fewer until they take no more than there is room for.
    ///
    /// The earliest ones of the lowest level are made into one first, always as many at a time: so what was made once is
    /// of use again when more comes behind it.
    ///
    /// - Parameters:
    ///   - result: The summaries.
    ///   - tokenCount: What they may take.
    ///   - known: Summaries that are kept.
    ///   - dates: When the messages of a summary were written.
    ///   - progress: Told of each that was written here, from 1.
    /// - Returns: The summaries that are left.
    /// - Throws: ``ModelServiceError``, ``DailyTokensUsedUp``, ``RepositoryError``.
    func merged(
        _ result: Result, within tokenCount: Int, known: [SpanSummary], dates: (SpanSummary) -> ClosedRange<Timestamp>,
        progress: (Int) -> Void
    ) async throws -> Result {
        var result = result
        var writtenCount = 0
        while tokens(of: result.summaries) > tokenCount, let places = nextGroup(of: result.summaries) {
            let parts = Array(result.summaries[places])
            let hash = SpanSummary.contentHash(of: parts)
            let level = (parts.map(\.level).max() ?? 0) + 1
            if let merged = known.first(where: { $0.level == level && $0.contentHash == hash }) {
                result.summaries.replaceSubrange(places, with: [merged])
                continue
            }
            let (merged, usage) = try await merge(parts, level: level, contentHash: hash, dates: dates)
            result.usage.add(usage)
            result.summaries.replaceSubrange(places, with: [merged])
            writtenCount += 1
            progress(writtenCount)
        }
        result.writtenCount += writtenCount
        return result
    }

    private func tokens(of summaries: [SpanSummary]) -> Int {
        let builder = taker.assistant.builder
        return summaries.reduce(0) { sum, summary in
            let text = SummaryText(dates: .distant, pieces: summary.pieces { _ in 0 })
            return sum + builder.tokenCount(of: text)
        }
    }

    /// Returns the first summaries of the lowest level that stand together, as many as are made into one.
    ///
    /// Where there are not so many, the first ones of any level. Nil when one is left.
    private func nextGroup(of summaries: [SpanSummary]) -> Range<Int>? {
        guard summaries.count > 1 else { return nil }
        for level in Set(summaries.map(\.level)).sorted() {
            for start in summaries.indices where start + taker.fanIn <= summaries.count {
                let group = start..<start + taker.fanIn
                if summaries[group].allSatisfy({ $0.level == level }) { return group }
            }
        }
        return 0..<min(summaries.count, taker.fanIn)
    }

    private func merge(
        _ parts: [SpanSummary], level: Int, contentHash: [UInt8], dates: (SpanSummary) -> ClosedRange<Timestamp>
    ) async throws -> (SpanSummary, TokenUsage) {
        var ids: [MessageID] = []
        var places: [MessageID: Int] = [:]
        for id in parts.flatMap(\.citedIDs) where places[id] == nil {
            places[id] = ids.count
            ids.append(id)
        }
        let texts = parts.map { part in SummaryText(dates: dates(part), pieces: part.pieces { places[$0] }) }
        let (notes, usage) = try await taker.merged(texts, sourceCount: ids.count)
        var merged = SpanSummary(
            conversationID: reader.conversation.id,
            span: .init(firstID: parts[0].span.firstID, lastID: parts[parts.count - 1].span.lastID), level: level,
            messageCount: parts.reduce(0) { $0 + $1.messageCount }, contentHash: contentHash, recipe: recipe,
            text: notes?.text ?? "", citedIDs: notes?.cited.map { ids[$0 - 1] } ?? [], madeAt: taker.assistant.now())
        guard notes != nil else {
            shorten(parts, into: &merged, places: places)
            return (merged, usage)
        }
        // One whose parts went meanwhile is of use for this answer alone.
        _ = try await keep(merged, madeOf: parts)
        return (merged, usage)
    }

    /// Takes the first statements of each part, where the model gave nothing of use: none is left out wholly.
    private func shorten(_ parts: [SpanSummary], into merged: inout SpanSummary, places: [MessageID: Int]) {
        let share = max(1, 2 * settings.noteCount / parts.count)
        let lines = parts.flatMap { part in
            part.text.split(separator: "\n").prefix(share).compactMap { line in
                CitedLine(String(line), sourceCount: part.citedIDs.count)?
                    .text { places[part.citedIDs[$0 - 1]].map { $0 + 1 } }
            }
        }
        merged.text = lines.joined(separator: "\n")
        merged.citedIDs = places.sorted { $0.value < $1.value }.map(\.key)
    }
}

extension ClosedRange<Timestamp> {
    /// Dates where none are shown.
    fileprivate static var distant: Self {
        Timestamp(microseconds: 0)...Timestamp(microseconds: 0)
    }
}
