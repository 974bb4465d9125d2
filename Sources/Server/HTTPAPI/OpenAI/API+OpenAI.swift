import Assistant
import ChatCore
import Hummingbird
import UseCases

extension API {
    /// The routes for clients of OpenAI's API; the assistant is the model `nexus`.
    var openAIRoutes: [Route] {
        [
            Route(.get, "v1/models", .user, id: "listModels", "Lists the models.", errors: .openAI) {
                _ = try $0.asker($1)
                return try reply(ModelList(data: await models()))
            },
            Route(.get, "v1/models/:model", .user, id: "getModel", "Shows a model.", errors: .openAI) {
                _ = try $0.asker($1)
                let id = try $0.parameter("model")
                guard let model = await models().first(where: { $0.id == id }) else { throw Failure.noSuchModel }
                return try reply(model)
            },
            Route(
                .post, "v1/chat/completions", .user, id: "createChatCompletion",
                "Answers a question, for OpenAI clients.", errors: .openAI,
                takesIdempotencyKey: true, answering: { try await createChatCompletion($0, $1) }),
            Route(
                .post, "v1/embeddings", .user, id: "createEmbeddings",
                "Embeds texts, for OpenAI clients.", errors: .openAI
            ) { try await createEmbeddings($0, $1) },
        ]
    }

    /// How clients of OpenAI's API get answers.
    var listing: OpenAIListing { OpenAIListing(listsSources: settings.listsSources, links: settings.messageLinks) }

    /// The assistant, and the embedder unless its service had to be asked and did not answer.
    private func models() async -> [ModelWire] {
        let space = try? await services.embedder.space()
        return [ModelWire(id: ChatFields.model, ownedBy: "nexus")]
            + (space.map { [ModelWire(id: $0.model, ownedBy: $0.provider)] } ?? [])
    }

    private func createChatCompletion(_ incoming: IncomingRequest, _ caller: Caller) async throws -> RouteResult {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try ChatFields(body)
        let request = try fields.request(
            asker: try incoming.openAIAsker(caller, body: body), askedAt: incoming.receivedAt)
        let id = "chatcmpl-" + services.makeID()
        guard fields.streams else {
            let (answer, basis) = try await completeAnswer(to: request, for: incoming)
            let completion = ChatCompletion(answer, id: id, askedAt: incoming.receivedAt, listing: listing)
            return RouteResult(try reply(completion), basis: basis)
        }
        let frames = ChatFrames(id: id, includesUsage: fields.includesUsage, listing: listing)
        return RouteResult(try await answerEvents(of: request, as: frames, for: incoming))
    }

    private func createEmbeddings(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let asker = try incoming.openAIAsker(caller, body: body)
        let fields = try EmbeddingsFields(body)
        let embedder = services.embedder
        let space = try await embedder.space()
        guard fields.model == space.model else { throw Failure.noSuchModel }
        guard fields.dimensions ?? space.dimensions == space.dimensions else {
            throw body["dimensions"].error("must be \(space.dimensions), or left out")
        }
        let (vectors, tokenCount) = try await embed(fields, with: embedder, for: asker, incoming)
        return try reply(
            EmbeddingsWire(vectors: vectors, format: fields.format, model: space.model, tokenCount: tokenCount))
    }

    /// Embeds texts while the client listens, one request of an asker at a time.
    private func embed(
        _ fields: EmbeddingsFields, with embedder: any Embedder, for asker: UserID, _ incoming: IncomingRequest
    ) async throws -> (vectors: [[Float]], tokenCount: Int) {
        do {
            let estimate = fields.texts.reduce(0) { $0 + TokenEstimate.count($1) }
            let reply = try await incoming.whileClientListens {
                try await withTimeLimit(settings.answerTimeout) {
                    try await incoming.useCases.questions.withPlace(for: asker.rawValue) {
                        try await embeddingGate.withPlace(for: asker.rawValue) {
                            try await counted(estimate, for: asker) {
                                try await embedder.embed(fields.texts, as: fields.purpose)
                            }
                        }
                    }
                }
            }
            let vectors = try reply.outcomes.map { outcome in
                switch outcome {
                case .vector(let vector): return vector
                case .refused(let error): throw error
                }
            }
            return (vectors, reply.tokenCount ?? estimate)
        } catch is TimeLimitExceeded {
            throw Failure.timedOut
        } catch ModelServiceError.tooLong {
            throw Failure.invalid(field: "input", "is longer than the model takes")
        }
    }

    /// Adds the tokens of an embedding to the asker's tokens of the day.
    private func counted(
        _ estimate: Int, for asker: UserID, _ embed: () async throws -> EmbeddingReply
    ) async throws -> EmbeddingReply {
        guard let allowance = services.allowance else { return try await embed() }
        return try await allowance.counting(estimate, for: asker) {
            let reply = try await embed()
            return (reply, reply.tokenCount ?? estimate)
        }
    }
}

extension IncomingRequest {
    /// Returns the asker: a person by the token alone; for other callers `user` names the asker if neither `userId` nor
    /// the header does.
    func openAIAsker(_ caller: Caller, body: JSONField) throws -> UserID {
        if case .person = caller { return try asker(caller, body: body) }
        let named = body["userId"].isPresent ? body["userId"] : body["user"]
        return try asker(caller, naming: named.isPresent ? named : nil)
    }
}
