import Assistant
import ChatCore
import HTTPAPI
import Retrieval
import ServerTestSupport
import Testing
import Transport

struct CallableTests {
    private static let question = #"{"data":{"question":"When?"}}"#
    private static let events = [(name: "Accept", value: "text/event-stream")]

    @Test(arguments: ["/ragQuery", "/my-project/europe-west1/ragQuery"])
    func answersUnderResult(path: String) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let reply = try await withServer(parts) { try await $0.send("POST", path, Self.question) }

        #expect(reply.status == 200)
        #expect(reply.text == #"{"result":"# + Sample.answerJSON() + "}")
    }

    @Test(arguments: [
        (CallableTimestamps.iso, #""2025-10-23T10:30:00.000Z""#), (.millis, "1761215400000"),
        (.firestore, #"{"_nanoseconds":0,"_seconds":1761215400}"#),
    ])
    func writesTimesAsConfigured(form: CallableTimestamps, time: String) async throws {
        var parts = ServerParts()
        parts.settings.callableTimestamps = form
        parts.answering = StubAnswering(Sample.events)

        let reply = try await withServer(parts) { try await $0.send("POST", "/ragQuery", Self.question) }

        #expect(reply.text == #"{"result":"# + Sample.answerJSON(timestamp: time) + "}")
    }

    @Test(arguments: ["/ragSearch", "/p/r/ragSearch"])
    func searchesIntoABareArray(path: String) async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([Sample.hit]))

        let reply = try await withServer(parts) { try await $0.send("POST", path, #"{"data":{"query":"launch"}}"#) }

        #expect(reply.status == 200)
        #expect(reply.text == #"{"result":["# + Sample.foundJSON + "]}")
    }

    @Test(arguments: [
        #"{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"7"}"#,
        #"{"@type":"type.googleapis.com/google.protobuf.UInt64Value","value":"7"}"#, "7", "7.0", "0.7e1",
    ])
    func takesWholeNumbersInEveryForm(topK: String) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        _ = try await withServer(parts) {
            try await $0.send("POST", "/ragQuery", #"{"data":{"question":"q","topK":\#(topK)}}"#)
        }

        #expect(parts.answering.requests.map(\.limit) == [7])
    }

    @Test func dropsHistoryWithoutAnswer() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        let history = #"[{"question":"a","answer":"b"},{"question":"c","answer":null},{"question":"When?"}]"#

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/ragQuery", #"{"data":{"question":"When?","conversationHistory":\#(history)}}"#)
        }

        #expect(reply.status == 200)
        #expect(parts.answering.requests.map(\.history) == [[Exchange(question: "a", answer: "b")]])
    }

    @Test func streamsDataLinesOnly() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/ragQuery", Self.question, headers: Self.events)
        }

        #expect(reply.status == 200)
        #expect(reply.headers["Content-Type"] == "text/event-stream")
        #expect(
            reply.text == "data: {\"message\":\"Friday\"}\n\ndata: {\"message\":\" [1]\"}\n\n"
                + "data: {\"result\":\(Sample.answerJSON())}\n\n")
    }

    @Test func streamsTheResultOfASearch() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([Sample.hit]))

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/ragSearch", #"{"data":{"query":"q"}}"#, headers: Self.events)
        }

        #expect(reply.text == "data: {\"result\":[\(Sample.foundJSON)]}\n\n")
    }

    /// They must not take the places of exchanges that count.
    @Test func dropsHistoryWithAnEmptyAnswer() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        let empty = Array(repeating: #"{"question":"c","answer":" \n"}"#, count: 10)
        let history = ([#"{"question":"a","answer":"b"}"#] + empty).joined(separator: ",")

        _ = try await withServer(parts) {
            try await $0.send("POST", "/ragQuery", #"{"data":{"question":"q","conversationHistory":[\#(history)]}}"#)
        }

        #expect(parts.answering.requests.map(\.history) == [[Exchange(question: "a", answer: "b")]])
    }

    @Test func streamsFailuresWithStatus200() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([.delta("Fri")], ending: .failure(ModelServiceError.busy(retryAfter: nil)))

        let (late, early) = try await withServer(parts) { server in
            (
                try await server.send("POST", "/ragQuery", Self.question, headers: Self.events),
                try await server.send("POST", "/ragQuery", #"{"data":{}}"#, headers: Self.events)
            )
        }

        #expect(late.status == 200)
        #expect(
            late.text == "data: {\"message\":\"Fri\"}\n\ndata: {\"error\":{\"details\":{\"code\":\"model_busy\"},"
                + "\"message\":\"the model service is too busy\",\"status\":\"UNAVAILABLE\"}}\n\n")
        #expect(early.status == 200)
        #expect(
            early.text == "data: {\"error\":{\"details\":{\"code\":\"invalid_field\",\"field\":\"question\"},"
                + "\"message\":\"question is missing\",\"status\":\"INVALID_ARGUMENT\"}}\n\n")
    }

    @Test(arguments: [
        (ModelServiceError.unreachable(reason: "secret"), 503, "UNAVAILABLE", "model_unreachable"),
        (.unauthorized(status: 401), 400, "FAILED_PRECONDITION", "model_unauthorized"),
        (.invalidReply(reason: "secret"), 503, "UNAVAILABLE", "model_invalid_reply"),
        (.quotaExhausted, 400, "FAILED_PRECONDITION", "model_quota_exhausted"),
    ])
    func mapsFailuresToTheProtocolsStatuses(
        error: ModelServiceError, status: Int, word: String, code: String
    ) async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(ending: .failure(error))

        let reply = try await withServer(parts) { try await $0.send("POST", "/ragQuery", Self.question) }

        #expect(reply.status == status)
        #expect(reply.text.hasPrefix(#"{"error":{"details":{"code":"\#(code)"},"message":"the model service"#))
        #expect(reply.text.hasSuffix(#","status":"\#(word)"}}"#))
        #expect(!reply.text.contains("secret"))
    }

    @Test func saysNothingAboutUnknownErrors() async throws {
        struct Unknown: Error {}
        var parts = ServerParts()
        parts.answering = StubAnswering(ending: .failure(Unknown()))

        let reply = try await withServer(parts) { try await $0.send("POST", "/ragQuery", Self.question) }

        #expect(reply.status == 500)
        #expect(reply.text == #"{"error":{"message":"INTERNAL","status":"INTERNAL"}}"#)
    }

    @Test(arguments: [
        (#"{"question":"q"}"#, "the body must be an object with the one key \\\"data\\\""),
        (#"{"data":{"question":"q"},"more":1}"#, "the body must be an object with the one key \\\"data\\\""),
        ("[]", "the body must be an object with the one key \\\"data\\\""),
        (#"{"data":null}"#, "data is missing"),
        (#"{"data":{"question":"q","topK":{"@type":"other","value":"1"}}}"#, "topK has an @type that is not known"),
        (
            #"{"data":{"question":"q","x":[{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"1.5"}]}}"#,
            "x[0] must hold a whole number"
        ),
        (#"{"data":{"question":"q","topK":0}}"#, "topK must lie in 1...50"),
        (#"{"data":{"question":"q","topK":-1}}"#, "topK must lie in 1...50"),
        (#"{"data":{"question":"q","topK":1e9}}"#, "topK must lie in 1...50"),
        (#"{"data":{"question":"q","topK":"5"}}"#, "topK must be a whole number, not a string"),
    ])
    func refusesBadCalls(body: String, message: String) async throws {
        let reply = try await withServer { try await $0.send("POST", "/ragQuery", body) }

        #expect(reply.status == 400)
        #expect(reply.text.contains(#""message":"\#(message)","status":"INVALID_ARGUMENT""#))
    }

    @Test func refusesOtherMethodsAndTypesInTheProtocolsShape() async throws {
        let (get, text, nobody) = try await withServer(ServerParts(defaultUser: nil)) { server in
            (
                try await server.send("GET", "/ragQuery"),
                try await server.send("POST", "/ragQuery", Self.question, headers: [("Content-Type", "text/plain")]),
                try await server.send("POST", "/ragQuery", Self.question)
            )
        }

        #expect(statuses(get, text, nobody) == [405, 400, 401])
        #expect(get.headers["Allow"] == "POST")
        #expect(text.text.contains(#""code":"unsupported_media_type""#))
        #expect(nobody.text.hasSuffix(#""status":"UNAUTHENTICATED"}}"#))
    }

    @Test(arguments: ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func everyCallableTakesPostsOnly(method: String) async throws {
        try await withServer { server in
            for path in ["ragQuery", "ragSearch", "embedNewMessage"].flatMap({ ["/" + $0, "/p/r/" + $0] }) {
                let reply = try await server.send(method, path)
                #expect(reply.status == 405, "\(method) \(path)")
                #expect(reply.headers["Allow"] == "POST", "\(method) \(path)")
                #expect(reply.text.contains(#""code":"method_not_allowed""#))
            }
        }
    }

    @Test(arguments: [
        "/\(String(repeating: "p", count: 257))/r/", "/p/\(String(repeating: "r", count: 257))/", "/p/%00/",
    ])
    func aProjectAndARegionAreNames(place: String) async throws {
        try await withServer { server in
            for name in ["ragQuery", "ragSearch", "embedNewMessage"] {
                let reply = try await server.send("POST", place + name, Self.question)
                #expect(reply.status == 400, "\(name)")
                #expect(reply.text.contains("must have 1 to 256 bytes and no control characters"), "\(name)")
            }
        }
    }

    /// Clients of Firebase write `null` for whatever they do not have; elsewhere it is a mistake.
    @Test func aMissingUserMayBeNullInACallOnly() async throws {
        let (call, plain, chat, name, member) = try await withServer { server in
            (
                try await server.send("POST", "/ragSearch", #"{"data":{"query":"q","userId":null}}"#),
                try await server.send("POST", "/v1/search", #"{"query":"q","userId":null}"#),
                try await server.send(
                    "POST", "/v1/embeddings", #"{"model":"fake","input":"q","user":null,"dimensions":null}"#),
                try await server.send("POST", "/v1/conversations", #"{"name":null,"members":[{"userId":"ada"}]}"#),
                try await server.send(
                    "POST", "/v1/conversations", #"{"members":[{"userId":"ada","name":null}]}"#)
            )
        }

        #expect(statuses(call, plain, chat, name, member) == [200, 400, 200, 400, 400])
        #expect(plain.field("detail") == "userId must be a string, not null; leave it out")
        #expect(name.field("field") == "name")
        #expect(member.field("field") == "members[0].name")
    }

    /// As Firebase's own servers do: clients that stream read what went wrong in the stream only.
    @Test(arguments: ["ragQuery", "ragSearch", "p/r/ragQuery"])
    func streamsOfCallersWithoutATokenHoldTheFailure(path: String) async throws {
        var parts = ServerParts()
        parts.settings.authentication = AuthenticationSettings(tokens: nil)
        let events = [(name: "Accept", value: "text/event-stream")]
        let (stranger, forged) = try await withServer(parts) { server in
            (
                try await server.send("POST", "/" + path, Self.question, headers: events),
                try await server.send(
                    "POST", "/" + path, Self.question, headers: events + [("Authorization", "Bearer x")])
            )
        }

        #expect(statuses(stranger, forged) == [200, 200])
        for (reply, code) in [(stranger, "token_required"), (forged, "token_invalid")] {
            #expect(reply.headers["Content-Type"] == "text/event-stream")
            #expect(reply.text.hasPrefix(#"data: {"error":{"details":{"code":"\#(code)"},"message":""#))
            #expect(reply.text.hasSuffix("\"status\":\"UNAUTHENTICATED\"}}\n\n"))
        }
    }
}
