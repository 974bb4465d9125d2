import Foundation
import NexusClient
import NexusModel
import NexusTransportNIO
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

/// Devices of two people behind bad networks, and what they talk to: one server, or several nodes on one database.
final class NetworkWorld: Sendable {
    /// What happens to the servers.
    enum Fault {
        /// A node is killed, and started again on another port.
        case killed(node: Int)
        /// A node stands still.
        case paused(node: Int, seconds: Double)
        /// The database ends all connections.
        case disconnected
        /// The server of the database is killed.
        case crashed
    }

    private struct Node {
        let binary: NexusBinary
        var server: NexusServer
        var isAlive = true
    }

    static let places = ["pier", "quay"]
    private static let settings = [
        "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive", "--mentions", "audience",
        "--set", "limits.live-handshakes-per-minute=1000000", "--set", "limits.live-connections-per-user=10000",
        "--set", "limits.live-handshakes-per-address=10000000",
    ]

    let devices: [ChatDevice]
    private let nodes: Mutex<[Node]>
    private let arguments: [String]
    private let database: (any FailingDatabase)?
    private let actCount = Mutex(0)
    private let questionCount = Mutex<Int64>(0)
    private let folder: NexusBinary

    /// Starts the servers, several of them on a database.
    init(seed: Int, nodeCount: Int = 1, database: (any FailingDatabase)? = nil) async throws {
        var numbers = SeededNumbers(seed)
        let share = Double.random(in: 0.1...0.6, using: &numbers)
        let folder = try NexusBinary()
        devices = try zip(["phone", "laptop", "tablet"], ["ada", "ada", "ben"]).enumerated().map { number, device in
            try ChatDevice(
                device.0, of: device.1, seed: seed * 100 + number * 10, faultShare: share, folder: folder.folder)
        }
        self.folder = folder
        self.database = database
        arguments = Self.settings + (database.map { ["--set", "store.url=\($0.address)"] } ?? [])
        var nodes: [Node] = []
        for _ in 0..<nodeCount {
            let binary = try NexusBinary()
            nodes.append(Node(binary: binary, server: try await NexusServer(binary, arguments)))
        }
        self.nodes = Mutex(nodes)
        connect()
        for id in Self.places {
            let body: [String: Any] = ["id": id, "name": id, "members": [["userId": "ada"], ["userId": "ben"]]]
            let made = try await server(0).send("POST", "/v1/conversations", body, user: "ada")
            try #require(made.status == 201, "\(made.json)")
        }
    }

    /// The server with a number, counted around.
    func server(_ number: Int) -> NexusServer { nodes.withLock { $0[number % $0.count].server } }

    /// Lets the devices live a number of times, while faults happen after numbers of acts.
    func live(_ lives: [Int], _ faults: [(count: Int, fault: Fault)]) async throws {
        async let happening: Void = happen(faults)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (device, count) in zip(devices, lives) {
                group.addTask {
                    for _ in 0..<count { try await device.live { self.actCount.withLock { $0 += 1 } } }
                }
            }
            try await group.waitForAll()
        }
        // There are no acts left to wait for.
        actCount.withLock { $0 = .max }
        try await happening
    }

    private func happen(_ faults: [(count: Int, fault: Fault)]) async throws {
        for (number, entry) in faults.enumerated() {
            while actCount.withLock({ $0 }) < entry.count, !Task.isCancelled { await shortPause() }
            async let asked: Void = ask(number)
            try await happen(entry.fault)
            try await asked
        }
    }

    private func happen(_ fault: Fault) async throws {
        switch fault {
        case .killed(let number):
            let node = nodes.withLock { nodes in
                nodes[number].isAlive = false
                return nodes[number]
            }
            node.server.process.signal(SIGKILL)
            _ = await node.server.process.result()
            connect()
            let next = try await NexusServer(node.binary, arguments)
            nodes.withLock { $0[number] = Node(binary: node.binary, server: next) }
            connect()
        case .paused(let number, let seconds):
            let process = server(number).process
            process.signal(SIGSTOP)
            defer { process.signal(SIGCONT) }
            try await Task.sleep(for: .seconds(seconds))
        case .disconnected: try database?.disconnect()
        case .crashed: try await database?.fail()
        }
    }

    /// Connects each device to a living node.
    private func connect() {
        let urls = nodes.withLock { $0.filter(\.isAlive).map(\.server.url) }
        guard !urls.isEmpty else { return }
        for (number, device) in devices.enumerated() {
            device.proxy.connect(to: urls[number % urls.count].split(separator: ":").last.flatMap { UInt16($0) })
        }
    }

    /// Asks the assistant in a conversation, through whichever node takes it.
    private func ask(_ number: Int) async throws {
        guard database != nil else { return }
        try await say("@ai when does the crane come, \(number)?", as: "question-\(number)", in: Self.places[number % 2])
        questionCount.withLock { $0 += 1 }
    }

    /// Posts a message until a node has taken it.
    private func say(_ text: String, as id: String, in place: String) async throws {
        let body = ["id": id, "text": text, "senderId": "ben", "localId": id]
        for attempt in 0... {
            try Task.checkCancellation()
            let reply = try? await server(attempt).send(
                "POST", "/v1/conversations/\(place)/messages", body, user: "ben")
            if let reply, [200, 201].contains(reply.status) { return }
            if let reply, reply.status < 500 { try #require(Bool(false), "\(reply.status) \(reply.json)") }
            await shortPause()
        }
    }
}

/// The end of a run.
extension NetworkWorld {
    /// Lets all devices live once more in a good network, and looks at what they know then.
    func end() async throws {
        for device in devices { device.proxy.heal() }
        var lives: [ChatDevice.Life] = []
        for device in devices {
            lives.append(try await device.begin())
            // What waits is known from here on.
            try await lives.last?.session.restore()
        }
        let fresh = try ["ada", "ben"].enumerated().map { number, user in
            NexusSession(transport: try NIOTransport(url: server(number).url), user: user, device: "fresh")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for life in lives { group.addTask { await life.session.run() } }
            for (device, life) in zip(devices, lives) { try await device.settle(life.session) }
            try await checkAnswers()
            var ends: [String: String] = [:]
            for place in Self.places {
                try await say("the end", as: "end-\(place)", in: place)
                ends[place] = "end-\(place)"
            }
            for session in fresh {
                group.addTask { await session.run() }
                try await ChatDevice.loadAll(session, through: ends)
            }
            for (device, life) in zip(devices, lives) {
                try await ChatDevice.loadAll(life.session, through: ends)
                let same = fresh[device.user == "ada" ? 0 : 1]
                try await device.compare(life.session, same, Self.places)
                await device.check(await same.state.conversations.mapValues(\.messages))
            }
            group.cancelAll()
        }
        for life in lives { await life.store.close() }
        for device in devices { device.proxy.close() }
        for node in nodes.withLock({ $0 }) { _ = await node.server.stop() }
    }

    /// Waits until every question was answered, and expects no second answer.
    ///
    /// Looks into the database, because an answer goes when a message that it quotes is deleted.
    private func checkAnswers() async throws {
        guard let database else { return }
        let asked = questionCount.withLock { $0 }
        let answered = "SELECT COUNT(*) FROM mentions WHERE state = 'answered'"
        while try database.number(answered) != asked {
            try Task.checkCancellation()
            await shortPause()
        }
        let answers = "SELECT COUNT(*) FROM messages WHERE kind = 'assistant'"
        #expect(try database.number(answers) == asked, "answered twice")
    }
}
