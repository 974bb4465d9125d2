import Foundation
import NIOCore

/// The measurements of one server.
struct LiveBench: Sendable {
    let options: RunCommand
    let group: any EventLoopGroup
    let pool: HTTPPool
    /// Sets the local ids of this run apart from those of earlier ones.
    let name = String(UInt32.random(in: .min ... .max), radix: 36)

    init(options: RunCommand, group: any EventLoopGroup) {
        self.options = options
        self.group = group
        pool = HTTPPool(port: options.port, group: group)
    }

    /// Creates a conversation, unless the server has rooms that need no creation.
    func make(_ room: String, members: some Sequence<String> & Sendable) async throws {
        guard options.target == .nexus else { return }
        let people = members.map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
        try await pool.send(
            "POST", "/v1/conversations", user: members.first { _ in true },
            body: #"{"id":"\#(room)","name":"\#(room)","members":[\#(people)]}"#)
    }

    /// Sends a message, and returns when the server has acknowledged it.
    func post(_ number: Int, in room: String, from user: String) async throws {
        let (path, body) = options.target.message(number, run: name, in: room, from: user)
        try await pool.send("POST", path, user: user, body: body)
    }

    func open(
        _ user: String, rooms: [String], cursor: String? = nil, ledger: Ledger?
    ) async throws -> BenchSocket {
        try await BenchSocket.open(
            options.socketPort ?? options.port, path: options.target.socketPath(rooms: rooms, cursor: cursor),
            user: user, ledger: ledger, on: group)
    }

    /// Opens a socket for each number.
    func openAll(
        _ numbers: Range<Int>, _ ledger: Ledger,
        _ place: @escaping @Sendable (Int) -> (user: String, rooms: [String])
    ) async throws -> [BenchSocket] {
        try await withThrowingTaskGroup(of: BenchSocket.self) { group in
            var sockets: [BenchSocket] = []
            for number in numbers {
                if number >= numbers.lowerBound + 64, let socket = try await group.next() { sockets.append(socket) }
                let (user, rooms) = place(number)
                group.addTask { try await open(user, rooms: rooms, ledger: ledger) }
            }
            for try await socket in group { sockets.append(socket) }
            return sockets
        }
    }

    /// Sends messages one after another, each when all sockets have the one before.
    func sendInTurn(_ count: Int, in room: String, from user: String, due: Int, _ ledger: Ledger) async throws {
        for _ in 0..<count {
            let number = ledger.begin(at: .now(), due: due)
            try await post(number, in: room, from: user)
            try await within(seconds: 60) { await ledger.wait(for: number) }
        }
    }

    /// Closes sockets, and waits until the server can have noticed it.
    func close(_ sockets: [BenchSocket]) async throws {
        for socket in sockets { await socket.close() }
        try await Task.sleep(for: .seconds(1))
    }

    /// Runs work that must end soon: a message that never comes would hold the run for ever.
    func within(seconds: Int, _ work: @escaping @Sendable () async -> Void) async throws {
        let watch = Task {
            try await Task.sleep(for: .seconds(seconds))
            note("bench: a message did not reach all sockets within \(seconds) s")
            exit(2)
        }
        await work()
        watch.cancel()
    }
}
