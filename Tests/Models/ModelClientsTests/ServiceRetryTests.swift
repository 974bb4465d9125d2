import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing
import Transport

@Suite("Retries", .hangGuard)
struct ServiceRetryTests {
    @Test(arguments: [
        (408, ModelServiceError.failed(status: 408)), (409, .failed(status: 409)), (424, .failed(status: 424)),
        (429, .busy(retryAfter: nil)), (500, .failed(status: 500)), (502, .failed(status: 502)),
        (503, .busy(retryAfter: nil)), (529, .failed(status: 529)),
    ])
    func retriesThreeTimesAndBacksOff(status: Int, expected: ModelServiceError) async throws {
        let server = try StubServer(.openAIError(status, code: "server_trouble"))
        let waits = RecordedWaits()
        let embedder = try makeEmbedder(server, retry: waits.schedule())

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == expected)
        #expect(server.requests.count == 4)
        #expect(waits.all == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test(arguments: [
        (400, ModelServiceError.rejected(status: 400, code: "some_code")), (401, .unauthorized(status: 401)),
        (402, .quotaExhausted), (403, .unauthorized(status: 403)), (404, .rejected(status: 404, code: "some_code")),
        (422, .rejected(status: 422, code: "some_code")),
    ])
    func neverRetries(status: Int, expected: ModelServiceError) async throws {
        let headers = [("x-should-retry", "true"), ("Retry-After", "1")]
        let server = try StubServer(.openAIError(status, code: "some_code", headers: headers))
        let waits = RecordedWaits()
        let embedder = try makeEmbedder(server, retry: waits.schedule())

        #expect(await serviceError { try await embedder.embed(["a"], as: .passage) } == expected)
        #expect(server.requests.count == 1)
        #expect(waits.all.isEmpty)
    }

    @Test func followsAndRepeatsNoRedirect() async throws {
        let server = try StubServer(StubResponse(status: 307, headers: [("Location", "/other")]))
        let embedder = try makeEmbedder(server)

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .rejected(status: 307, code: "redirect"))
        #expect(server.requests.count == 1)
    }

    @Test func obeysShouldRetryTrue() async throws {
        let server = try StubServer(.openAIError(418, headers: [("x-should-retry", "true")]), .embeddings([[1, 0]]))
        let embedder = try makeEmbedder(server)

        #expect(try await embedder.embed(["a"], as: .passage).vectors == [[1, 0]])
        #expect(server.requests.count == 2)
    }

    @Test(arguments: ["insufficient_quota", "billing_hard_limit_reached"])
    func takesAnEmptyAccountForPermanent(code: String) async throws {
        let server = try StubServer(.openAIError(429, code: code, type: code, headers: [("x-should-retry", "true")]))
        let embedder = try makeEmbedder(server)

        #expect(await serviceError { try await embedder.embed(["a"], as: .passage) } == .quotaExhausted)
        #expect(server.requests.count == 1)
    }

    @Test func obeysShouldRetryFalse() async throws {
        let server = try StubServer(.openAIError(500, headers: [("x-should-retry", "false")]))
        let embedder = try makeEmbedder(server)

        #expect(await serviceError { try await embedder.embed(["a"], as: .passage) } == .failed(status: 500))
        #expect(server.requests.count == 1)
    }

    @Test func succeedsAfterFailures() async throws {
        let server = try StubServer(.closes, .resets, .openAIError(503), .embeddings([[1, 0]]))
        let waits = RecordedWaits()
        let embedder = try makeEmbedder(server, retry: waits.schedule(jitter: 0.5))

        let reply = try await embedder.embed(["a"], as: .passage)

        #expect(reply.vectors == [[1, 0]])
        #expect(waits.all == [.milliseconds(437), .milliseconds(875), .milliseconds(1750)])
    }

    @Test(arguments: [
        ([("retry-after-ms", "1500"), ("Retry-After", "9")], Duration.milliseconds(1500)),
        ([("Retry-After", "3")], .seconds(3)),
        ([("Retry-After", "0.25")], .milliseconds(250)),
        ([("Retry-After", "Thu, 01 Jan 1970 00:00:07 GMT")], .seconds(7)),
        ([("Retry-After", "Wed, 31 Dec 1969 23:59:59 GMT")], .milliseconds(500)),
        ([("Retry-After", "soon")], .milliseconds(500)),
        ([("Retry-After", "-1")], .milliseconds(500)),
        ([("Retry-After", "nan")], .milliseconds(500)),
    ])
    func waitsAsLongAsTheServiceSays(headers: [(String, String)], wait: Duration) async throws {
        let server = try StubServer(.openAIError(429, headers: headers), .embeddings([[1, 0]]))
        let waits = RecordedWaits()
        let embedder = try makeEmbedder(server, retry: waits.schedule())

        _ = try await embedder.embed(["a"], as: .passage)

        #expect(waits.all == [wait])
    }

    @Test func leavesLongWaitsToTheCaller() async throws {
        let server = try StubServer(.openAIError(429, headers: [("Retry-After", "60")]))
        let waits = RecordedWaits()
        let embedder = try makeEmbedder(server, retry: waits.schedule())

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .busy(retryAfter: .seconds(60)))
        #expect(waits.all.isEmpty)
    }

    @Test func capsTheBackOff() async throws {
        let server = try StubServer(.openAIError(500))
        let waits = RecordedWaits()
        var schedule = waits.schedule()
        schedule.attemptLimit = 8
        let embedder = try makeEmbedder(server, retry: schedule)

        _ = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(waits.all == [0.5, 1, 2, 4, 8, 8, 8].map { .seconds($0) })
    }

    @Test func reportsADeadService() async throws {
        let server = try StubServer(.neverAnswers)
        server.refuse()
        let waits = RecordedWaits()
        let embedder = try makeEmbedder(server, retry: waits.schedule())

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .unreachable(reason: "cannot connect to 127.0.0.1:\(server.port)"))
        #expect(waits.all.count == 3)
    }

    @Test(arguments: [HTTPDeadlines(idle: .milliseconds(80)), HTTPDeadlines(total: .milliseconds(80))])
    func reportsASlowServiceAtOnce(timeouts: HTTPDeadlines) async throws {
        let server = try StubServer(.neverAnswers)
        let embedder = try makeEmbedder(server) { $0.timeouts = timeouts }

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .slow(.working))
        await server.waitForDisconnect()
        #expect(server.requests.count == 1)
    }

    @Test func doesNotRetryWhatIsNotHTTP() async throws {
        let server = try StubServer(.garbage)
        let embedder = try makeEmbedder(server)

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .invalidReply(reason: "malformed response"))
        #expect(server.requests.count == 1)
    }

    @Test func cancellingAbortsTheRequest() async throws {
        let server = try StubServer(.neverAnswers)
        let embedder = try makeEmbedder(server)

        let task = Task { try await embedder.embed(["a"], as: .passage) }
        await server.waitForRequests(1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForDisconnect()
        #expect(server.requests.count == 1)
    }

    @Test func cancellingEndsTheWait() async throws {
        let server = try StubServer(.openAIError(500))
        let (waits, waiting) = AsyncStream.makeStream(of: Duration.self)
        let retry = RetrySchedule(sleep: { wait in
            waiting.yield(wait)
            try await Task.sleep(for: .seconds(3600))
        })
        let embedder = try makeEmbedder(server, retry: retry)

        let task = Task { try await embedder.embed(["a"], as: .passage) }
        for await _ in waits { break }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.count == 1)
    }
}
