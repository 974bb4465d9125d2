package import ChatCore
package import CoreMetrics
package import Logging
package import Prompting
import ServiceLifecycle
import Synchronization

/// Answers messages that begin with the assistant's name, each once, with a message in the same thread.
///
/// It follows the change log, so the way a message arrived does not matter. Its work is kept in the store: if the
/// process is killed, the work is continued after the next start, and nothing is done twice.
package struct MentionService: Service {
    private let store: any ConversationRepository & MentionRepository & MessageRepository
    private let answering: any QuestionAnswering
    private let settings: MentionSettings
    private let failureText: @Sendable (MentionFailure) -> String
    private let linkText: @Sendable (LinkOutcome, UserID) -> String
    private let supportNote: @Sendable (Answer) -> String?
    private let watch: Watch?
    private let audience: MentionAudience
    private let limit = MentionLimit()
    private let interrupted = InterruptedClaims()
    private let metrics: any MetricsFactory
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// Signalled when messages may have arrived.
    private let arrival = WorkSignal()
    /// Signalled when mentions were found.
    private let found = WorkSignal()

    /// Gets the message that asks, and returns what gets the events of one attempt to answer it: at the end nil if there
    /// is no answer.
    package typealias Watch = @Sendable (_ question: Message) -> @Sendable (AnswerEvent?) -> Void

    /// The number of changes that are read at a time.
    private static let scanLimit = 1_000
    /// The time limit of an answer.
    private static let lease = Duration.seconds(120)
    private static let sourceCount = 5

    /// - Parameters:
    ///   - store: Contains the messages and the work to do.
    ///   - answering: The assistant.
    ///   - settings: The names to react to, and the messages that an answer may be based on.
    ///   - failureText: Returns the text that is posted instead of an answer.
    ///   - linkText: Returns the text that says what became of a command about a link with an account.
    ///   - supportNote: Returns the note below an answer about its sentences without support.
    ///   - watch: Begins to watch an answer for the asker of the question; nil if nobody does.
    ///   - metrics: Counts the answers.
    ///   - now: The present time.
    ///   - logger: Receives failures; never texts.
    package init(
        store: any ConversationRepository & MentionRepository & MessageRepository, answering: any QuestionAnswering,
        settings: MentionSettings, failureText: @escaping @Sendable (MentionFailure) -> String,
        linkText: @escaping @Sendable (LinkOutcome, UserID) -> String = { _, _ in "" },
        supportNote: @escaping @Sendable (Answer) -> String?, watch: Watch? = nil,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        self.store = store
        self.answering = answering
        self.settings = settings
        self.failureText = failureText
        self.linkText = linkText
        self.supportNote = supportNote
        self.watch = watch
        audience = MentionAudience(store: store, reach: settings.reach)
        self.metrics = metrics
        self.now = now
        self.logger = logger
    }

    /// Answers until the service group shuts down; unfinished answers are given after the next start.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for _ in 0..<settings.concurrency {
                    group.addTask {
                        await found.repeating(failed: log) {
                            while try await answerNext() {}
                            return try await store.nextMentionDue().map { $0 - now() }
                        }
                    }
                }
                group.addTask {
                    var place: ChangeCursor?
                    await arrival.repeating(failed: log) {
                        let start = place
                        do {
                            place = try await look(from: start)
                        } catch RepositoryError.expiredCursor where start != nil {
                            // Another log: the store knows how far its messages were looked through.
                            place = try await look(from: nil)
                        }
                        if place != start { found.signal() }
                        return nil
                    }
                }
            }
        }
    }

    /// Looks for mentions if the changes may contain some; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?) {
        if changes?.contains(where: { $0.messageKey != nil }) ?? true { arrival.signal() }
    }

    private func log(_ error: any Error) {
        logger.warning("Mentions are not answered", metadata: ["error.type": "\(type(of: error))"])
    }

    /// Looks for mentions among the changes after a position.
    ///
    /// - Parameter place: The position; nil to continue where an earlier process stopped.
    /// - Returns: The position up to which it looked.
    /// - Throws: ``RepositoryError``.
    package func look(from place: ChangeCursor?) async throws -> ChangeCursor {
        var place = if let place { place } else { try await store.beginMentions() }
        while true {
            let oldest = now() + (.zero - settings.oldestAge)
            let (messages, end) = try await store.messagesBeginningWithAt(
                after: place, limit: Self.scanLimit, since: oldest)
            guard end != place else { return place }
            let mentions = messages.filter {
                $0.senderID != MentionSettings.assistantID && settings.question(in: $0.text) != nil
            }
            try await store.queueMentions(mentions.map(\.key), through: end, at: now())
            place = end
        }
    }

    /// Answers the mention that has been due longest.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func answerNext() async throws -> Bool {
        // They would wait for the end of their leases otherwise.
        while let lease = interrupted.last {
            try await store.giveBackMention(claimedUntil: lease, at: now())
            interrupted.remove(lease)
        }
        let lease = now() + Self.lease
        do {
            return try await answerNext(claimedUntil: lease)
        } catch let error as RepositoryError {
            interrupted.append(lease)
            throw error
        }
    }

    private func answerNext(claimedUntil lease: Timestamp) async throws -> Bool {
        guard let mention = try await store.claimMention(until: lease, at: now()) else { return false }
        var outcome: Outcome
        do {
            outcome = try await answer(mention)
        } catch let error as CancellationError {
            throw error
        } catch let error as RepositoryError {
            throw error
        } catch {
            logger.warning(
                "A mention could not be answered",
                metadata: ["error.type": "\(type(of: error))", "attempt": "\(mention.attempts)"])
            outcome = isPassing(error) ? .again(failure(error)) : .failed(failure(error))
        }
        if case .again(let reason) = outcome, mention.attempts >= settings.attemptLimit { outcome = .failed(reason) }
        switch outcome {
        case .posted: break
        case .command(let command):
            let text = linkText(command, mention.message.senderID)
            try await tell(text, .outcome(text), of: mention, as: .failed)
        case .failed(let reason): try await tell(reason, of: mention, as: .failed)
        case .limited(isTold: false): try await tell(.limited, of: mention, as: .limited)
        case .limited: try await settle(mention, as: .limited)
        case .dropped: try await settle(mention, as: .dropped)
        case .again:
            let pause = Duration.seconds(5) * (1 << min(mention.attempts, 6))
            try await settle(mention, as: .waiting, dueAt: now() + pause)
        }
        count(outcome)
        return true
    }

    private func settle(_ mention: Mention, as state: Mention.State, dueAt moment: Timestamp? = nil) async throws {
        try await store.settle(mention.message.key, attempt: mention.attempts, as: state, dueAt: moment)
    }

    private enum Outcome {
        case posted
        /// It was a command about a link; this became of it.
        case command(LinkOutcome)
        /// It is tried again; the failure is posted after the last attempt.
        case again(MentionFailure)
        case failed(MentionFailure)
        /// The conversation asks too often; this is posted there once.
        case limited(isTold: Bool)
        case dropped
    }

    private func answer(_ mention: Mention) async throws -> Outcome {
        let message = mention.message
        let (id, asker) = (message.key.conversationID, message.senderID)
        // If a process is killed while it answers, only a counted attempt remains.
        guard mention.attempts <= settings.attemptLimit else { return .failed(.other) }
        guard let question = settings.question(in: message.text) else { return .dropped }
        let reach = try await audience.conversations(of: id, asker: asker, at: now())
        guard reach.contains(id) else { return .dropped }
        var postedCount = 0
        let isAdmitted = try await limit.begin(in: id, limit: settings.answersPerMinute) {
            postedCount = try await store.answerCount(in: id, since: now() + .seconds(-60))
            return postedCount
        }
        let command = mention.linkOutcome ?? (question == LinkCommand.hiddenCode ? .unused : nil)
        guard isAdmitted else {
            // The message about the limit counts too, so that it is posted only once.
            return .limited(isTold: postedCount + limit.count(in: id) > settings.answersPerMinute)
        }
        defer { limit.end(in: id) }
        if let command { return .command(command) }
        let root = message.threadRootID ?? message.key.messageID
        let known = try await store.answeredMentions(
            inThread: root, of: id, within: reach, limit: AskRequest.historyLimit)
        // The asker may have joined after a part of the thread.
        let readable = try await store.messages(
            known.flatMap { [$0.question.key, $0.answer.key] },
            in: SearchScope(asker: asker, conversations: .only([id])), at: now())
        let earlier = known.filter { readable[$0.question.key] != nil && readable[$0.answer.key] != nil }
        var request = AskRequest(
            question: String(question.prefix(AskRequest.questionLimit)),
            history: earlier.map {
                Exchange(question: settings.question(in: $0.question.text) ?? $0.question.text, answer: $0.answer.text)
            },
            scope: SearchScope(asker: asker, conversations: .only(reach)),
            // Only earlier messages: the question must not be a source of the answer.
            filter: SearchFilter(to: message.timestamp), limit: Self.sourceCount)
        // Mentions are tried again, and report a failure themselves.
        request.allowsFallback = false
        let quoted = earlier.flatMap { [$0.question.key, $0.answer.key] }
        request.quotedKeys = [message.key] + quoted
        var answer: Answer?
        let watcher = watch?(message)
        // After the answer itself it has no effect.
        defer { watcher?(nil) }
        try await answering.answer(request) { event in
            if case .done(let whole) = event { answer = whole }
            watcher?(event)
        }
        try Task.checkCancellation()
        guard let answer else { return .again(.other) }
        let post = try MentionAnswer(
            question: message, content: .answer(answer, note: supportNote(answer)), moment: now()
        ).message()
        // The store checks the audience again: someone may have joined, or left another conversation, while the model
        // wrote.
        let posting = try await store.post(
            post, to: message.key, attempt: mention.attempts, as: .answered,
            standingOn: answer.promptMessageKeys + quoted,
            isDelivered: settings.isDelivered, at: now())
        return posting == .posted ? .posted : .again(.audienceChanged)
    }

    /// Posts in the conversation that there is no answer, and why, because the asker must not wait for one.
    private func tell(_ reason: MentionFailure, of mention: Mention, as state: Mention.State) async throws {
        let text = failureText(reason)
        try await tell(text, .failure(text, state), of: mention, as: state)
    }

    private func tell(
        _ text: String, _ content: MentionAnswer.Content, of mention: Mention, as state: Mention.State
    ) async throws {
        let post = try MentionAnswer(question: mention.message, content: content, moment: now()).message()
        let posting =
            text.isEmpty
            ? .outdated
            : try await store.post(
                post, to: mention.message.key, attempt: mention.attempts, as: state, standingOn: [],
                isDelivered: settings.isDelivered, at: now())
        if posting != .posted { try await settle(mention, as: state) }
    }

    private func failure(_ error: any Error) -> MentionFailure {
        switch error {
        case is DailyTokensUsedUp: .tokensUsedUp
        case is ModelServiceError: .modelFailed
        default: .other
        }
    }

    /// Whether another attempt may succeed.
    private func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? ModelServiceError else { return false }
        return error.isTransient
    }

    private func count(_ outcome: Outcome) {
        let word =
            switch outcome {
            case .posted, .command: Mention.State.answered.rawValue
            case .again: "again"
            case .failed: Mention.State.failed.rawValue
            case .limited: Mention.State.limited.rawValue
            case .dropped: Mention.State.dropped.rawValue
            }
        Counter(label: "nexus_mentions_total", dimensions: [("outcome", word)], factory: metrics).increment()
    }
}

/// The messages that every reader of a conversation may see.
struct MentionAudience: Sendable {
    let store: any MentionRepository
    let reach: MentionSettings.Reach

    /// Returns the conversations that an answer in `id` may be based on; see
    /// ``MentionRepository/audience(of:asker:at:)``.
    ///
    /// - Returns: The ids; empty when the asker may not see the conversation.
    func conversations(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> Set<ConversationID> {
        let shared = try await store.audience(of: id, asker: asker, at: moment)
        return reach == .audience ? shared : shared.intersection([id])
    }
}

/// The leases of claims that a failure of the store interrupted.
private final class InterruptedClaims: Sendable {
    private let leases = Mutex<[Timestamp]>([])

    var last: Timestamp? { leases.withLock { $0.last } }

    func append(_ lease: Timestamp) { leases.withLock { $0.append(lease) } }

    func remove(_ lease: Timestamp) { leases.withLock { $0.removeAll { $0 == lease } } }
}
