import ChatCore
import Connectors
import Foundation
import Synchronization
import TestSupport

/// The live connection of the stub: Socket Mode.
extension StubSlack {
    enum SocketError: Error { case refused }

    /// Drops all events that were not taken, as Slack does after some attempts.
    func loseDeliveries() {
        state.withLock { ($0.deliveries, $0.unacknowledged, $0.isFollowed) = ([], [], false) }
    }

    /// Sends events over HTTP from now on, as to an app with a Request URL.
    func sendOverHTTP() { state.withLock { $0.isFollowed = true } }

    /// Returns the bodies of the requests that wait to be sent, once.
    func takeRequests() -> [[UInt8]] {
        let deliveries = state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
        return deliveries.compactMap { delivery in
            guard case .object(let envelope)? = try? JSONParser.parse(Array(delivery.text.utf8)),
                case .object(var payload)? = envelope["payload"]
            else { return nil }
            payload["token"] = .string("the former proof of origin")
            return (try? JSONEncoder().encode(JSONValue.object(payload))).map { Array($0) }
        }
    }

    /// Asks for a new connection, and sends an event on the former one after that.
    func askForRefresh(_ reason: String = "warning") {
        state.withLock { state in
            let text = #"{"type":"disconnect","reason":"\#(reason)","debug_info":{"host":"applink-1"}}"#
            state.deliveries.append(Delivery(text: text, envelope: nil))
        }
    }

    /// Sends the next events on the connection that is open when they happen, although there is a newer one later.
    func keepOnOldConnection() {
        state.withLock { state in
            for index in state.deliveries.indices { state.deliveries[index].connection = state.connection + 1 }
        }
    }

    /// The ids of the envelopes that were acknowledged.
    var acknowledged: [String] { state.withLock { $0.acknowledged } }

    /// Sends an event as it is, with an envelope.
    func send(_ event: [String: JSONValue], authorizedFor teams: [String] = [StubSlack.team], id: String? = nil) {
        state.withLock { Self.send(event, &$0, authorizedFor: teams, id: id) }
    }

    static func sendChange(of post: Post, _ before: JSONValue, _ state: inout State) {
        send(
            [
                "type": .string("message"), "subtype": .string("message_changed"), "hidden": .bool(true),
                "channel": .string(post.channel), "ts": .string(time(state, micro: 0)),
                "message": wire(post, state), "previous_message": before, "channel_type": .string("channel"),
            ], &state, in: post.channel)
    }

    static func send(
        _ event: [String: JSONValue], _ state: inout State, in channel: String? = nil,
        authorizedFor teams: [String] = [StubSlack.team], id: String? = nil
    ) {
        let isMember = channel.map { state.channels[$0]?.members.contains(bot) ?? false } ?? true
        guard isMember, state.isFollowed else { return }
        state.count += 1
        var event = event
        event["event_ts"] = .string(time(state, micro: 0))
        let envelope = "envelope\(state.count)"
        let payload: [String: JSONValue] = [
            "type": .string("event_callback"), "team_id": .string(teams.first ?? team), "api_app_id": .string("A0"),
            "event": .object(event), "event_id": .string(id ?? "Ev\(state.count)"), "event_time": .integer(state.time),
            "authorizations": .array(
                teams.map { .object(["team_id": .string($0), "user_id": .string(bot), "is_bot": .bool(true)]) }),
        ]
        let delivery = JSONValue.object([
            "type": .string("events_api"), "envelope_id": .string(envelope), "accepts_response_payload": .bool(false),
            "retry_attempt": .integer(0), "retry_reason": .string(""), "payload": .object(payload),
        ])
        state.deliveries.append(Delivery(text: text(delivery), envelope: envelope))
    }

    func connect(_ address: String) throws -> Int {
        guard !isRefusing else { throw SocketError.refused }
        return try state.withLock { state in
            guard let ticket = address.split(separator: "=").last, state.tickets.remove(String(ticket)) != nil else {
                throw SocketError.refused
            }
            (state.connection, state.isFollowed) = (state.connection + 1, true)
            // What is not acknowledged comes again.
            let old = state.deliveries.filter { $0.connection != nil }
            let new = state.deliveries.filter { $0.connection == nil }
            let hello = #"{"type":"hello","num_connections":1,"connection_info":{"app_id":"A0"}}"#
            state.deliveries =
                old + [Delivery(text: hello, envelope: nil, connection: state.connection)] + state.unacknowledged + new
            state.unacknowledged = []
            return state.connection
        }
    }

    /// The next message of a connection; nil if there is none, false if another connection still has some.
    func next(_ connection: Int) -> (text: String?, isDone: Bool) {
        state.withLock { state in
            let isNewest = connection == state.connection
            let index = state.deliveries.firstIndex {
                $0.connection == connection || $0.connection == nil && isNewest
            }
            guard let index else { return (nil, state.deliveries.isEmpty || !isNewest) }
            let delivery = state.deliveries.remove(at: index)
            if delivery.envelope != nil { state.unacknowledged.append(delivery) }
            return (delivery.text, false)
        }
    }

    func acknowledge(_ text: String) {
        let fields = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
        guard let envelope = fields?["envelope_id"] as? String else { return }
        state.withLock { state in
            state.acknowledged.append(envelope)
            state.unacknowledged.removeAll { $0.envelope == envelope }
        }
    }
}

/// Live connections to the stub, which end when nothing is left to send.
struct StubSlackSockets: ConnectorSockets {
    let server: StubSlack
    /// Loses acknowledgements, as a connection that breaks does.
    var losesAcknowledgements = false
    /// Keeps connections open until the task is cancelled.
    var staysOpen = false

    func open(_ address: String, headers: [String: String]) async throws -> any ConnectorSocket {
        guard address.hasPrefix("ws://"), headers.isEmpty else { throw StubSlack.SocketError.refused }
        return StubSlackSocket(
            server: server, connection: try server.connect(address), losesAcknowledgements: losesAcknowledgements,
            staysOpen: staysOpen)
    }
}

private struct StubSlackSocket: ConnectorSocket {
    let server: StubSlack
    let connection: Int
    let losesAcknowledgements: Bool
    let staysOpen: Bool

    func next() async throws -> String? {
        while !Task.isCancelled {
            let (text, isDone) = server.next(connection)
            if let text { return text }
            if isDone, !staysOpen { return nil }
            await Task.yield()
        }
        return nil
    }

    func send(_ text: String) async throws { if !losesAcknowledgements { server.acknowledge(text) } }

    func close() async {}
}
