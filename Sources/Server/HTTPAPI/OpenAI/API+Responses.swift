import Assistant
import ChatCore
import Hummingbird
import UseCases

extension API {
    private static let response = "v1/responses/:response_id"

    /// The routes of OpenAI's newer API; a response is a turn of its asker.
    var responseRoutes: [Route] {
        [
            Route(
                .post, "v1/responses", .user, id: "createResponse",
                "Answers a question, for clients of OpenAI's newer API.", errors: .openAI, takesIdempotencyKey: true,
                answering: { try await createResponse($0, $1) }),
            Route(.get, Self.response, .user, id: "getResponse", "Shows a response that was stored.", errors: .openAI) {
                try await getResponse($0, $1)
            },
            Route(
                .delete, Self.response, .user, id: "deleteResponse", "Deletes a response that was stored.",
                errors: .openAI
            ) { try await deleteResponse($0, $1) },
            Route(
                .get, Self.response + "/input_items", .user, id: "listResponseInput",
                "Lists the input of a response that was stored: its question.", errors: .openAI
            ) { try await listInput($0, $1) },
        ]
    }

    private func createResponse(_ incoming: IncomingRequest, _ caller: Caller) async throws -> RouteResult {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try ResponseFields(body)
        let asker = try incoming.openAIAsker(caller, body: body)
        let turn = TurnID(rawValue: services.makeID())
        var echo = fields.echo
        echo.conversation = try await thread(of: fields, asker: asker, incoming)
        let request = try fields.request(
            asker: asker, askedAt: incoming.receivedAt, turnID: turn, in: echo.conversation)
        var response = ResponseWire(turn, askedAt: incoming.receivedAt, echo: echo)
        guard fields.streams else {
            let (answer, basis) = try await completeAnswer(to: request, for: incoming)
            let said = OpenAIAnswer(answer, links: listing.links)
            response.end(said, as: ResponseMessage(said, of: turn, listing: listing))
            return RouteResult(try reply(response), basis: basis)
        }
        let frames = ResponseFrames(start: response, turn: turn, listing: listing)
        return RouteResult(try await answerEvents(of: request, as: frames, for: incoming))
    }

    /// Returns the thread of a response: that of the response that it follows, or the one that it names.
    private func thread(
        of fields: ResponseFields, asker: UserID, _ incoming: IncomingRequest
    ) async throws -> ThreadID? {
        guard !fields.isTask else { return nil }
        guard let previous = fields.previousTurnID else { return fields.threadID }
        do {
            if fields.isKept { return try await incoming.useCases.thread(following: previous, of: asker) }
            _ = try await incoming.useCases.turn(previous, of: asker)
            return nil
        } catch RepositoryError.noSuchTurn {
            throw Failure.noSuchPreviousResponse
        }
    }

    private func getResponse(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        guard incoming.query("stream") != "true" else {
            throw Failure.unsupported(field: "stream", "is not supported here; leave it out")
        }
        return try reply(ResponseWire(try await turn(incoming, caller), listing: listing))
    }

    private func deleteResponse(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let id = try await turn(incoming, caller).turn.id
        try await incoming.useCases.deleteTurn(id, of: try incoming.asker(caller))
        return try reply(DeletedResponse(id: ResponseWire.id(of: id)))
    }

    private func listInput(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        _ = try incoming.limit(in: 1...100, default: 20)
        let input = ResponseInput(try await turn(incoming, caller).turn)
        // Nothing is before or after the only item.
        let isPast = incoming.query("after") == input.id || incoming.query("before") == input.id
        return try reply(ResponseInputList(isPast ? [] : [input]))
    }

    /// Returns the asker's turn of the response that the path names, as the asker may see it now.
    private func turn(_ incoming: IncomingRequest, _ caller: Caller) async throws -> ReadableTurn {
        let asker = try incoming.asker(caller)
        guard let id = ResponseWire.turnID(of: try incoming.parameter("response_id")) else {
            throw Failure.noSuchResponse
        }
        do {
            return try await incoming.useCases.turn(id, of: asker)
        } catch RepositoryError.noSuchTurn {
            throw Failure.noSuchResponse
        }
    }
}
