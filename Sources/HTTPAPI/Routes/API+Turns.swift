import ChatCore
import Hummingbird

extension API {
    /// What the asker asked before.
    ///
    /// No stored turn enters a prompt: what was said before comes with each request.
    var turnRoutes: [Route] {
        [
            Route(.get, "v1/turns", .user, id: "listTurns", "Lists the asker's past questions, newest first.") {
                try await listTurns($0, $1)
            }
        ]
    }

    private func listTurns(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let found = try await services.store.turns(
            of: asker, before: try incoming.cursor("before"), limit: limit + 1)
        let turns = Array(found.prefix(limit))
        let scope = SearchScope(asker: asker, conversations: .all)
        let permitted = try await services.store.messages(
            turns.flatMap(\.sourceKeys), in: scope, at: services.now())
        return try reply(
            TurnPage(
                turns: turns.map { TurnWire($0, permitted: Set(permitted.keys)) },
                next: found.count > limit ? turns.last?.id : nil))
    }
}

/// A past turn as it goes over the wire.
struct TurnWire: Encodable {
    /// A message that the answer stood on.
    struct Source: Encodable {
        let conversationId: ConversationID
        let messageId: MessageID
    }

    let turnId: TurnID
    /// Empty once a message that the answer stood on was deleted.
    let question: String
    /// Empty when it stood on a message that the asker may not see, or not any more.
    let answer: String
    let isRedacted: Bool
    /// The messages in the order of their numbers, without those that the asker may not see.
    let sources: [Source]
    let askedAt: WireTime

    init(_ turn: Turn, permitted: Set<MessageKey>) {
        turnId = turn.id
        let isPermitted = turn.sourceKeys.allSatisfy(permitted.contains)
        question = turn.question
        answer = isPermitted ? turn.answer : ""
        isRedacted = !isPermitted || turn.question.isEmpty
        sources = turn.sourceKeys.filter(permitted.contains).map {
            Source(conversationId: $0.conversationID, messageId: $0.messageID)
        }
        askedAt = WireTime(turn.askedAt)
    }
}

/// A page of past turns; `next` is what `before` takes for the older ones, and missing on the last page.
struct TurnPage: Encodable {
    let turns: [TurnWire]
    let next: TurnID?
}
