package import ChatCore
import Synchronization

/// A part of an answer that the assistant is making, for the devices of its asker.
///
/// It is not stored, and a slow device may miss some: a piece whose ``start`` is not the end of the text so far follows
/// one that is missing, and the stored answer has the whole text.
package struct AnswerPiece: Hashable, Sendable {
    /// Where the question was asked.
    package enum Place: Hashable, Sendable {
        case thread(ThreadID)
        /// The assistant of a conversation, whom only the asker sees.
        case conversation(ConversationID)
        /// A message that mentions the assistant.
        case message(MessageKey)

        /// The conversation; nil for a thread.
        var conversationID: ConversationID? {
            switch self {
            case .thread: nil
            case .conversation(let id): id
            case .message(let key): key.conversationID
            }
        }
    }

    /// How the answer ended.
    package enum Ending: Hashable, Sendable {
        /// It is complete.
        case done(TurnID)
        /// There is no answer, or another attempt follows.
        case failed
    }

    /// The same for all pieces of an answer.
    package let answerID: String
    /// Where the question was asked.
    package let place: Place
    /// How many Unicode scalars of the answer come before it.
    package let start: Int
    /// The part; may be empty in the last piece.
    package let text: String
    /// Set in the last piece only.
    package let ending: Ending?

    package init(answerID: String, place: Place, start: Int, text: String, ending: Ending? = nil) {
        self.answerID = answerID
        self.place = place
        self.start = start
        self.text = text
        self.ending = ending
    }
}

/// Takes an answer as it is made, and shows it to the devices of its asker, at most ten times a second.
package final class LiveAnswer: Sendable {
    private struct State {
        var start = 0
        var text = ""
        var ending: AnswerPiece.Ending?
        var isOver = false
    }

    private let id: String
    private let place: AnswerPiece.Place
    fileprivate let asker: UserID
    private let held: HeldAnswers
    private let state = Mutex(State())

    init(id: String, place: AnswerPiece.Place, asker: UserID, held: HeldAnswers) {
        self.id = id
        self.place = place
        self.asker = asker
        self.held = held
    }

    /// Takes more text; nothing after the end.
    package func take(_ text: String) {
        guard !text.isEmpty else { return }
        let isTaken = state.withLock { state in
            guard state.ending == nil, !state.isOver else { return false }
            state.text += text
            return true
        }
        if isTaken { held.hold(self) }
    }

    /// Ends the answer; only the first call counts.
    ///
    /// The devices hear nothing of a question that is refused or fails before there is text.
    package func end(_ ending: AnswerPiece.Ending) {
        let isTold = state.withLock { state in
            guard state.ending == nil, !state.isOver else { return false }
            if ending == .failed, state.start == 0, state.text.isEmpty {
                state.isOver = true
                return false
            }
            state.ending = ending
            return true
        }
        if isTold { held.hold(self) }
    }

    /// Ends it without a last piece.
    fileprivate func stop() {
        state.withLock { state in
            state.isOver = true
            state.text = ""
        }
    }

    /// Returns what was taken since the last piece; nil for nothing.
    fileprivate func piece() -> AnswerPiece? {
        state.withLock { state in
            guard !state.isOver, !state.text.isEmpty || state.ending != nil else { return nil }
            defer {
                state.start += state.text.unicodeScalars.count
                state.text = ""
                state.isOver = state.ending != nil
            }
            return AnswerPiece(
                answerID: id, place: place, start: state.start, text: state.text, ending: state.ending)
        }
    }
}

/// The answers with text that was not sent yet.
final class HeldAnswers: Sendable {
    /// The least time between two pieces of an answer.
    private static let interval = Duration.milliseconds(100)

    private let waiting = Mutex<[ObjectIdentifier: LiveAnswer]>([:])
    private let arrived = WorkSignal()

    func hold(_ answer: LiveAnswer) {
        let isNew = waiting.withLock { $0.updateValue(answer, forKey: ObjectIdentifier(answer)) == nil }
        if isNew { arrived.signal() }
    }

    /// Sends what was taken, and then sleeps for the interval, until the task is cancelled.
    ///
    /// An asker who left the conversation meanwhile gets nothing more of the answer.
    func run(
        mayRead: LivePeople.ReadPermission, send: (AnswerPiece, UserID) -> Void
    ) async {
        await arrived.repeating(failed: { _ in }) {
            let answers = waiting.withLock { waiting in
                defer { waiting = [:] }
                return waiting.values
            }
            guard !answers.isEmpty else { return nil }
            for answer in answers {
                guard let piece = answer.piece() else { continue }
                if let id = piece.place.conversationID, await !mayRead(id, answer.asker) {
                    answer.stop()
                } else {
                    send(piece, answer.asker)
                }
            }
            try await Task.sleep(for: Self.interval)
            return nil
        }
    }
}
