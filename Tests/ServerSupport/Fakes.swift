package import Assistant
package import ChatCore
package import Retrieval
import Synchronization

/// A search that returns a given result, and remembers its requests.
package final class StubSearching: MessageSearching {
    private let state: Mutex<(reply: Result<[Hit], any Error>, requests: [SearchRequest])>

    package init(_ reply: Result<[Hit], any Error> = .success([])) {
        state = Mutex((reply, []))
    }

    package var requests: [SearchRequest] { state.withLock(\.requests) }
    private let next = Mutex<SearchContinuation?>(nil)
    /// What every page ends with.
    package var continuation: SearchContinuation? {
        get { next.withLock(\.self) }
        set { next.withLock { $0 = newValue } }
    }

    package func search(_ request: SearchRequest) async throws -> SearchResult {
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.reply
        }
        var result = SearchResult(
            hits: Array(try reply.get().prefix(request.limit)), mode: .denseOnly,
            generation: GenerationNumber(rawValue: 1))
        result.continuation = continuation
        return result
    }
}

/// An assistant that sends given events, and reports when it was cut off.
package final class StubAnswering: QuestionAnswering {
    /// What comes after the events.
    package enum Ending: Sendable {
        case finish
        case failure(any Error)
        /// Nothing: the answer hangs.
        case hang
    }

    private let events: [AnswerEvent]
    private let ending: Ending
    private let asked = Mutex<[AskRequest]>([])
    /// Yields once for each answer that hung and was given up by its consumer.
    package let cutOff: AsyncStream<Void>
    private let cutOffContinuation: AsyncStream<Void>.Continuation

    package init(_ events: [AnswerEvent] = [], ending: Ending = .finish) {
        self.events = events
        self.ending = ending
        (cutOff, cutOffContinuation) = AsyncStream.makeStream()
    }

    package var requests: [AskRequest] { asked.withLock { $0 } }

    package func answer(_ request: AskRequest, deliver: (AnswerEvent) -> Void) async throws {
        asked.withLock { $0.append(request) }
        events.forEach(deliver)
        switch ending {
        case .finish: break
        case .failure(let error): throw error
        case .hang:
            defer { cutOffContinuation.yield() }
            let (silence, keepOpen) = AsyncStream<Void>.makeStream()
            for await _ in silence {}
            keepOpen.finish()
            try Task.checkCancellation()
        }
    }
}

/// Values that tests are written with.
package enum Sample {
    /// 2025-10-23T10:30:00Z.
    package static let now = Timestamp(milliseconds: 1_761_215_400_000)

    package static let message = Message(
        key: MessageKey(conversationID: "team", messageID: "m1"), senderID: "ben", senderName: "Ben",
        text: "The launch is on Friday.", timestamp: now)

    package static let hit = Hit(
        message: message,
        conversation: PermittedConversation(
            id: "team", number: ConversationNumber(rawValue: 1), displayName: "Team", timeZone: nil, isMember: true),
        rank: 1, relevance: 0.75)

    package static let citation = Citation(number: 1, messageKey: message.key, range: 7..<10)

    package static let answer = Answer(
        turnID: "turn-1", text: "Friday [1]", sources: [Source(number: 1, hit: hit)], citations: [citation],
        noAnswerReason: .none, mode: .denseOnly, generation: GenerationNumber(rawValue: 2),
        promptMessageKeys: [message.key], usage: TokenUsage(promptTokens: 10, completionTokens: 3),
        notices: [.truncated, .extractive])

    package static let events: [AnswerEvent] = [
        .retrieved([Source(number: 1, hit: hit)]), .delta("Friday"), .delta(" [1]"), .citation(citation),
        .done(answer),
    ]

    package static func answerJSON(timestamp: String = #""2025-10-23T10:30:00.000Z""#) -> String {
        #"{"answer":"Friday [1]","citations":[{"conversationId":"team","end":10,"messageId":"m1","number":1,"#
            + #""start":7}],"noAnswerReason":"none","notices":["extractive","truncated"],"queryTime":\#(timestamp),"#
            + #""retrieval":{"generation":2,"mode":"dense_only","promptMessageIds":["m1"],"#
            + #""promptMessages":[{"conversationId":"team","messageId":"m1"}]},"sources":["#
            + sourceJSON(timestamp: timestamp)
            + #"],"turnId":"turn-1","usage":{"completionTokens":3,"promptTokens":10}}"#
    }

    /// What follows the text for OpenAI's clients, as it stands in JSON.
    package static let sourceListJSON = #"\n\n- [1] Ben, 2025-10-23, Team"#

    package static let annotationsJSON =
        #""annotations":[{"type":"url_citation","url_citation":{"end_index":10,"start_index":7,"#
        + #""title":"Ben, 2025-10-23, Team","url":"nexus://conversations/team/messages/m1"}}]"#

    package static func sourceJSON(timestamp: String = #""2025-10-23T10:30:00.000Z""#) -> String {
        #"{"conversationId":"team","conversationName":"Team","end":24,"excerpt":"The launch is on Friday.","#
            + #""messageId":"m1","number":1,"rank":1,"relevanceScore":0.75,"senderName":"Ben","#
            + #""start":0,"timestamp":\#(timestamp)}"#
    }

    package static let foundJSON =
        #"{"conversationId":"team","conversationName":"Team","end":24,"excerpt":"The launch is on Friday.","#
        + #""messageId":"m1","score":0.75,"senderId":"ben","senderName":"Ben","start":0,"text":"The launch is on Friday.","timestamp":"2025-10-23T10:30:00.000Z"}"#
}
