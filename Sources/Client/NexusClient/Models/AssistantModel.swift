import Foundation
public import NexusModel
public import Observation

/// A conversation with the assistant.
@Observable @MainActor public final class AssistantModel: SessionObserver {
    /// Where the assistant looks.
    public enum Scope: Hashable, Sendable {
        /// All conversations of the person, in a thread that the first question makes.
        case everything
        /// One conversation.
        case conversation(String)
    }

    /// An answer while it is made.
    public struct Draft: Hashable, Sendable {
        /// The text so far.
        public internal(set) var text = ""
        /// The messages that were found.
        public internal(set) var sources: [ChatAnswer.Source] = []
        /// The share of the sources that the language model has read, 0...1; nil if its server does not report it.
        public internal(set) var readShare: Double?
        /// The citations in the text.
        public internal(set) var citations: [ChatAnswer.Citation] = []

        /// The text as an app shows it.
        public var segments: [AnswerSegment] { AnswerSegment.segments(of: text, citations) }
    }

    /// How far an answer is.
    public enum Phase: Hashable, Sendable {
        /// Messages are looked for.
        case searching
        /// Parts of a long conversation are summarized.
        case reading(part: Int, parts: Int)
        /// The answer comes.
        case answering(Draft)
        /// The answer is complete.
        case answered(ChatAnswer, FeedbackRating?)
        /// The answer failed; what had come of it stays.
        case failed(ErrorSentence, Draft)
        /// The person stopped it.
        case stopped(Draft)

        /// Whether something is still to come.
        public var isOpen: Bool {
            switch self {
            case .searching, .reading, .answering: true
            case .answered, .failed, .stopped: false
            }
        }
    }

    /// A question with its answer.
    public struct Exchange: Hashable, Sendable, Identifiable {
        /// Counts the exchanges.
        public let id: Int
        /// The question.
        public let question: String
        /// The answer.
        public internal(set) var phase: Phase
    }

    /// Where the assistant looks.
    public let scope: Scope
    /// The questions and answers, oldest first.
    public private(set) var exchanges: [Exchange] = []
    /// What the person is about to ask.
    public var draft = ""
    /// What failed last apart from an answer; nil once it was dismissed.
    public private(set) var failure: ErrorSentence?

    @ObservationIgnored private let assistant: NexusAssistant
    @ObservationIgnored private let navigate: @MainActor (MessagePlace) -> Void
    @ObservationIgnored private var thread: String?

    /// - Parameters:
    ///   - hub: The events of the session.
    ///   - scope: Where the assistant looks.
    ///   - navigate: Shows the message of a tapped source.
    public init(
        _ hub: SessionHub, scope: Scope = .everything, navigate: @escaping @MainActor (MessagePlace) -> Void
    ) {
        assistant = hub.session.assistant
        self.scope = scope
        self.navigate = navigate
        hub.add(self)
    }

    /// Shows nothing of a person who has signed out.
    public func take(_ event: SessionEvent, _: ChatState) {
        guard case .connection(.signedOut(.person)) = event else { return }
        (exchanges, draft, failure, thread) = ([], "", nil, nil)
    }

    /// Whether an answer is being made; a new question waits until then.
    public var isAnswering: Bool { exchanges.last?.phase.isOpen == true }

    /// Asks what is in ``draft``, and returns when the answer is complete; cancelling the task stops it.
    public func ask() async {
        let question = draft.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !question.isEmpty, !isAnswering else { return }
        draft = ""
        let number = exchanges.count
        exchanges.append(Exchange(id: number, question: question, phase: .searching))
        await answer(question, number)
    }

    /// Asks a question again whose answer failed or was stopped.
    public func retry(_ id: Int) async {
        guard exchanges.indices.contains(id), !isAnswering else { return }
        switch exchanges[id].phase {
        case .failed, .stopped:
            exchanges[id].phase = .searching
            await answer(exchanges[id].question, id)
        case .searching, .reading, .answering, .answered: break
        }
    }

    /// Shows the message of a source or a citation.
    public func open(_ place: MessagePlace) { navigate(place) }

    /// Rates an answer.
    public func rate(_ id: Int, _ rating: FeedbackRating) async {
        guard exchanges.indices.contains(id), case .answered(let answer, let before) = exchanges[id].phase,
            let turn = answer.turnId
        else { return }
        show(.answered(answer, rating), id)
        do throws(SessionError) {
            _ = try await assistant.rate(turn, rating)
        } catch {
            show(.answered(answer, before), id)
            failure = error.sentence
        }
    }

    /// Takes the failure from the screen.
    public func dismissFailure() { failure = nil }

    private func answer(_ question: String, _ number: Int) async {
        var draft = Draft()
        do {
            for try await event in try await events(question) {
                switch event {
                case .progress(let part, let parts): show(.reading(part: part, parts: parts), number)
                case .retrieval(let sources):
                    draft.sources = sources
                    show(.answering(draft), number)
                case .reading(let share):
                    draft.readShare = share
                    show(.answering(draft), number)
                case .text(let text):
                    draft.text += text
                    show(.answering(draft), number)
                case .citation(let citation):
                    draft.citations.append(citation)
                    show(.answering(draft), number)
                case .support(let checked):
                    (draft.text, draft.citations) = (checked.answer, checked.citations)
                    show(.answering(draft), number)
                case .done(let answer): show(.answered(answer, nil), number)
                case .failed, .unknown: break
                }
            }
            // A stream ends without an event only if its task was cancelled.
            if exchanges.indices.contains(number), exchanges[number].phase.isOpen { show(.stopped(draft), number) }
        } catch {
            let sentence = (error as? SessionError ?? .unreadable).sentence
            show(Task.isCancelled ? .stopped(draft) : .failed(sentence, draft), number)
        }
    }

    /// Shows how far an answer is, unless the person has signed out meanwhile.
    private func show(_ phase: Phase, _ number: Int) {
        if exchanges.indices.contains(number) { exchanges[number].phase = phase }
    }

    private func events(_ question: String) async throws(SessionError) -> AsyncThrowingStream<AnswerEvent, any Error> {
        switch scope {
        case .conversation(let id): return assistant.ask(ConversationQuestion(question), in: id)
        case .everything:
            if thread == nil { thread = try await assistant.createThread().id }
            return assistant.ask(AssistantQuestion(question, threadId: thread))
        }
    }
}
