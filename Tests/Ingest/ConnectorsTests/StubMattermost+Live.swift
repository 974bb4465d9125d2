import ChatCore
import Connectors
import Foundation
import Synchronization
import TestSupport

extension StubMattermost {
    /// Forgets the live connection, as a restart does.
    func forgetConnection() { state.withLock { ($0.connection, $0.events) = (nil, []) } }

    /// Passes over the next event once when it is sent: the client sees a jump of the numbers.
    func loseNextEvent() { state.withLock { state in _ = state.lost.insert(state.next) } }

    var handshakes: [String] { state.withLock { $0.handshakes } }

    static func send(
        _ type: String, _ data: [String: JSONValue], _ broadcast: [String: JSONValue], _ state: inout State,
        in channel: String? = nil
    ) {
        let isMember = channel.map { state.channels[$0]?.members.contains(bot) ?? false } ?? true
        guard isMember, state.connection != nil else { return }
        let event = JSONValue.object([
            "event": .string(type), "data": .object(data), "broadcast": .object(broadcast),
            "seq": .integer(state.next),
        ])
        state.events.append((state.next, text(event)))
        state.next += 1
        if state.events.count > 128 { state.events.removeFirst() }
    }

    /// Begins or resumes a connection; returns the number of the first event that it sends.
    fileprivate func connect(_ path: String, _ headers: [String: String]) throws -> Int64 {
        guard !(serverBox.withLock { $0?.isRefusing } ?? true) else { throw SocketError.refused }
        return state.withLock { state in
            state.handshakes.append(path)
            let query = Self.query(path)
            let isKnown = headers["Authorization"] == "Bearer \(Self.token)" && query["connection_id"] != nil
            let from = query["sequence_number"].flatMap { Int64($0) }
            if isKnown, query["connection_id"] == state.connection, let from,
                from == state.next || state.events.contains(where: { $0.number == from })
            {
                return from
            }
            state.count += 1
            (state.connection, state.next, state.events) = ("connection\(state.count)", 0, [])
            let hello: [String: JSONValue] = [
                "connection_id": .string(state.connection ?? ""), "server_version": .string("10.5.0"),
            ]
            Self.send("hello", hello, ["user_id": .string(Self.bot)], &state)
            return 0
        }
    }

    fileprivate func event(_ number: Int64) -> String? {
        state.withLock { state in
            guard state.lost.remove(number) == nil else { return "lost" }
            return state.events.first { $0.number == number }?.text
        }
    }

    enum SocketError: Error { case refused }
}

/// Live connections to the stub, which end when nothing is left to send.
struct StubMattermostSockets: ConnectorSockets {
    let server: StubMattermost

    func open(_ address: String, headers: [String: String]) async throws -> any ConnectorSocket {
        StubMattermostSocket(server: server, next: try server.connect(address, headers))
    }
}

private final class StubMattermostSocket: ConnectorSocket {
    private let server: StubMattermost
    private let number: Mutex<Int64>

    init(server: StubMattermost, next: Int64) {
        self.server = server
        number = Mutex(next)
    }

    func next() async throws -> String? {
        while true {
            let current = number.withLock { number in
                number += 1
                return number - 1
            }
            guard let text = server.event(current) else { return nil }
            if text != "lost" { return text }
        }
    }

    func send(_ text: String) async throws {}

    func close() async {}
}
