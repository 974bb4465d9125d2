import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import WebServer

/// How sockets end.
@Suite(.hangGuard) struct SocketClosingTests {
    /// Frames, and the code with which the server answers them.
    struct Fault: CustomTestStringConvertible {
        let name: String
        let code: Int
        let bytes: [UInt8]

        var testDescription: String { name }

        init(_ name: String, _ code: Int, _ frames: [UInt8]...) {
            self.name = name
            self.code = code
            bytes = frames.flatMap(\.self)
        }
    }

    private static let hi = Array("hi".utf8)
    private static let half = [UInt8](repeating: 0x61, count: 40_000)

    static let faults: [Fault] = [
        Fault("a frame without mask", 1002, SocketClient.frame(1, hi, isMasked: false)),
        Fault("a ping without mask", 1002, SocketClient.frame(9, hi, isMasked: false)),
        Fault("a close without mask", 1002, SocketClient.frame(8, [0x03, 0xE8], isMasked: false)),
        Fault("reserved bit 1, compression", 1002, SocketClient.frame(0x41, hi)),
        Fault("reserved bit 2", 1002, SocketClient.frame(0x21, hi)),
        Fault("reserved bit 3 of a ping", 1002, SocketClient.frame(0x19)),
        Fault("reserved bit 1 of a close", 1002, SocketClient.frame(0x48, [0x03, 0xE8])),
        Fault(
            "reserved bit 1 of a continuation", 1002, SocketClient.frame(1, hi, isLast: false),
            SocketClient.frame(0x40, hi)),
        Fault("unknown opcode", 1002, SocketClient.frame(3, hi)),
        Fault("unknown control opcode", 1002, SocketClient.frame(11)),
        Fault("a ping in fragments", 1002, SocketClient.frame(9, hi, isLast: false)),
        Fault("a close in fragments", 1002, SocketClient.frame(8, [0x03, 0xE8], isLast: false)),
        Fault("a large close", 1002, SocketClient.frame(8, [0x03, 0xE8] + [UInt8](repeating: 0x61, count: 124))),
        Fault("a large ping", 1002, SocketClient.frame(9, [UInt8](repeating: 0, count: 126))),
        Fault("a continuation of nothing", 1002, SocketClient.frame(0, hi)),
        Fault(
            "a continuation after the end", 1002, SocketClient.frame(1, [], isLast: false), SocketClient.frame(0),
            SocketClient.frame(0)),
        Fault("a message within a message", 1002, SocketClient.frame(1, hi, isLast: false), SocketClient.frame(1, hi)),
        Fault("bytes within a message", 1002, SocketClient.frame(1, hi, isLast: false), SocketClient.frame(2, hi)),
        Fault("bytes", 1003, SocketClient.frame(2, hi)),
        Fault("bytes in fragments", 1003, SocketClient.frame(2, hi, isLast: false)),
        Fault("invalid UTF-8", 1007, SocketClient.frame(1, [0xC3, 0x28])),
        Fault("half a character", 1007, SocketClient.frame(1, [0xC3])),
        Fault("an overlong character", 1007, SocketClient.frame(1, [0xC0, 0x80])),
        Fault("a character after the last one", 1007, SocketClient.frame(1, [0xF4, 0x90, 0x80, 0x80])),
        Fault("a surrogate", 1007, SocketClient.frame(1, [0xED, 0xA0, 0x80])),
        Fault(
            "invalid UTF-8 in fragments", 1007, SocketClient.frame(1, [0xC3], isLast: false),
            SocketClient.frame(0, [0x28])),
        Fault("a large message", 1009, SocketClient.frame(1, [UInt8](repeating: 0x61, count: 65_537))),
        Fault("the head of a huge message", 1009, [0x81, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
        Fault("an impossible length", 1009, [0x81, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
        Fault(
            "a large message in fragments", 1009, SocketClient.frame(1, half, isLast: false),
            SocketClient.frame(0, half)),
        Fault("half a code", 1002, SocketClient.frame(8, [3])),
        Fault("a code that nobody sends", 1002, SocketClient.frame(8, [0x03, 0xED])),
        Fault("a code for no code", 1002, SocketClient.frame(8, [0x03, 0xEE])),
        Fault("a code for failed TLS", 1002, SocketClient.frame(8, [0x03, 0xF7])),
        Fault("a code that is not registered", 1002, SocketClient.frame(8, [0x0B, 0xB7])),
        Fault("a code that is too high", 1002, SocketClient.frame(8, [0x13, 0x88])),
        Fault("a code of nothing", 1002, SocketClient.frame(8, [0, 1])),
        Fault("an invalid reason", 1007, SocketClient.frame(8, [0x03, 0xE8, 0xFF])),
        Fault("a close", 1000, SocketClient.frame(8, [0x03, 0xE8] + hi)),
        Fault(
            "a close between fragments", 1000, SocketClient.frame(1, hi, isLast: false),
            SocketClient.frame(8, [0x03, 0xE8])),
        Fault("a message after a close", 1000, SocketClient.frame(8, [0x03, 0xE8]), SocketClient.frame(1, hi)),
        Fault("a close of the application", 4_321, SocketClient.frame(8, [0x10, 0xE1])),
    ]

    @Test(arguments: faults) func answersWithACode(fault: Fault) async throws {
        let (ending, isClosed) = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.send(fault.bytes)
            return (await client.frame(), await client.isClosed())
        }

        #expect(ending?.opcode == SocketClient.close)
        #expect(ending?.code == fault.code)
        #expect(isClosed)
    }

    @Test func aCloseWithoutACodeIsAnsweredAlike() async throws {
        let (ending, isClosed) = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.send(SocketClient.close)
            return (await client.frame(), await client.isClosed())
        }

        #expect(ending == SocketClient.Frame(opcode: SocketClient.close))
        #expect(isClosed)
    }

    @Test func aSessionClosesAfterWhatItSent() async throws {
        let parts = SocketTests.parts { session in
            try? await session.send("first")
            session.close(SocketCloseCode(rawValue: 4_001), reason: "so long")
            #expect(!session.offer(SocketMessage("late")))
            await #expect(throws: SocketClosedError.self) { try await session.send("late") }
        }

        let (text, ending, isClosed) = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port)
            let text = await client.frame()?.text
            let ending = await client.frame()
            await client.send(text: "nobody reads this")
            await client.send(SocketClient.close, [0x0F, 0xA1])
            return (text, ending, await client.isClosed())
        }

        #expect(text == "first")
        #expect(ending?.code == 4_001)
        #expect(ending?.reason == "so long")
        #expect(isClosed)
    }

    @Test func aSessionThatReturnsClosesItsSocket() async throws {
        let ending = try await withServer(SocketTests.parts { _ in }) { server in
            let client = try await SocketClient.open(port: server.port)
            let ending = await client.frame()
            await client.send(SocketClient.close)
            return ending
        }

        #expect(ending?.code == 1000)
    }

    @Test func tooManyPingsCloseTheSocket() async throws {
        let frames = try await withServer(SocketTests.parts(limits: { $0.pingLimit = 3 })) { server in
            let client = try await SocketClient.open(port: server.port)
            for _ in 0..<4 { await client.send(SocketClient.ping) }
            return [await client.frame(), await client.frame(), await client.frame(), await client.frame()]
        }

        #expect(frames.map(\.?.opcode) == [10, 10, 10, 8])
        #expect(frames.last??.code == 1008)
    }

    @Test func aClientThatAnswersNoPingIsGivenUp() async throws {
        let frames = try await withServer(SocketTests.parts(limits: { $0.pingInterval = .milliseconds(5) })) { server in
            let client = try await SocketClient.open(port: server.port)
            return [await client.frame(), await client.frame(), await client.frame()]
        }

        #expect(frames.map(\.?.opcode) == [9, 9, 8])
        #expect(frames.last??.code == 1001)
    }

    /// A machine that is too busy to hear the answers in time makes it begin again.
    @Test func aClientThatAnswersPingsIsKept() async throws {
        let parts = SocketTests.parts(limits: {
            $0.pingInterval = .milliseconds(5)
            $0.missedPingLimit = 20
        })
        let isKept = try await withServer(parts) { server in
            for _ in 0..<100 where try await answersPings(of: server, count: 30) { return true }
            return false
        }

        #expect(isKept)
    }

    /// Whether a client that answers each ping still gets one after so many.
    private func answersPings(of server: RunningServer, count pingCount: Int) async throws -> Bool {
        let client = try await SocketClient.open(port: server.port)
        for _ in 0..<pingCount {
            guard await client.frame()?.opcode == SocketClient.ping else { return false }
            await client.send(SocketClient.pong)
        }
        return true
    }

    @Test func aClientThatDoesNotAnswerACloseIsNotWaitedFor() async throws {
        let parts = SocketTests.parts(session: { _ in }, limits: { $0.closeTimeout = .milliseconds(5) })
        let (ending, isClosed) = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port)
            return (await client.frame(), await client.isClosed())
        }

        #expect(ending?.code == 1000)
        #expect(isClosed)
    }

    @Test func aHalfClosedConnectionIsClosed() async throws {
        let (ends, end) = AsyncStream<SocketCloseCode?>.makeStream()
        let parts = SocketTests.parts { session in
            for await _ in session.incoming {}
            end.yield(session.closeCode)
        }

        let (isClosed, code) = try await withServer(parts) { server in
            let client = try await SocketClient.open(port: server.port)
            await client.finish()
            var iterator = ends.makeAsyncIterator()
            return (await client.isClosed(), await iterator.next())
        }

        #expect(isClosed)
        #expect(code == .some(nil))
    }

    @Test(arguments: [true, false]) func aServerThatStopsSaysSo(isAnswered: Bool) async throws {
        let (steps, step) = AsyncStream<Void>.makeStream()
        var parts = SocketTests.parts(limits: { if !isAnswered { $0.closeTimeout = .milliseconds(5) } })
        parts.settings.shutdownGrace = .seconds(900)
        let (code, isClosed) = try await withServer(parts) { server in
            let port = server.port
            let reading = Task {
                let client = try await SocketClient.open(port: port)
                step.finish()
                let code = await client.frame()?.code
                if isAnswered { await client.send(SocketClient.close, [0x03, 0xF4]) }
                return (code, await client.isClosed())
            }
            for await _ in steps {}
            return reading
        }.value

        #expect(code == 1012)
        #expect(isClosed)
    }

    /// `NEXUS_SOCKET_FRAMES` sets the number of mutated frames, in steps of 10,000; by hand 1,000,000.
    private static let roundCount = max(
        1, (ProcessInfo.processInfo.environment["NEXUS_SOCKET_FRAMES"].flatMap { Int($0) } ?? 0) / 10_000)

    /// Every mutated frame is either taken or answered with a close, and each session ends.
    @Test func survivesMutatedFrames() async throws {
        let opened = Counter()
        let ended = Counter()
        let parts = SocketTests.parts { session in
            opened.increment()
            for await text in session.incoming { try? await session.send(text) }
            ended.increment()
        }
        var frames = MutatedFrames(seed: 6_455)
        var codes: Set<Int> = []

        for _ in 0..<(10 * Self.roundCount) {
            let batches = (0..<250).map { _ in (0..<4).flatMap { _ in frames.next() } }
            codes.formUnion(
                try await withServer(parts) { server in
                    var codes: Set<Int> = []
                    for batch in batches {
                        let client = try await SocketClient.open(port: server.port)
                        await client.send(batch)
                        await client.finish()
                        while let frame = await client.frame() {
                            if frame.opcode == SocketClient.close { codes.insert(frame.code ?? 0) }
                        }
                    }
                    return codes
                })
        }

        #expect(opened.value == 2_500 * Self.roundCount)
        #expect(ended.value == 2_500 * Self.roundCount)
        #expect(codes.isSuperset(of: [1002, 1003, 1007]))
        #expect(codes.isSubset(of: Set([0] + Array(1000...4999))))
    }
}

/// Frames of all kinds with some bytes changed, left out or doubled; the same for the same seed.
private struct MutatedFrames {
    private var random: SeededBits

    init(seed: UInt64) {
        random = SeededBits(state: seed)
    }

    mutating func next() -> [UInt8] {
        let opcodes: [UInt8] = [1, 1, 1, 0, 2, 8, 9, 10]
        let length = [0, 1, 5, 60, 125, 126, 300][Int.random(in: 0..<7, using: &random)]
        let payload = (0..<length).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
        let opcode = opcodes[Int.random(in: 0..<opcodes.count, using: &random)]
        var bytes = SocketClient.frame(opcode, payload, isLast: Int.random(in: 0..<4, using: &random) > 0)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2 where bytes.count > 1: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        return bytes
    }
}
