import Assistant
import ChatCore
import NIOCore
import Synchronization

/// The stream of `POST /v1/responses`: the events of one message with one text, in OpenAI's order.
///
/// A failure after the first event is `response.failed`, which more clients understand than `error`.
final class ResponseFrames: AnswerFrames {
    /// An event; only the fields of its type are there.
    private struct Event: Encodable {
        private enum CodingKeys: String, CodingKey {
            case type, response, item, part, delta, text, logprobs, annotation
            case sequenceNumber = "sequence_number"
            case outputIndex = "output_index"
            case contentIndex = "content_index"
            case itemID = "item_id"
            case annotationIndex = "annotation_index"
        }

        let type: String
        var sequenceNumber = 0
        var response: ResponseWire?
        var outputIndex: Int?
        var item: ResponseMessage?
        var itemID: String?
        var contentIndex: Int?
        var part: ResponseMessage.Part?
        var delta: String?
        var text: String?
        var logprobs: [String]?
        var annotationIndex: Int?
        var annotation: ResponseAnnotation?
    }

    /// Whether the first events were sent, and the number of the next one.
    private let state = Mutex((hasBegun: false, number: 0))
    private let start: ResponseWire
    private let turn: TurnID
    private let listing: OpenAIListing
    /// A comment, like that of similar services.
    let heartbeat: ByteBuffer? = ByteBuffer(string: ":\n\n")

    init(start: ResponseWire, turn: TurnID, listing: OpenAIListing) {
        (self.start, self.turn, self.listing) = (start, turn, listing)
    }

    func frame(_ event: AnswerEvent, number: Int, askedAt moment: Timestamp) throws -> ByteBuffer? {
        let events =
            switch event {
            // Another list of sources, because the model failed, changes nothing here.
            case .retrieved: beginning()
            case .delta(let text): beginning() + [delta(text)]
            case .progress, .reading, .citation, .checked: [Event]()
            case .done(let answer): beginning() + end(answer)
            }
        return events.isEmpty ? nil : try written(events)
    }

    func frame(_ failure: Failure, number: Int) throws -> ByteBuffer {
        var response = start
        response.fail(failure)
        return try written(beginning() + [Event(type: "response.failed", response: response)])
    }

    /// Returns the events before the first text, once.
    private func beginning() -> [Event] {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return [] }
        return [
            Event(type: "response.created", response: start), Event(type: "response.in_progress", response: start),
            Event(type: "response.output_item.added", outputIndex: 0, item: ResponseMessage(of: turn)),
            atPart(Event(type: "response.content_part.added", part: ResponseMessage.Part())),
        ]
    }

    private func delta(_ text: String) -> Event {
        atPart(Event(type: "response.output_text.delta", delta: text, logprobs: []))
    }

    private func end(_ answer: Answer) -> [Event] {
        let answer = OpenAIAnswer(answer, links: listing.links)
        let message = ResponseMessage(answer, of: turn, listing: listing)
        let part = message.content.first ?? ResponseMessage.Part()
        let list = listing.list(of: answer)
        var response = start
        response.end(answer, as: message)
        let annotations = part.annotations.enumerated().map { index, annotation in
            atPart(
                Event(
                    type: "response.output_text.annotation.added", annotationIndex: index, annotation: annotation))
        }
        let type = response.status == .completed ? "response.completed" : "response.incomplete"
        return (list.isEmpty ? [] : [delta(list)]) + annotations + [
            atPart(Event(type: "response.output_text.done", text: part.text, logprobs: [])),
            atPart(Event(type: "response.content_part.done", part: part)),
            Event(type: "response.output_item.done", outputIndex: 0, item: message),
            Event(type: type, response: response),
        ]
    }

    /// Places an event at the one part of the one message.
    private func atPart(_ event: Event) -> Event {
        var event = event
        (event.itemID, event.outputIndex, event.contentIndex) = (ResponseMessage(of: turn).id, 0, 0)
        return event
    }

    private func written(_ events: [Event]) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        for var event in events {
            event.sequenceNumber = state.withLock { state in
                defer { state.number += 1 }
                return state.number
            }
            buffer.writeString("event: \(event.type)\ndata: ")
            buffer.writeBytes(try WireEncoding.data(event))
            buffer.writeString("\n\n")
        }
        return buffer
    }
}
