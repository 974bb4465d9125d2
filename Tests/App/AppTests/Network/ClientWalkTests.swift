import Foundation
import NexusClient
import NexusModel
import NexusTransportNIO
import Synchronization
import TestSupport
import Testing

/// What a developer does first with the Swift library, against the program itself.
@Suite(.serialized, .hangGuard) @MainActor struct ClientWalkTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "nexus-walk-\(UUID().uuidString)")

    private func place(_ server: NexusServer, _ device: String) throws -> NexusClient.NexusServer {
        let own = folder.appending(path: device)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        return NexusClient.NexusServer(
            server.url, over: try NIOTransport(url: server.url), device: device, folder: own,
            credentials: FileCredentials(in: own))
    }

    private func wait(until isTrue: () async -> Bool) async throws {
        while !(await isTrue()) {
            try Task.checkCancellation()
            await shortPause()
        }
    }

    @Test func signsInPostsAFileAndSignsOut() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let binary = try NexusBinary()
        var links: [String: String] = [:]
        for user in ["ada", "ben"] {
            let invited = try await binary.run(["accounts", "invite", user, "--json"])
            links[user] = try #require(try invited.json()["address"] as? String)
        }
        let server = try await NexusServer(binary)
        let (here, there) = (try place(server, "a"), try place(server, "b"))
        let first = try await NexusSession.accept(
            invitation: try #require(links["ada"]), password: "correct horse", on: here)
        let group = try await first.createGroup("Pier", members: ["ben"])
        await first.store.close()

        // Another start: the session is renewed.
        let session = try #require(try NexusSession.resume(on: here))
        let hub = SessionHub(session)
        let running = Task { await hub.run() }
        let model = await ConversationModel(hub, id: group)
        await model.open()
        try await wait { await session.connection.isConnected }
        try await postAndRead(session, model, group, try #require(links["ben"]), there)

        #expect(try await session.sessions().count == 1)
        #expect(try await hub.signOut())
        await running.value
        #expect(model.state == .signedOut)
        let again = try await NexusSession.signIn(user: "ada", password: "correct horse", on: here)
        #expect(try await again.sessions().count == 1)
        await again.store.close()
        _ = await server.stop()
    }

    private func postAndRead(
        _ session: NexusSession, _ model: ConversationModel, _ group: String, _ link: String,
        _ there: NexusClient.NexusServer
    ) async throws {
        let (plan, copy) = (folder.appending(path: "plan.bin"), folder.appending(path: "copy.bin"))
        let content = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try content.write(to: plan)
        let shares = Mutex<[Double]>([])
        let file = try await session.upload(plan) { share in shares.withLock { $0.append(share) } }
        #expect(shares.withLock { $0.count > 2 && $0.last == 1 && $0 == $0.sorted() })
        await session.send(
            OutgoingDraft("the pier is booked", attachments: [file.id], extra: ["color": .string("blue")]), to: group)
        try await wait {
            guard case .loaded(let entries) = model.state, case .message(let message)? = entries.last else {
                return false
            }
            return message.attachments.map(\.id) == [file.id] && message.extra == .object(["color": .string("blue")])
        }
        let ben = try await NexusSession.accept(invitation: link, password: "battery staple", name: "Ben", on: there)
        try await ben.download(file.id, to: copy)
        #expect(try Data(contentsOf: copy) == content)
        // A search follows the messages.
        try await wait { (try? await session.search("booked").first?.text.hasPrefix("the pier is booked")) == true }
        try await ben.changePreferences(of: group) { $0.muted = true }
        try await ben.leave(group)
        await ben.store.close()
    }
}
