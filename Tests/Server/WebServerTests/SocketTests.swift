import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import WebServer

/// Messages over sockets.
///
/// Waiting ends with events; the intervals of the settings only ever end a test that is about them.
@Suite(.hangGuard) struct SocketTests {
    /// Parts of a server whose sockets are served by a session; the ticket `good` opens one.
    static func parts(
        session: @escaping @Sendable (SocketSession) async -> Void = echo,
        limits change: (inout SocketSettings) -> Void = { _ in }
    ) -> ServerParts {
        var parts = ServerParts()
        parts.settings.connections.socket = SocketSettings(
            pingInterval: .seconds(9_000), pingWindow: .seconds(9_000), closeTimeout: .seconds(9_000))
        change(&parts.settings.connections.socket)
        parts.socket = { request in
            guard request.query("ticket") == "good" else {
                return .refuse(SocketRefusal(status: 401, code: "ticket_invalid", detail: "the ticket is not valid"))
            }
            return .accept(subprotocol: "nexus.v1", session: session)
        }
        return parts
    }

    /// Sends every message back.
    @Sendable static func echo(_ session: SocketSession) async {
        for await text in session.incoming { try? await session.send(text) }
    }

    @Test func echoes() async throws {
        let texts = ["", "hello", "grüße 👋", "\0", "\u{FFFE}\u{10FFFF}", String(repeating: "a", count: 65_536)]
        let echoes = try await withServer(Self.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            var echoes: [String?] = []
            for text in texts {
                await client.send(text: text)
                echoes.append(await client.frame()?.text)
            }
            return echoes
        }

        #expect(echoes == texts)
    }

    @Test func echoesOverTLS() async throws {
        let folder = try CertificateFolder()
        let certificate = try folder.renew()
        var parts = Self.parts()
        parts.credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)

        let (echo, ending, isClosed) = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port, trusting: certificate)
            await client.send(text: "hello")
            let echo = await client.frame()
            await client.send(SocketClient.binary, [1])
            return (echo, await client.frame(), await client.isClosed())
        }

        #expect(echo == SocketClient.Frame(opcode: SocketClient.text, payload: Array("hello".utf8)))
        #expect(ending?.code == 1003)
        #expect(isClosed)
    }

    @Test func joinsFragmentsAndAnswersPingsBetweenThem() async throws {
        let text = Array("Grüße".utf8)
        let frames = try await withServer(Self.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            // Cut within the "ü".
            await client.send(SocketClient.text, Array(text[..<3]), isLast: false)
            await client.send(SocketClient.ping, [1, 2, 3])
            await client.send(0, [], isLast: false)
            await client.send(SocketClient.pong, [4])
            await client.send(0, Array(text[3...]))
            return [await client.frame(), await client.frame()]
        }

        #expect(
            frames == [
                SocketClient.Frame(opcode: SocketClient.pong, payload: [1, 2, 3]),
                SocketClient.Frame(opcode: SocketClient.text, payload: text),
            ])
    }

    @Test func joinsManyEmptyFragments() async throws {
        let bytes =
            SocketClient.frame(SocketClient.text, [], isLast: false)
            + Array(repeating: SocketClient.frame(0, [], isLast: false), count: 10_000).flatMap(\.self)
            + SocketClient.frame(0, Array("end".utf8))
        let echo = try await withServer(Self.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.send(bytes)
            return await client.frame()?.text
        }

        #expect(echo == "end")
    }

    @Test func answersTheLargestPing() async throws {
        let payload = (0..<125).map { UInt8($0 + 100) }
        let answer = try await withServer(Self.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.send(SocketClient.ping, payload)
            return await client.frame()
        }

        #expect(answer == SocketClient.Frame(opcode: SocketClient.pong, payload: payload))
    }

    /// A mask of zeros is a mask; a length in more bytes than it needs is read like any other.
    @Test(
        arguments: [
            [0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69], [0x81, 0xFE, 0, 2, 0, 0, 0, 0, 0x68, 0x69],
            [0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0x68, 0x69],
        ] as [[UInt8]])
    func readsUnusualFrames(bytes: [UInt8]) async throws {
        let echo = try await withServer(Self.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.send(bytes)
            return await client.frame()?.text
        }

        #expect(echo == "hi")
    }

    /// A frame that arrives byte by byte is a frame.
    @Test func readsFramesInPieces() async throws {
        let echo = try await withServer(Self.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            for byte in SocketClient.frame(SocketClient.text, Array("hello".utf8)) { await client.send([byte]) }
            return await client.frame()?.text
        }

        #expect(echo == "hello")
    }

    @Test func aSessionIsHeldUpByAClientThatDoesNotRead() async throws {
        let message = SocketMessage(String(repeating: "a", count: 50_000))
        let (states, continuation) = AsyncStream<Int>.makeStream()
        let parts = Self.parts { session in
            var count = 0
            while session.offer(message) { count += 1 }
            continuation.yield(session.waitingByteCount)
            try? await session.send(message)
            continuation.yield(count + 1)
            for await _ in session.incoming {}
        }

        let (waiting, sent, received) = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port, reads: false)
            var iterator = states.makeAsyncIterator()
            let waiting = await iterator.next() ?? 0
            try await client.startReading()
            _ = await client.reply()
            let sent = await iterator.next() ?? 0
            var received = 0
            while received < sent, await client.frame()?.payload.count == 50_000 { received += 1 }
            return (waiting, sent, received)
        }

        #expect((1...262_144).contains(waiting))
        #expect(sent > 5)
        #expect(received == sent)
    }

    @Test func aClientIsHeldUpByASessionThatDoesNotRead() async throws {
        let texts = (0..<2_000).map { "\($0) " + String(repeating: "a", count: 1_000) }
        let (permits, permit) = AsyncStream<Void>.makeStream()
        let parts = Self.parts { session in
            for await _ in permits {}
            let iterator = session.incoming.makeAsyncIterator()
            for text in texts {
                guard await iterator.next() == text else { return session.close(.internalError) }
            }
        }

        let ending = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port)
            for text in texts.prefix(100) { await client.send(text: text) }
            permit.finish()
            for text in texts.dropFirst(100) { await client.send(text: text) }
            return await client.frame()
        }

        #expect(ending?.code == 1000)
    }

    /// Many frames arrive in one read, and the session reads while they are taken apart.
    @Test func aSessionReadsAllOfABurst() async throws {
        let count = 50_000
        let parts = Self.parts { session in
            var number = 0
            for await text in session.incoming {
                guard text == "\(number)" else { return session.close(.internalError) }
                number += 1
                if number == count { return }
            }
        }

        let ending = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.send((0..<count).flatMap { SocketClient.frame(SocketClient.text, Array("\($0)".utf8)) })
            return await client.frame()
        }

        #expect(ending?.code == 1000)
    }
}
