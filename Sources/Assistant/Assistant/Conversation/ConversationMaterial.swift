import ChatCore
import Prompting
import Retrieval
import TextAnalysis

/// Collects the material of an answer about one conversation.
struct ConversationMaterial: Sendable {
    /// The newest messages get one part in this many of the room if not all messages fit.
    private static let tailShare = 2
    /// Summaries get one part in this many of the room.
    private static let summaryShare = 4

    let assistant: ConversationAssistant
    let question: ConversationQuestion
    let ask: Ask
    let reader: ConversationReader
    /// Writes summaries; counts against the asker's daily tokens.
    let model: any LanguageModel

    /// How much of the conversation the material covers.
    struct State: Sendable {
        var coverage: ConversationCoverage
        var isComplete = true
        /// Whether the service cut a prompt for a summary.
        var isCut = false
        var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
        /// The result of the search, if there was one.
        var found = Finding.none
    }

    private var service: AnswerService { assistant.assistant }

    /// Reads the conversation, writes missing summaries, and searches.
    ///
    /// - Parameter emit: Receives the progress of the summaries.
    /// - Returns: The material, and how much of the conversation it covers.
    /// - Throws: ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``.
    func make(emit: (AnswerEvent) -> Void) async throws -> (PromptMaterial, State) {
        let room = try self.room()
        var (messages, isWhole) = try await messages(room: room)
        var tokens = messages.map { service.session.builder.lineTokenCount(of: reader.source($0)) }
        guard isWhole, tokens.reduce(0, +) <= room else {
            if !isWhole, question.filter.isEmpty {
                (messages, isWhole) = try await reader.newest(limit: assistant.settings.messageLimit)
                tokens = messages.map { service.session.builder.lineTokenCount(of: reader.source($0)) }
            }
            return try await makeOfSummaries(messages, tokens, room: room, isWhole: isWhole, emit: emit)
        }
        let request = request(showing: messages, places: Array(messages.indices.reversed()))
        return (
            material(request, messages, found: nil),
            State(coverage: ConversationCoverage(messageCount: messages.count))
        )
    }

    /// Returns the tokens for messages and summaries that remain beside instructions, participants, question and
    /// history.
    private func room() throws -> Int {
        var generator = service.session.makeGenerator()
        let budget = service.budget(for: model)
        do {
            let bare = try service.session.builder.conversationPrompt(
                for: request(showing: [], places: []), budget: budget, using: &generator)
            return max(0, budget.estimateLimit - bare.estimatedTokenCount)
        } catch {
            throw ModelServiceError.tooLong
        }
    }

    /// Returns the selected messages; without a filter only as many as fit the prompt, unless all fit.
    private func messages(room: Int) async throws -> (messages: [Message], isWhole: Bool) {
        let limit = assistant.settings.messageLimit
        guard question.filter.isEmpty else {
            let (messages, isWhole) = try await reader.newest(limit: limit)
            let admitted = try question.filter.admitted(messages, reader: question.asker, in: question.conversationID)
            return (admitted, isWhole)
        }
        var counted = 0
        var taken = 0
        return try await reader.newest(limit: limit) { read in
            taken += read[counted...].reduce(0) { $0 + service.session.builder.lineTokenCount(of: reader.source($1)) }
            counted = read.count
            return taken > room
        }
    }

    private func makeOfSummaries(
        _ messages: [Message], _ tokens: [Int], room: Int, isWhole: Bool, emit: (AnswerEvent) -> Void
    ) async throws -> (PromptMaterial, State) {
        let writer = writer
        let known = writer.isKept ? try await keptSummaries(by: writer.recipe) : []
        let tailTokenCount = room / Self.tailShare
        let plan = SummaryPlan(
            of: messages, tokens: tokens, known: known.filter { $0.level == 0 },
            partTokenCount: writer.taker.partTokenCount, tailTokenCount: tailTokenCount)
        let places = Dictionary(
            messages.enumerated().map { ($1.key.messageID, $0) }, uniquingKeysWith: { first, _ in first })
        func dates(_ summary: SpanSummary) -> ClosedRange<Timestamp> {
            let ends = [summary.span.firstID, summary.span.lastID].map { messages[places[$0] ?? 0].timestamp }.sorted()
            return ends[0]...ends[1]
        }
        var total = 0
        var result = try await writer.summaries(of: plan, in: messages) { done, parts in
            total = parts
            emit(.progress(part: done, parts: parts))
        }
        result = try await writer.merged(
            result, within: room / Self.summaryShare, known: known.filter { $0.level > 0 }, dates: dates
        ) { count in
            emit(.progress(part: total + count, parts: total + count))
        }
        let found = question.text == nil || !question.filter.isEmpty ? nil : try await service.find(ask)
        var request = request(showing: messages, places: [])
        request.summaries = result.summaries.map { summary in
            SummaryText(dates: dates(summary), pieces: summary.pieces { places[$0] })
        }
        request.isMissing = !result.isComplete || !isWhole
        request.requiredCount = messages.count - plan.tailStart
        request.shown = newest(tokens, within: tailTokenCount)
        for hit in found?.hits ?? [] {
            guard let place = places[hit.message.key.messageID] else { continue }
            if let found = hit.place { request.messages[place].focus = found }
            if !request.shown.contains(place) { request.shown.append(place) }
        }
        let state = State(
            coverage: ConversationCoverage(
                messageCount: messages.count,
                summarizedCount: result.summaries.reduce(0) { $0 + $1.messageCount },
                writtenCount: result.writtenCount),
            isComplete: !request.isMissing, isCut: result.isCut, usage: result.usage, found: found ?? .none)
        return (material(request, messages, found: found), state)
    }

    private var writer: SummaryWriter {
        let taker = NoteTaker(
            model: model, session: service.session, settings: assistant.settings, timeZone: reader.timeZone)
        return SummaryWriter(
            reader: reader, taker: taker, settings: assistant.settings,
            recipe: "\(model.name) \(service.session.builder.notesFingerprint)", isKept: question.filter.isEmpty)
    }

    private func keptSummaries(by recipe: String) async throws -> [SpanSummary] {
        try await assistant.store.summaries(
            of: reader.conversation.id, by: recipe, asker: reader.asker, at: reader.moment)
    }

    /// Returns the indices of the newest messages that fit, newest first.
    private func newest(_ tokens: [Int], within tokenCount: Int) -> [Int] {
        var taken = 0
        return Array(
            tokens.indices.reversed().prefix { place in
                taken += tokens[place]
                return taken <= tokenCount
            })
    }

    /// The request for a prompt that may show some of these messages; the first places are dropped last.
    private func request(showing messages: [Message], places: [Int]) -> ConversationRequest {
        var request = ConversationRequest(
            question: ask.question, history: ask.request.promptHistory, name: reader.conversation.displayName,
            participants: reader.participants(writing: messages), now: ask.askedAt, timeZone: reader.timeZone)
        request.messages = messages.map { reader.source($0, focus: focus(in: $0)) }
        request.shown = places
        request.requiredCount = places.count
        request.messageCount = messages.count
        request.isFiltered = !question.filter.isEmpty
        request.language = language(of: messages)
        if let first = messages.first, let last = messages.last { request.dates = first.timestamp...last.timestamp }
        return request
    }

    /// The sentence that the question asks for in a message that is too long to be shown whole; nil for none.
    private func focus(in message: Message) -> Range<Int>? {
        guard let text = question.text, message.searchableText.utf8.count > PromptLimits().sourceLength else {
            return nil
        }
        let terms = TextAnalyzer.terms(of: text, languages: TextLanguage.allCases).map(\.term)
        return FoundSentence.range(
            in: message.searchableText, terms: Set(terms), languages: TextLanguage.allCases, passage: nil)
    }

    /// The number of newest messages that decide the language of a conversation.
    private static let languageSampleCount = 200

    /// The requested language; a summary is written in the language of the messages.
    private func language(of messages: [Message]) -> AnswerLanguage {
        if let tag = question.language, let language = AnswerLanguage(tag: tag) { return language }
        guard question.text == nil else { return .ofRequest }
        var counts: [TextLanguage: Int] = [:]
        for message in messages.suffix(Self.languageSampleCount) {
            guard let language = LanguageGuess.language(of: message.searchableText) else { continue }
            counts[language, default: 0] += 1
        }
        guard let most = counts.max(by: { $0.value < $1.value }), most.key != .other,
            2 * most.value > counts.values.reduce(0, +)
        else { return .ofConversation }
        return AnswerLanguage(tag: most.key.rawValue) ?? .ofConversation
    }

    private func material(_ request: ConversationRequest, _ messages: [Message], found: Finding?) -> PromptMaterial {
        let relevance = Dictionary(
            (found?.hits ?? []).map { ($0.message.key, $0) }, uniquingKeysWith: { first, _ in first })
        let hits = messages.enumerated().map { offset, message in
            Hit(
                message: message, conversation: reader.conversation, rank: offset + 1,
                relevance: relevance[message.key]?.relevance ?? 0, place: relevance[message.key]?.place,
                duplicates: relevance[message.key]?.duplicates ?? [])
        }
        return PromptMaterial(
            finding: Finding(conversation: hits, found: found, isEmpty: messages.isEmpty),
            content: .conversation(request))
    }
}
