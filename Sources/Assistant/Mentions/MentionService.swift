import AsyncAlgorithms
public import ChatCore
public import CoreMetrics
public import Logging
public import ServiceLifecycle

/// Answers messages that begin with the assistant's name, each once, by a message in the same thread.
///
/// It follows the change sequence, so that it does not matter how a message came. What it has to do lies in the store: a
/// process that is killed leaves nothing undone and does nothing twice.
public struct MentionService: Service {
    private let store: any ConversationRepository & MentionRepository
    private let answering: any QuestionAnswering
    private let settings: MentionSettings
    private let failureText: String
    private let audience: MentionAudience
    private let wake: @Sendable () -> Void
    private let metrics: any MetricsFactory
    private let now: @Sendable () -> Timestamp
    private let logger: Logger

    /// How often it looks for messages.
    private static let interval = Duration.milliseconds(250)
    /// How many changes are looked through at a time.
    private static let scanLimit = 1_000
    /// An answer ends before.
    private static let lease = Duration.seconds(120)
    /// The sources of an answer.
    private static let sourceCount = 5

    /// Joins what answering needs.
    ///
    /// - Parameters:
    ///   - store: The messages, and what is to be done.
    ///   - answering: The assistant.
    ///   - settings: What it listens to, and what an answer may stand on.
    ///   - failureText: What is posted where the language model gave no answer.
    ///   - wake: Called when something was posted.
    ///   - metrics: Where answers are counted.
    ///   - now: The present time.
    ///   - logger: Told of failures; never of a text.
    public init(
        store: any ConversationRepository & MentionRepository, answering: any QuestionAnswering,
        settings: MentionSettings, failureText: String, wake: @escaping @Sendable () -> Void = {},
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        self.store = store
        self.answering = answering
        self.settings = settings
        self.failureText = failureText
        audience = MentionAudience(store: store, reach: settings.reach)
        self.wake = wake
        self.metrics = metrics
        self.now = now
        self.logger = logger
    }

    /// Answers until the service group shuts down; what is under way then is answered after the next start.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for _ in 0..<settings.concurrency {
                    group.addTask { await repeating { while try await answerNext() {} } }
                }
                group.addTask {
                    var place: ChangeNumber?
                    await repeating { place = try await look(from: place) }
                }
            }
        }
    }

    private func repeating(_ body: () async throws -> Void) async {
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous) {
            do {
                try await body()
            } catch is CancellationError {
                return
            } catch {
                logger.warning("Mentions are not answered", metadata: ["error.type": "\(type(of: error))"])
            }
        }
    }

    /// Looks through what came since a change.
    ///
    /// - Parameter place: The change; nil to go on where an earlier process ended.
    /// - Returns: Up to where it looked.
    /// - Throws: ``RepositoryError``.
    package func look(from place: ChangeNumber?) async throws -> ChangeNumber {
        var place = if let place { place } else { try await store.beginMentions() }
        while true {
            let oldest = now() + (.zero - settings.oldestAge)
            let (messages, end) = try await store.messagesBeginningWithAt(
                after: place, limit: Self.scanLimit, since: oldest)
            guard end > place else { return place }
            let mentions = messages.filter {
                $0.senderID != MentionSettings.assistantID && settings.question(in: $0.text) != nil
            }
            try await store.noteMentions(mentions.map(\.key), through: end, at: now())
            place = end
        }
    }

    /// Answers the mention that is due longest.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func answerNext() async throws -> Bool {
        guard let mention = try await store.claimMention(until: now() + Self.lease, at: now()) else { return false }
        var outcome: Outcome
        var isModelsFault = false
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
            outcome = isPassing(error) ? .again : .settled(.failed)
            isModelsFault = error is ModelServiceError
        }
        if case .again = outcome, mention.attempts >= settings.attemptLimit { outcome = .settled(.failed) }
        switch outcome {
        case .posted: wake()
        case .settled(.failed) where isModelsFault: try await tellOfFailure(of: mention)
        case .settled(let state): try await store.settle(mention.message.key, as: state, dueAt: nil)
        case .again:
            let pause = Duration.seconds(5) * (1 << min(mention.attempts, 6))
            try await store.settle(mention.message.key, as: .waiting, dueAt: now() + pause)
        }
        count(outcome)
        return true
    }

    private enum Outcome {
        case posted
        case again
        case settled(Mention.State)
    }

    private func answer(_ mention: Mention) async throws -> Outcome {
        let message = mention.message
        let (id, asker) = (message.key.conversationID, message.senderID)
        // A process that ends while it answers leaves no more than a counted attempt.
        guard mention.attempts <= settings.attemptLimit else { return .settled(.failed) }
        guard let question = settings.question(in: message.text) else { return .settled(.dropped) }
        let reach = try await audience.conversations(of: id, asker: asker, at: now())
        guard reach.contains(id) else { return .settled(.dropped) }
        let minute = now() + .seconds(-60)
        guard try await store.answerCount(in: id, since: minute) < settings.answersPerMinute else {
            return .settled(.limited)
        }
        let root = message.threadRootID ?? message.key.messageID
        let earlier = try await store.answeredMentions(inThread: root, of: id, limit: AskRequest.historyLimit)
        var request = AskRequest(
            question: String(question.prefix(AskRequest.questionLimit)),
            history: earlier.map {
                Exchange(question: settings.question(in: $0.question.text) ?? $0.question.text, answer: $0.answer.text)
            },
            scope: SearchScope(asker: asker, conversations: .only(reach)),
            // What was said before: the question is no source of its own answer.
            filter: SearchFilter(to: message.timestamp), limit: Self.sourceCount)
        let quoted = earlier.flatMap { [$0.question.key, $0.answer.key] }
        request.quotedKeys = [message.key] + quoted
        var answer: Answer?
        for try await event in answering.answer(request) { if case .done(let whole) = event { answer = whole } }
        try Task.checkCancellation()
        guard let answer else { return .again }
        // Somebody may have joined, or left another conversation, while the model wrote.
        let present = try await audience.conversations(of: id, asker: asker, at: now())
        let standing = answer.promptMessageKeys + quoted
        guard standing.allSatisfy({ present.contains($0.conversationID) }) else { return .again }
        let post = try MentionAnswer(question: message, content: .answer(answer), moment: now()).message()
        let isPosted = try await store.post(
            post, to: message.key, as: .answered, standingOn: standing, isDelivered: settings.isDelivered, at: now())
        return isPosted ? .posted : .again
    }

    /// Says in the conversation that there is no answer: who asked must not wait for one.
    private func tellOfFailure(of mention: Mention) async throws {
        let key = mention.message.key
        let post = try MentionAnswer(question: mention.message, content: .failure(failureText), moment: now()).message()
        let isPosted = try await store.post(
            post, to: key, as: .failed, standingOn: [], isDelivered: settings.isDelivered, at: now())
        if isPosted { wake() } else { try await store.settle(key, as: .failed, dueAt: nil) }
    }

    /// Whether another try may succeed.
    private func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? ModelServiceError else { return false }
        return error.isTransient
    }

    private func count(_ outcome: Outcome) {
        let word =
            switch outcome {
            case .posted: Mention.State.answered.rawValue
            case .again: "again"
            case .settled(let state): state.rawValue
            }
        Counter(label: "nexus_mentions_total", dimensions: [("outcome", word)], factory: metrics).increment()
    }
}
