import ChatCore
import Foundation
import Logging
import Prompting

/// Writes the missing summaries of a conversation, and merges them.
struct SummaryWriter: Sendable {
    let reader: ConversationReader
    let taker: NoteTaker
    let settings: ConversationSettings
    /// See ``SpanSummary/recipe``.
    let recipe: String
    /// Whether summaries are stored; summaries of a selection of messages are not.
    let isKept: Bool

    /// The summaries, and how complete they are.
    struct Result: Sendable {
        /// Summaries in order of time.
        var summaries: [SpanSummary]
        /// Whether the summaries cover everything that they should.
        var isComplete: Bool
        /// Whether the service cut a prompt, so that a summary covers only some of its messages.
        var isCut = false
        /// How many of the summaries are new.
        var writtenCount = 0
        /// The tokens as counted by the service.
        var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    }

    private typealias Written = (place: Int, outcome: NoteTaker.Outcome)

    /// Returns a summary of each part of a plan.
    ///
    /// Each summary is stored at once, so that a later failure loses none. At most ``ConversationSettings/partLimit``
    /// are written, the earliest ones.
    ///
    /// - Parameters:
    ///   - plan: The parts.
    ///   - messages: The messages that its places refer to.
    ///   - progress: Receives how many are written, and of how many.
    /// - Returns: The summaries, without parts whose reply was unusable or that changed in the meantime.
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
                    // An incomplete summary is used only for this answer: the next answer tries again.
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
            citedIDs: notes.cited.map { ids[$0 - 1] }, madeAt: taker.session.now())
    }

    private func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary]) async throws -> Bool {
        guard isKept else { return true }
        return try await reader.store.keep(
            summary, madeOf: parts, asker: reader.asker, at: taker.session.now())
    }
}

extension SummaryWriter {
    /// Merges summaries until they fit a number of tokens.
    ///
    /// The earliest ones of the lowest level are merged first, always the same number at a time. So a merged summary
    /// can be used again when more messages are appended.
    ///
    /// - Parameters:
    ///   - result: The summaries.
    ///   - tokenCount: The most tokens of all summaries together.
    ///   - known: Stored summaries.
    ///   - dates: The dates of the messages of a summary.
    ///   - progress: Receives the count of each newly written one, from 1.
    /// - Returns: The remaining summaries.
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
        let builder = taker.session.builder
        return summaries.reduce(0) { sum, summary in
            let text = SummaryText(dates: .distant, pieces: summary.pieces { _ in 0 })
            return sum + builder.tokenCount(of: text)
        }
    }

    /// Returns the first group of adjacent summaries of the lowest level, as many as are merged into one.
    ///
    /// If there is no such group, returns the first ones of any level. Nil when only one is left.
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
            text: notes?.text ?? "", citedIDs: notes?.cited.map { ids[$0 - 1] } ?? [], madeAt: taker.session.now())
        guard notes != nil else {
            shorten(parts, into: &merged, places: places)
            return (merged, usage)
        }
        // If its parts were deleted in the meantime, it is used only for this answer.
        _ = try await keep(merged, madeOf: parts)
        return (merged, usage)
    }

    /// Takes the first statements of each part if the model's reply was unusable, so that no part is missing
    /// completely.
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
    /// Used when a summary has no dates.
    fileprivate static var distant: Self {
        Timestamp(microseconds: 0)...Timestamp(microseconds: 0)
    }
}
