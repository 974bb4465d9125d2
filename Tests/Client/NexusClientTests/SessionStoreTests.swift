import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// Sessions and their stores against a server in memory.
@Suite(.hangGuard) struct SessionStoreTests {
    private func session(_ transport: any ClientTransport, _ store: MessageStore) -> NexusSession {
        NexusSession(transport: transport, user: "ada", device: "d", store: store, timing: VirtualClock().timing)
    }

    private func run<Value: Sendable>(
        _ session: NexusSession, _ body: () async throws -> Value
    ) async throws -> Value {
        let value = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await session.run() }
            let value = try await body()
            group.cancelAll()
            return value
        }
        await session.store.close()
        return value
    }

    private static let refused = ChatWorld.response(#"{"code":"invalid_field","detail":"no"}"#, status: 400)

    @Test func opensWithContentAndSendsLaterWhatWasWrittenOffline() async throws {
        let (world, folder) = (ChatWorld(history: 3), try TemporaryFolder())
        let file = folder.url.appending(path: "a.sqlite")
        let first = session(ClientProcess(world, seed: 1), MessageStore(file: file))
        try await run(first) {
            await first.open("pier")
            try await wait { await first.state.conversations["pier"]?.isLoaded == true }
            try await first.setDraft(Draft(text: "begun"), in: "quay")
        }

        // Nothing reaches the server.
        let offline = session(ClientProcess(world, seed: 1, killAt: 1), MessageStore(file: file))
        try await run(offline) {
            try await wait { await offline.state.cursor != nil }
            await offline.open("pier")
            #expect(await offline.state.conversations["pier"]?.messages.map(\.text) == ["old 0", "old 1", "old 2"])
            #expect(await offline.state.conversations["pier"]?.members.count == 2)
            #expect(await offline.drafts == ["quay": Draft(text: "begun")])
            #expect(try await offline.searchStored("old").count == 3)
            let sent = await offline.send("later", to: "pier")
            try await offline.submit(.reaction(emoji: "👍", isSet: true), of: .outgoing(sent.localId), in: "pier")
            #expect(try await offline.timeline(of: "pier").last == .outgoing(sent))
        }
        let last = session(ClientProcess(world, seed: 1), MessageStore(file: file))
        try await run(last) {
            try await wait { world.messages(in: "pier").last?.reactions.isEmpty == false }
            try await wait { await last.pendingCount == 0 }
            #expect(world.messages(in: "pier").map(\.text) == ["old 0", "old 1", "old 2", "later"])
        }
    }

    @Test func aChangeOfAMessageThatWasNotSentIsMadeAtOnce() async throws {
        let world = ChatWorld()
        let session = session(ClientProcess(world, seed: 1), MessageStore())
        let (one, two) = (await session.send("one", to: "pier"), await session.send("two", to: "pier"))
        try await session.submit(.edit(text: "changed"), of: .outgoing(one.localId), in: "pier")
        try await session.submit(.reaction(emoji: "👍", isSet: true), of: .outgoing(two.localId), in: "pier")
        try await session.submit(.delete, of: .outgoing(two.localId), in: "pier")

        #expect(await session.waiting(in: "pier").map(\.text) == ["changed"])
        #expect(await session.waitingChanges(in: "pier").isEmpty)
        try await run(session) { try await wait { await session.pendingCount == 0 } }
        #expect(world.messages(in: "pier").map(\.text) == ["changed"])
        #expect(world.requestCount("PATCH messages") == 0)
    }

    @Test func aRefusedMessageStopsItsConversationAndNoOther() async throws {
        let world = ChatWorld()
        let isRefusing = Mutex(true)
        let transport = RefusingTransport(world) { request in
            guard request.method == "POST", request.path.contains("pier"), isRefusing.withLock({ $0 }) else {
                return nil
            }
            return Self.refused
        }
        let session = session(transport, MessageStore())
        let first = await session.send("first", to: "pier")
        let child = try await session.submit(
            .reaction(emoji: "👍", isSet: true), of: .outgoing(first.localId), in: "pier")
        await session.send("second", to: "pier")
        await session.send("elsewhere", to: "quay")
        try await run(session) {
            try await wait { world.messages(in: "quay").count == 1 }
            try await wait {
                if case .failed = await session.waiting(in: "pier").first?.state { true } else { false }
            }
            #expect(child?.state == .queued)
            #expect(await session.waiting(in: "pier").map(\.text) == ["first", "second"])
            isRefusing.withLock { $0 = false }
            await session.retry(first)
            try await wait { await session.pendingCount == 0 }
            try await wait { await session.waitingChanges(in: "pier").isEmpty }
            #expect(world.messages(in: "pier").map(\.text) == ["first", "second"])
            #expect(world.messages(in: "pier").first?.reactions.map(\.emoji) == ["👍"])
        }
    }

    @Test func aMessageWithALostReplyIsEditedOnTheServer() async throws {
        let world = ChatWorld()
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "a.sqlite")
        let first = session(ClientProcess(world, seed: 1), MessageStore(file: file))
        let sent = await first.send("one", to: "pier")
        // The process ends while it is on its way.
        _ = try await first.store.claim(in: "pier")
        _ = world.post("one", to: "pier", by: "ada", localID: sent.localId)
        await first.store.close()

        let second = session(ClientProcess(world, seed: 1), MessageStore(file: file))
        try await second.restore()
        let change = try await second.submit(.edit(text: "two"), of: .outgoing(sent.localId), in: "pier")
        #expect(change != nil)
        try await run(second) { try await wait { world.messages(in: "pier").map(\.text) == ["two"] } }
    }

    @Test func uploadsFilesBeforeTheirMessage() async throws {
        let world = ChatWorld()
        let bodies = Mutex<[String]>([])
        let transport = RefusingTransport(world) { request in
            guard request.method == "POST" else { return nil }
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            bodies.withLock { $0.append(request.path.hasPrefix("/v1/files") ? "file \(body)" : body) }
            return nil
        }
        let session = session(transport, MessageStore())
        await session.send(
            "plan", to: "pier", files: [FileToSend(name: "a b.txt", mediaType: "text/plain", data: Data("12345".utf8))])
        try await run(session) { try await wait { await session.pendingCount == 0 } }

        let made = bodies.withLock { $0 }
        #expect(made.first == "file 12345")
        #expect(made.last?.contains(#""attachments":["f5"]"#) == true)
    }

    @Test func signingOutErasesTheFileAndEndsTheSession() async throws {
        let (world, folder) = (ChatWorld(history: 1), try TemporaryFolder())
        let session = session(
            ClientProcess(world, seed: 1), MessageStore(file: folder.url.appending(path: "a.sqlite")))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await session.run() }
            try await wait { await session.connection.isConnected }
            try await session.signOut()
            try await group.waitForAll()
        }

        #expect(await session.connection == .signedOut(.person))
        #expect(await session.state.conversations.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func anotherNetworkEndsTheWait() async throws {
        let world = ChatWorld()
        let isUp = Mutex(false)
        let transport = RefusingTransport(world) { _ in
            if !isUp.withLock({ $0 }) { throw ClientTransportError.unreachable }
            return nil
        }
        let waits = Mutex(0)
        let timing = SessionTiming(
            sleep: { _ in
                waits.withLock { $0 += 1 }
                try await Task.sleep(for: .seconds(100_000))
            }, elapsed: { .zero }, share: { 1 })
        let session = NexusSession(transport: transport, user: "ada", device: "d", timing: timing)
        try await run(session) {
            try await wait { waits.withLock { $0 } == 1 }
            isUp.withLock { $0 = true }
            await session.networkChanged()
            try await wait { await session.connection.isConnected }
        }
    }

    @Test func readMarksAreMergedAndSurviveARestart() async throws {
        let (world, folder) = (ChatWorld(history: 5), try TemporaryFolder())
        let file = folder.url.appending(path: "a.sqlite")
        let ids = world.messages(in: "pier").map(\.id)
        let offline = session(ClientProcess(world, seed: 1, killAt: 1), MessageStore(file: file))
        await offline.markRead(ids[0], in: "pier")
        await offline.markRead(ids[4], in: "pier")
        await offline.store.close()

        let online = session(ClientProcess(world, seed: 1), MessageStore(file: file))
        try await run(online) { try await wait { await online.state.conversations["pier"]?.readSeq == 5 } }
        #expect(world.requestCount("POST read") == 1)
    }
}

/// A server that answers some requests otherwise.
private final class RefusingTransport: ClientTransport {
    private let world: ChatWorld
    private let answer: @Sendable (ClientRequest) throws -> ClientResponse?

    init(_ world: ChatWorld, answer: @escaping @Sendable (ClientRequest) throws -> ClientResponse?) {
        self.world = world
        self.answer = answer
    }

    func send(_ request: ClientRequest) async throws -> ClientResponse {
        try answer(request) ?? world.answer(request)
    }

    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        if let response = try answer(request) { throw ClientTransportError.refused(response) }
        return world.open(request)
    }
}
