import Assistant
import ChatCore
import NIOCore
import NexusModel

/// The stream of a callable function: `data:` lines only, because its clients fail on any other.
///
/// `{"message": "…"}` holds more text of the answer; `{"result": {…}}` or `{"error": {…}}` is last.
struct CallableFrames: AnswerFrames {
    let timestamps: CallableTimestamps
    let links: MessageLinkTemplate?
    let heartbeat: ByteBuffer? = nil

    private struct Piece: Encodable {
        let message: String
    }

    func frame(_ event: Assistant.AnswerEvent, number: Int, askedAt moment: Timestamp) throws -> ByteBuffer? {
        switch event {
        case .progress, .retrieved, .reading, .citation, .checked: nil
        case .delta(let text): try frame(Piece(message: text))
        case .done(let answer): try frame(CallableResult(result: CallableAnswer(answer, askedAt: moment, links: links)))
        }
    }

    func frame(_ failure: Failure, number: Int) throws -> ByteBuffer { try frame(CallableErrorBody(failure)) }

    /// Returns one frame with any value.
    func frame(_ value: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "data: ")
        buffer.writeBytes(try WireEncoding.data(value, timestamps: timestamps))
        buffer.writeString("\n\n")
        return buffer
    }
}

/// The stream of `POST /v1/ask` and of the assistant inside a conversation: typed events `progress`, `retrieval`,
/// `reading`, `delta`, `citation`, `support`, and `done` or `error` last, numbered from 1.
struct TypedFrames: AnswerFrames {
    let links: MessageLinkTemplate?
    /// A comment, which readers of event streams ignore.
    let heartbeat: ByteBuffer? = ByteBuffer(string: ":\n\n")

    private typealias Event = NexusModel.AnswerEvent

    func frame(_ event: Assistant.AnswerEvent, number: Int, askedAt moment: Timestamp) throws -> ByteBuffer? {
        switch event {
        case .progress(let part, let parts): try frame("progress", number, Event.Progress(part: part, parts: parts))
        case .retrieved(let sources):
            try frame(
                "retrieval", number, Event.Retrieval(sources: sources.map { ChatAnswer.Source($0, links: links) }))
        case .reading(let share): try frame("reading", number, Event.Reading(share: share))
        case .delta(let text): try frame("delta", number, Event.Delta(text: text))
        case .citation(let citation): try frame("citation", number, ChatAnswer.Citation(citation))
        case .checked(let checked): try frame("support", number, Event.Support(checked))
        case .done(let answer): try frame("done", number, ChatAnswer(answer, askedAt: moment, links: links))
        }
    }

    func frame(_ failure: Failure, number: Int) throws -> ByteBuffer {
        try frame("error", number, ChatProblem(failure))
    }

    private func frame(_ name: String, _ number: Int, _ value: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "id: \(number)\nevent: \(name)\ndata: ")
        buffer.writeBytes(try WireEncoding.data(value))
        buffer.writeString("\n\n")
        return buffer
    }
}
