import Assistant
import ChatCore
import Hummingbird
import NIOCore
import NexusModel
import Retrieval
import UseCases

extension API {
    /// The functions that Firebase clients call, under both forms of their addresses.
    var callableRoutes: [Route] {
        ["", ":project/:region/"].flatMap { prefix in
            [
                Route(
                    .post, prefix + "ragQuery", .user, id: "ragQuery" + (prefix.isEmpty ? "" : "OfProject"),
                    "Answers a question, for Firebase clients.", errors: .callable, takesIdempotencyKey: true,
                    answering: { try await ragQuery($0, $1) }),
                Route(
                    .post, prefix + "ragSearch", .user, id: "ragSearch" + (prefix.isEmpty ? "" : "OfProject"),
                    "Finds messages, for Firebase clients.", errors: .callable
                ) { try await ragSearch($0, $1) },
            ]
        }
    }

    private func ragQuery(_ incoming: IncomingRequest, _ caller: Caller) async throws -> RouteResult {
        guard incoming.wantsEvents else {
            let request = try await callableQuestion(incoming, caller, streams: false)
            let (answer, basis) = try await completeAnswer(to: .question(request), for: incoming)
            return RouteResult(
                try callableReply(CallableAnswer(answer, askedAt: incoming.receivedAt, links: settings.messageLinks)),
                basis: basis)
        }
        let request = try await callableQuestion(incoming, caller, streams: true)
        let frames = CallableFrames(timestamps: settings.callableTimestamps, links: settings.messageLinks)
        let stream = openAnswer(to: .question(request), for: incoming)
        return RouteResult(.events(body(of: stream, as: frames, askedAt: incoming.receivedAt)))
    }

    private func ragSearch(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        guard incoming.wantsEvents else { return try callableReply(try await callableSearch(incoming, caller)) }
        let frames = CallableFrames(timestamps: settings.callableTimestamps, links: settings.messageLinks)
        let found = try await callableSearch(incoming, caller)
        return .events(ResponseBody(byteBuffer: try frames.frame(CallableResult(result: found))))
    }

    /// Returns a failure for a client that calls a function and waits for events.
    ///
    /// Such streams always have status 200, like those of Firebase's own servers; the failure is their only frame.
    func streamedFailure(_ failure: Failure, of incoming: IncomingRequest, at route: Route) -> Response? {
        guard route.errors == .callable, incoming.wantsEvents else { return nil }
        let frames = CallableFrames(timestamps: settings.callableTimestamps, links: settings.messageLinks)
        return (try? frames.frame(CallableErrorBody(failure))).map { .events(ResponseBody(byteBuffer: $0)) }
    }

    private func callableQuestion(
        _ incoming: IncomingRequest, _ caller: Caller, streams: Bool
    ) async throws -> AskRequest {
        let data = try await callableData(incoming)
        return try AskFields(data).question(
            asker: try incoming.asker(caller, body: data), askedAt: incoming.receivedAt, streams: streams)
    }

    private func callableSearch(_ incoming: IncomingRequest, _ caller: Caller) async throws -> [Timed<
        ChatSearchResult.Found
    >] {
        let data = try await callableData(incoming)
        let request = try AskFields(data).search(
            asker: try incoming.asker(caller, body: data), askedAt: incoming.receivedAt)
        return try await incoming.useCases.search(request).hits.map {
            Timed($0, links: settings.messageLinks)
        }
    }

    /// Returns the value of `data` with unwrapped integers; the protocol allows no other key.
    func callableData(_ incoming: IncomingRequest) async throws -> JSONField {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        guard case .object(let fields) = body.value, fields.count == 1, let data = fields["data"] else {
            throw FieldError(FieldPath(), "must be an object with the one key \"data\"")
        }
        guard data != .null else { throw FieldError(FieldPath("data"), "is missing") }
        // Firebase clients write `null` for values that they do not have.
        var given = data
        if case .object(let fields) = data { given = .object(fields.filter { $0.value != .null }) }
        return try JSONField(try given.unwrappingIntegers()).object()
    }

    private func callableReply(_ result: some Encodable & Sendable) throws -> Response {
        try reply(CallableResult(result: result), timestamps: settings.callableTimestamps)
    }
}

/// The body of a call that succeeded.
struct CallableResult<Result: Encodable>: Encodable {
    let result: Result
}

/// Reads bodies as routes do, without a server, for a test with millions of bodies.
package enum ReadBody {
    /// Whether a callable's body contains something readable: a question, a time, or a typed value of Firestore.
    package static func reads(_ body: [UInt8]) -> Bool {
        guard let value = try? JSONParser.parse(body), let plain = try? value.unwrappingIntegers() else { return false }
        let data = JSONField(plain)["data"]
        let times = ["timestamp", "from", "to"].map { try? data.at($0).readingFirestoreTime().optionalTimestamp() }
        for time in times.compactMap(\.self) {
            for form in [CallableTimestamps.iso, .millis, .firestore] {
                _ = try? WireEncoding.data(WireTime(time), timestamps: form)
            }
        }
        let moment = Timestamp(microseconds: 0)
        let typed = try? FirestoreFields.plain(data)
        let question = try? AskFields(data).question(asker: "u", askedAt: moment, streams: false)
        let search = try? AskFields(data).search(asker: "u", askedAt: moment)
        return times.contains { $0 != nil } || typed != nil || question != nil || search != nil
    }

    /// Whether the body of an OpenAI client's request is a question or a task, in one of the forms of their API.
    package static func readsTalk(_ body: [UInt8]) -> Bool {
        guard let value = try? JSONParser.parse(body) else { return false }
        let moment = Timestamp(microseconds: 0)
        let chat = try? ChatFields(JSONField(value)).request(asker: "u", askedAt: moment)
        let response = try? ResponseFields(JSONField(value)).request(asker: "u", askedAt: moment, turnID: "t", in: nil)
        return chat != nil || response != nil
    }
}
