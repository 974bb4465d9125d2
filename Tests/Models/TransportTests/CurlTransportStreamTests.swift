import Foundation
import TestSupport
import Testing
import Transport

@Suite("CurlTransport, streamed", .hangGuard)
struct CurlTransportStreamTests {
    @Test func deliversPiecesBeforeTheResponseIsOver() async throws {
        let gate = StubGate()
        let server = try StubServer(.chunked([.bytes(Data("one".utf8)), .gate(gate), .bytes(Data("two".utf8))]))
        let transport = try makeTransport()

        let response = try await transport.stream(HTTPExchangeRequest(url: server.baseURL))
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == Data("one".utf8))
        gate.open()
        #expect(try await body.next() == Data("two".utf8))
        #expect(try await body.next() == nil)
        #expect(response.status == 200)
    }

    @Test func pausesWhileTheConsumerIsBehind() async throws {
        let piece = Data(repeating: 7, count: 1 << 20)
        let server = try StubServer(.chunked(Array(repeating: .bytes(piece), count: 64)))
        let transport = try makeTransport(bodyBufferByteLimit: 64 << 10)
        // The pause outlasts the idle deadline, which must not count then.
        let deadlines = HTTPDeadlines(idle: .milliseconds(700))

        let response = try await transport.stream(HTTPExchangeRequest(url: server.baseURL, deadlines: deadlines))
        await server.waitForStall(4)
        #expect(server.sentByteCount < 16 << 20)

        var byteCount = 0
        for try await piece in response.body { byteCount += piece.count }
        #expect(byteCount == 64 << 20)
    }

    @Test func capsAStreamedBodyThatWasPaused() async throws {
        let server = try StubServer(.chunked(Array(repeating: .bytes(Data(count: 100_000)), count: 100)))
        let transport = try makeTransport(bodyBufferByteLimit: 1000)
        let request = HTTPExchangeRequest(url: server.baseURL, responseByteLimit: 5_000_000)

        let response = try await transport.stream(request)
        let error = await transportError { for try await _ in response.body {} }

        #expect(error == .responseTooLarge(limit: 5_000_000))
        await server.waitForDisconnect()
    }

    @Test func lettingGoOfTheBodyAbortsTheTransfer() async throws {
        let server = try StubServer(.chunked([.bytes(Data("one".utf8)), .hang]))
        let transport = try makeTransport()

        let status = try await transport.stream(HTTPExchangeRequest(url: server.baseURL)).status

        #expect(status == 200)
        await server.waitForDisconnect()
    }

    @Test func leavingTheLoopAbortsTheTransfer() async throws {
        let server = try StubServer(.chunked([.bytes(Data("one".utf8)), .hang]))
        let transport = try makeTransport()

        for try await piece in try await transport.stream(HTTPExchangeRequest(url: server.baseURL)).body {
            #expect(piece == Data("one".utf8))
            break
        }

        await server.waitForDisconnect()
    }

    @Test func cancellingWhileWaitingForThePieceAborts() async throws {
        let server = try StubServer(.chunked([.bytes(Data("one".utf8)), .hang]))
        let transport = try makeTransport()
        let response = try await transport.stream(
            HTTPExchangeRequest(url: server.baseURL, deadlines: HTTPDeadlines(idle: .seconds(9_000))))
        let (pieces, received) = AsyncStream.makeStream(of: Data.self)

        let task = Task {
            await transportError { for try await piece in response.body { received.yield(piece) } }
        }
        for await piece in pieces {
            #expect(piece == Data("one".utf8))
            break
        }
        task.cancel()

        #expect(await task.value == .cancelled)
        await server.waitForDisconnect()
    }

    @Test func deliversWhatCameBeforeAFailure() async throws {
        let gate = StubGate()
        let server = try StubServer(.chunked([.bytes(Data("one".utf8)), .gate(gate), .close]))
        let transport = try makeTransport()

        var body = try await transport.stream(HTTPExchangeRequest(url: server.baseURL)).body.makeAsyncIterator()
        gate.open()
        #expect(try await body.next() == Data("one".utf8))
        do {
            _ = try await body.next()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == .connectionClosed)
        }
    }

    @Test func keepsTheIdleDeadlineBetweenPieces() async throws {
        let server = try StubServer(.chunked([.bytes(Data("one".utf8)), .hang]))
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(url: server.baseURL, deadlines: HTTPDeadlines(idle: .milliseconds(80)))

        let error = await transportError { for try await _ in try await transport.stream(request).body {} }

        #expect(error == .timedOut(phase: .idle))
    }

    @Test func keepsTheTotalDeadlineWhileTheConsumerIsBehind() async throws {
        let server = try StubServer(.chunked(Array(repeating: .bytes(Data(count: 1 << 20)), count: 64)))
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(url: server.baseURL, deadlines: HTTPDeadlines(total: .milliseconds(100)))

        let error = await transportError {
            let response = try await transport.stream(request)
            await server.waitForDisconnect()
            for try await _ in response.body {}
        }

        #expect(error == .timedOut(phase: .total))
    }

    @Test func asksForNoCompressionWhenStreaming() async throws {
        let server = try StubServer(.text("a"))
        let transport = try makeTransport()

        _ = try await transport.stream(HTTPExchangeRequest(url: server.baseURL)).body.collect()
        _ = try await transport.send(HTTPExchangeRequest(url: server.baseURL))

        #expect(server.requests.map { $0.header("accept-encoding") } == [nil, "gzip, deflate"])
    }
}
