import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import Testing
import Transport

struct BadInputTests {
    @Test(arguments: [
        ("", "malformed_json", "the body is empty; send a JSON object"),
        ("{", "malformed_json", "the body is not valid JSON: it ends too early"),
        (#"{"question":"q",}"#, "malformed_json", "the body is not valid JSON at byte 16"),
        (#"{"question":"q"} x"#, "malformed_json", "the body is not valid JSON at byte 17"),
        (#"{"question":"\ud800"}"#, "malformed_json", "the body is not valid JSON at byte 14"),
        (#"{"question":"q","topK":01}"#, "malformed_json", "the body is not valid JSON at byte 24"),
        (#"{"question":NaN}"#, "malformed_json", "the body is not valid JSON at byte 12"),
        ("[]", "invalid_field", "the body must be an object, not an array"),
        ("{}", "invalid_field", "question is missing"),
        (#"{"question":"a\u0000b"}"#, "invalid_field", "question holds a NUL character"),
        (#"{"question":5}"#, "invalid_field", "question must be a string, not a number"),
        (#"{"question":" \n"}"#, "invalid_field", "question must not be empty"),
        (#"{"question":"q","topK":0}"#, "invalid_field", "topK must lie in 1...50"),
        (#"{"question":"q","topK":-1}"#, "invalid_field", "topK must lie in 1...50"),
        (#"{"question":"q","topK":1e9}"#, "invalid_field", "topK must lie in 1...50"),
        (#"{"question":"q","topK":1e300}"#, "invalid_field", "topK must lie in 1...50"),
        (#"{"question":"q","topK":1.5}"#, "invalid_field", "topK must be a whole number, not a number"),
        (#"{"question":"q","topK":true}"#, "invalid_field", "topK must be a whole number, not a boolean"),
        (
            #"{"question":"q","conversationIds":["a",7]}"#, "invalid_field",
            "conversationIds[1] must be a string, not a number"
        ),
        (
            #"{"question":"q","senderIds":[""]}"#, "invalid_field",
            "senderIds[0] must have 1 to 256 bytes and no control characters"
        ),
        (
            #"{"question":"q","from":"yesterday"}"#, "invalid_field",
            "from must be a time such as 2025-10-23T10:30:00Z, or milliseconds since 1970"
        ),
        (
            #"{"question":"q","from":1e30}"#, "invalid_field",
            "from must be a time such as 2025-10-23T10:30:00Z, or milliseconds since 1970"
        ),
        (#"{"question":"q","from":2000,"to":1000}"#, "invalid_field", "to must be later than from"),
        (
            #"{"question":"q","timeZone":"Mars/Base"}"#, "invalid_field",
            "timeZone must be the IANA name of a zone, as Europe/Berlin"
        ),
        (
            #"{"question":"q","conversationHistory":[{"answer":"a"}]}"#, "invalid_field",
            "conversationHistory[0].question is missing"
        ),
        (
            #"{"question":"q","conversationHistory":{}}"#, "invalid_field",
            "conversationHistory must be an array, not an object"
        ),
    ])
    func namesWhatIsWrong(body: String, code: String, detail: String) async throws {
        let reply = try await withServer { try await $0.send("POST", "/v1/ask", body) }

        #expect(reply.status == 400)
        #expect(reply.headers["Content-Type"] == "application/problem+json")
        #expect(reply.field("code") == code)
        #expect(reply.field("detail") == detail)
    }

    @Test(arguments: [
        ("/v1/conversations", #"{"members":["mara"]}"#, "members[0] must be an object, not a string"),
        ("/v1/conversations/team/read", #"{"messageIds":[]}"#, "messageIds must name a message"),
        ("/v1/conversations/team/read", "{}", "upTo is missing"),
    ]) func saysWhatAListMustHold(path: String, body: String, detail: String) async throws {
        let reply = try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            return try await server.send("POST", path, body)
        }
        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
    }

    @Test func refusesBytesThatAreNoUTF8() async throws {
        let body = Array(#"{"question":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)

        let reply = try await withServer { try await $0.send("POST", "/v1/ask", bytes: body) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == "the body is not valid UTF-8")
    }

    @Test func refusesDeepNesting() async throws {
        let nested = String(repeating: "[", count: 100_000)

        let reply = try await withServer { try await $0.send("POST", "/v1/ask", #"{"question":\#(nested)"#) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == "the body is nested deeper than 64 levels")
    }

    @Test func refusesLongQuestions() async throws {
        let (long, accents) = try await withServer { server in
            (
                try await server.send(
                    "POST", "/v1/ask", #"{"question":"\#(String(repeating: "x", count: 100_000))"}"#),
                try await server.send("POST", "/v1/ask", #"{"question":"\#(String(repeating: "é", count: 8_001))"}"#)
            )
        }

        for reply in [long, accents] {
            #expect(reply.status == 400)
            #expect(reply.field("detail") == "question must have at most 8000 characters")
        }
    }

    @Test func refusesBodiesThatAreTooLarge() async throws {
        let body = #"{"question":"\#(String(repeating: "x", count: 300_000))"}"#

        let (large, alive) = try await withServer { server in
            (
                try await server.send("POST", "/v1/ask", body),
                try await server.send("GET", "/health")
            )
        }

        #expect(statuses(large, alive) == [413, 200])
        #expect(large.field("code") == "body_too_large")
        #expect(large.field("detail") == "the body must have at most 262144 bytes")
    }

    @Test func keepsTheLastOfTwoEqualKeys() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching()

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/search", #"{"query":"a","query":"b\u00e9\ud83d\ude00"}"#)
        }

        #expect(reply.status == 200)
        #expect(parts.searching.requests.map(\.question) == ["bé😀"])
    }

    @Test(
        arguments: [
            (RetrievalError.noPermittedConversation as any Error, 403, "conversation_forbidden", nil),
            (RetrievalError.invalid(field: "query", reason: "must not be odd"), 400, "invalid_field", nil),
            (RepositoryError.storageFull, 507, "storage_full", nil),
            (RepositoryError.storageReadOnly, 507, "storage_read_only", nil),
            (RepositoryError.unavailable(reason: "secret"), 503, "store_unavailable", "5"),
            (RepositoryError.fromTheFuture(found: "secret"), 503, "store_unavailable", "5"),
            (ModelServiceError.unreachable(reason: "secret"), 503, "model_unreachable", "5"),
            (ModelServiceError.busy(retryAfter: .seconds(17)), 503, "model_busy", "17"),
            (ModelServiceError.slow(.reading), 504, "model_slow", "5"),
            (ModelServiceError.failed(status: 500), 502, "model_failed", "5"),
            (ModelServiceError.unauthorized(status: 401), 502, "model_unauthorized", nil),
            (ModelServiceError.quotaExhausted, 502, "model_quota_exhausted", nil),
            (ModelServiceError.rejected(status: 400, code: "secret"), 502, "model_rejected", nil),
            (ModelServiceError.tooLong, 502, "model_too_long", nil),
            (ModelServiceError.invalidReply(reason: "secret"), 502, "model_invalid_reply", "5"),
            (ModelServiceError.incompleteReply, 502, "model_incomplete_reply", "5"),
            (ModelServiceError.misconfigured(reason: "secret"), 503, "model_misconfigured", nil),
            (
                ModelServiceError.misconfigured(reason: "no language model is configured"), 503, "model_not_configured",
                nil
            ),
            (CocoaError(.fileNoSuchFile), 500, "internal", nil),
        ] as [(any Error, Int, String, String?)])
    func turnsErrorsIntoProblems(error: any Error, status: Int, code: String, retryAfter: String?) async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.failure(error))

        let reply = try await withServer(parts) { try await $0.send("POST", "/v1/search", #"{"query":"q"}"#) }

        #expect(reply.status == status)
        #expect(reply.field("status") == "\(status)")
        #expect(reply.field("code") == code)
        #expect(reply.headers["Retry-After"] == retryAfter)
        #expect(!reply.text.contains("secret"))
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded"])
    func refusesOtherContentTypes(type: String) async throws {
        let reply = try await withServer {
            try await $0.send("POST", "/v1/ask", #"{"question":"q"}"#, headers: [("Content-Type", type)])
        }

        #expect(reply.status == 415)
        #expect(reply.field("code") == "unsupported_media_type")
    }

    @Test func takesAContentTypeWithCharset() async throws {
        let reply = try await withServer {
            try await $0.send(
                "POST", "/v1/search", #"{"query":"q"}"#, headers: [("Content-Type", "Application/JSON; charset=utf-8")])
        }

        #expect(reply.status == 200)
    }
}
