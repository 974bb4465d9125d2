import ChatCore
import CoreMetrics
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// The asker's past questions, with feedback and traces.
    ///
    /// A stored turn enters a prompt only through its thread.
    var turnRoutes: [Route] {
        [
            Route(.get, "v1/turns", .user, id: "listTurns", "Lists the asker's past questions, newest first.") {
                try await listTurns($0, $1)
            },
            Route(.get, "v1/turns/:turn", .user, id: "getTurn", "Shows one of the asker's past questions.") {
                let asker = try $0.asker($1)
                let turn = try await $0.useCases.turn(try $0.turnID(), of: asker)
                return try reply(ChatTurn(turn, links: settings.messageLinks))
            },
            Route(
                .delete, "v1/turns/:turn", .user, id: "deleteTurn", "Deletes one of the asker's past questions."
            ) {
                let asker = try $0.asker($1)
                try await $0.useCases.deleteTurn(try $0.turnID(), of: asker)
                return Response(status: .noContent)
            },
            Route(
                .post, "v1/turns/:turn/feedback", .user, id: "setFeedback",
                "Stores feedback on an answer; it replaces earlier feedback."
            ) { try await setFeedback($0, $1) },
            Route(.delete, "v1/turns/:turn/feedback", .user, id: "removeFeedback", "Deletes the feedback on an answer.")
            {
                let asker = try $0.asker($1)
                _ = try await $0.useCases.setFeedback(nil, on: try $0.turnID(), of: asker)
                countFeedback("none")
                return Response(status: .noContent)
            },
            Route(
                .get, "v1/turns/:turn/trace", .userOrAdmin, id: "getTrace",
                "Shows how an answer was made, in ids and numbers."
            ) { try await trace($0, $1) },
        ]
    }

    private func listTurns(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        return try reply(
            turnPage(
                try await incoming.useCases.turns(
                    of: asker, in: try incoming.cursor("threadId"), before: try incoming.cursor("before"),
                    limit: limit)))
    }

    /// The wire form of a page of turns.
    func turnPage(_ page: ListPage<ReadableTurn>) -> ChatTurnPage {
        ChatTurnPage(
            turns: page.elements.map { ChatTurn($0, links: settings.messageLinks) },
            next: page.hasMore ? page.elements.last?.turn.id.rawValue : nil)
    }

    private func setFeedback(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        guard let rating: TurnFeedback.Rating = try body["rating"].optionalWord() else { throw body["rating"].missing }
        let turn = try await incoming.useCases.setFeedback(
            rating, reason: try body["reason"].optionalString(), on: try incoming.turnID(), of: asker)
        countFeedback(rating.rawValue)
        return try reply(ChatTurn(turn, links: settings.messageLinks))
    }

    private func countFeedback(_ rating: String) {
        Counter(label: "nexus_turn_feedback_total", dimensions: [("rating", rating)], factory: services.metrics)
            .increment()
    }

    /// Shows an administrator the trace of anybody's turn, without the question.
    private func trace(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let id = try incoming.turnID()
        let user = try incoming.isOfAdministrator(caller) ? nil : try incoming.asker(caller)
        guard let trace = try await incoming.useCases.trace(of: id, user: user) else {
            throw Failure.noTrace
        }
        return try reply(ChatTrace(trace, of: id))
    }
}

extension IncomingRequest {
    /// Returns the turn that the path names.
    fileprivate func turnID() throws(Failure) -> TurnID { TurnID(rawValue: try parameter("turn")) }
}
