import ArgumentParser
import Foundation
import GRDB
import Glibc
import NexusClient
import NexusModel

/// Measures how long a client takes from a closed store to the first page on the screen, beside a bare read of that page.
struct ClientStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Opens the store of a client.",
        discussion: "Fill a folder first, in another process, so that memory is that of opening: store --fill FOLDER")

    @Argument(help: "The folder of the store.") var folder: String
    @Flag(help: "Makes the store instead of measuring it.") var fill = false
    @Option(help: "Messages in the store.") var messages = 200_000
    @Option(help: "Conversations of 20 members; a quarter of them have unread messages.") var conversations = 200
    @Option(help: "How often the store is opened.") var repeats = 40

    private static let pageSize = 50
    private static let members = 20
    private static let opened = "c0"

    private var process: MeasuredProcess { MeasuredProcess(id: Int(getpid())) }
    private var file: URL { URL(filePath: folder).appending(path: "client.sqlite") }

    func run() async throws {
        if fill { return try await makeStore() }
        let before = try process.residentByteCount()
        _ = try await open()
        let opening = try process.residentByteCount() - before
        let loaded = try await memoryOfMessages()
        var (ours, restoring, bare): ([Double], [Double], [Double]) = ([], [], [])
        var processor = 0.0
        for _ in 0..<repeats {
            let start = processorMilliseconds()
            let (whole, first, isRight) = try await open()
            processor += processorMilliseconds() - start
            guard isRight else { throw BenchFault("the first page is not complete") }
            (ours, restoring) = (ours + [whole], restoring + [first])
            bare.append(try readBare())
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        let (median, bareMedian) = (ours.median, bare.median)
        Figures(
            .nexus, "store",
            [
                "messages": Double(loaded.stored), "firstPageP50": median, "firstPageBest": ours.min() ?? 0,
                "firstPageWorst": ours.percentile(100), "firstPageProcessor": processor / Double(max(repeats, 1)),
                "listP50": restoring.median, "bareP50": bareMedian, "bareBest": bare.min() ?? 0,
                "times": median / bareMedian, "openingMegabytes": Double(opening) / 1e6,
                "diskBytesEach": Double(size) / Double(max(loaded.stored, 1)),
                "memoryBytesEachLoaded": loaded.bytesEach,
            ]
        ).write()
    }

    /// Loads messages; returns the memory of each, and how many are stored.
    private func memoryOfMessages() async throws -> (bytesEach: Double, stored: Int) {
        let store = MessageStore(file: file)
        let stored = try await store.messageCount()
        let start = try process.residentByteCount()
        var lists: [MessageList] = []
        for number in 0..<min(conversations, 50) {
            var list = MessageList()
            list.merge(try await store.newest(in: "c\(number)", limit: 1_000).messages)
            lists.append(list)
        }
        let bytes = try process.residentByteCount() - start
        await store.close()
        let count = lists.reduce(0) { $0 + $1.messages.count }
        return (Double(bytes) / Double(max(count, 1)), stored)
    }

    /// POSIX counts a million a second.
    private func processorMilliseconds() -> Double { Double(clock()) / 1_000 }

    /// Opens the store as an app does; returns the milliseconds until a page is there, and until the list is.
    private func open() async throws -> (whole: Double, list: Double, isRight: Bool) {
        let start = ContinuousClock.now
        let store = MessageStore(file: file, owner: "ada")
        let session = NexusSession(transport: NoNetwork(), user: "ada", device: "bench", store: store)
        try await session.restore()
        let list = milliseconds(since: start)
        await session.open(Self.opened)
        let state = await session.state
        let whole = milliseconds(since: start)
        let shown = state.conversations[Self.opened]?.messages.count
        await store.close()
        return (whole, list, shown == Self.pageSize && state.list.count == conversations)
    }

    /// Opens the file and reads the same page, as SQLite gives it.
    private func readBare() throws -> Double {
        let start = ContinuousClock.now
        let queue = try DatabaseQueue(path: file.path)
        let rows = try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT text, body FROM message
                    WHERE conversation = (SELECT number FROM conversation WHERE id = ?)
                    ORDER BY seq DESC, time DESC, id DESC LIMIT ?
                    """, arguments: [Self.opened, Self.pageSize])
        }
        let time = milliseconds(since: start)
        try queue.close()
        guard rows.count == Self.pageSize else { throw BenchFault("the page is not complete") }
        return time
    }

    private func milliseconds(since start: ContinuousClock.Instant) -> Double {
        start.duration(to: .now) / .milliseconds(1)
    }
}

/// A store that an app could have.
extension ClientStoreCommand {
    private func makeStore() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = MessageStore(file: file, owner: "ada")
        let each = messages / conversations
        let snapshot = try JSONDecoder().decode(ChatSnapshot.self, from: try snapshotData(head: each))
        _ = try await store.reset(to: snapshot)
        for number in 0..<conversations {
            let id = "c\(number)"
            let page = MessagePage(messages: (1...each).map { message($0, in: id) }, hasOlder: false, hasNewer: false)
            _ = try await store.merge(page, in: id, askedAt: await store.currentRevision, user: "ada")
            try await store.set(
                members: people.map { ChatMember(userId: $0, name: "Name of \($0)") },
                receipts: people.map { ChatReceipt(userId: $0, readSeq: Int64(each), deliveredSeq: Int64(each)) },
                of: id, askedAt: await store.currentRevision)
        }
        await store.close()
        note("stored \(each * conversations) messages")
    }

    /// 10 November 2026, 10:00 UTC.
    private static let start = Date(timeIntervalSince1970: 1_794_304_800)

    private var people: [String] { ["ada"] + (1..<Self.members).map { "person-\($0)" } }

    private func message(_ seq: Int, in place: String) -> ChatMessage {
        let sender = people[seq % people.count]
        return ChatMessage(
            id: "\(place)-\(seq)", conversationId: place, senderId: sender, senderName: "Name of \(sender)",
            text: "The pallets of lot \(seq) for the Hamburg pilot arrive on Tuesday; please keep gate 4 free.",
            timestamp: Self.start + Double(seq % 20) * 86_400, localId: "local-\(place)-\(seq)", seq: Int64(seq))
    }

    private func snapshotData(head: Int) throws -> Data {
        let places = (0..<conversations).map { number in
            let unread = number % 4 == 0 ? 10 : 0
            return [
                "id": "c\(number)", "kind": "group", "visibility": "members", "name": "Conversation \(number)",
                "head": head, "activeAt": "2026-11-20T10:00:00.000Z", "readSeq": head - unread,
                "unreadCount": unread, "mentionCount": 0,
                "preferences": ["muted": false, "archived": false, "pinned": false],
                "lastMessage": [
                    "id": "c\(number)-\(head)", "senderId": "ada", "senderName": "Ada", "text": "…",
                    "timestamp": "2026-11-20T10:00:00.000Z",
                ],
            ] as [String: Any]
        }
        return try JSONSerialization.data(withJSONObject: ["cursor": "2f-1", "conversations": places])
    }
}

/// A network that is not there.
private struct NoNetwork: ClientTransport {
    func send(_: ClientRequest) async throws -> ClientResponse { throw ClientTransportError.unreachable }

    func openSocket(_: ClientRequest, subprotocol _: String) async throws -> any ClientSocket {
        throw ClientTransportError.unreachable
    }
}
