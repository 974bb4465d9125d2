import ChatCore
import Foundation
import Synchronization
import TestSupport

/// A small Matrix homeserver in memory.
///
/// It has rooms with events, the client API that the connector uses, and the queue of an application service. Replies have
/// the shapes that Synapse 1.163.2 sent.
final class StubHomeserver: Sendable {
    static let bot = "@nexus:home.test"
    static let serviceToken = "service-token"
    static let homeserverToken = "homeserver-token"

    /// What the next requests of a path get instead of a reply.
    enum Fault {
        case status(Int)
        case limited(milliseconds: Int)
        case closes
        /// Half of a file.
        case breaks
    }

    struct Event {
        let id: String
        let room: String
        let type: String
        let sender: String
        var stateKey: String?
        let time: Int64
        var content: [String: JSONValue]
        var before: [String: JSONValue]?
        var deletion: String?
    }

    private struct State {
        var events: [Event] = []
        var queue: [String] = []
        var count = 0
        var time: Int64 = 1_760_000_000_000
        var faults: [(path: String, fault: Fault)] = []
        var sent: [String: String] = [:]
        /// Whether the reply to the next message is lost.
        var losesReply = false
        /// Files by the last parts of their URIs.
        var files: [String: (name: String, content: Data)] = [:]
        /// Whether files need a token, as since version 1.11 of the specification.
        var isMediaAuthenticated = true
        /// Called once when a page of history was read, before it is sent.
        var onPage: (@Sendable (StubHomeserver) -> Void)?
    }

    private let state = Mutex(State())
    private let serverBox = Mutex<StubServer?>(nil)

    var url: String { serverBox.withLock { $0?.baseURL ?? "" } }
    /// What the connector asked for, as method and decoded path.
    var requests: [String] {
        (serverBox.withLock { $0?.requests } ?? []).map { "\($0.method) \(Self.path($0.target))" }
    }

    init() throws {
        let server = try StubServer { [weak self] request in self?.respond(request) ?? .closes }
        serverBox.withLock { $0 = server }
    }

    /// Answers the next request whose path contains a text with a fault.
    func fail(_ path: String, _ fault: Fault, count: Int = 1) {
        state.withLock { state in for _ in 0..<count { state.faults.append((path, fault)) } }
    }

    /// Takes the next message that Nexus sends, and loses the reply.
    func loseNextReply() { state.withLock { $0.losesReply = true } }

    /// Does something at the moment when the next page of history was read and is not sent yet.
    func onNextPage(_ body: @escaping @Sendable (StubHomeserver) -> Void) { state.withLock { $0.onPage = body } }

    /// Stores a file; returns its URI.
    func upload(_ name: String, _ content: Data) -> String {
        state.withLock { state in
            state.count += 1
            state.files["media\(state.count)"] = (name, content)
            return "mxc://home.test/media\(state.count)"
        }
    }

    func loseFile(_ name: String) { state.withLock { $0.files = $0.files.filter { $0.value.name != name } } }

    /// Makes it a homeserver of before version 1.11, which gives files to everybody.
    func forgetMediaAuthentication() { state.withLock { $0.isMediaAuthenticated = false } }

    func refuse() { serverBox.withLock { $0?.refuse() } }
    func admit() { serverBox.withLock { $0?.admit() } }
}

// MARK: - What people do

extension StubHomeserver {
    /// Makes a room, with people who are in it.
    func makeRoom(
        _ id: String, _ people: [String], visibility: String = "shared", after old: String? = nil,
        isPublic: Bool = false, type: String? = nil
    ) {
        let kind = type.map { ["type": JSONValue.string($0)] } ?? [:]
        let predecessor = old.map { ["predecessor": JSONValue.object(["room_id": .string($0)])] } ?? [:]
        add(
            id, "m.room.create", by: people[0], key: "",
            predecessor.merging(["room_version": .string("12")]) { $1 }.merging(kind) { $1 })
        add(id, "m.room.join_rules", by: people[0], key: "", ["join_rule": .string(isPublic ? "public" : "invite")])
        add(id, "m.room.history_visibility", by: people[0], key: "", ["history_visibility": .string(visibility)])
        add(id, "m.room.name", by: people[0], key: "", ["name": .string("Room \(id.dropFirst())")])
        for person in people { setMember(person, in: id, "join") }
    }

    /// Upgrades a room, as Synapse does: the members have to come by themselves.
    func upgrade(
        _ old: String, to new: String, by person: String, visibility: String = "shared", isPublic: Bool = false
    ) {
        makeRoom(new, [person], visibility: visibility, after: old, isPublic: isPublic)
        add(
            old, "m.room.tombstone", by: person, key: "",
            ["replacement_room": .string(new), "body": .string("This room has been replaced")])
    }

    func setMember(
        _ person: String, in room: String, _ membership: String, name: String? = nil, by sender: String? = nil
    ) {
        let before = state.withLock { state in
            state.events.last { $0.room == room && $0.stateKey == person && $0.type == "m.room.member" }?.content
        }
        var content: [String: JSONValue] = ["membership": .string(membership)]
        if membership == "join" { content["displayname"] = .string(name ?? Self.name(person)) }
        add(room, "m.room.member", by: sender ?? person, key: person, content, before: before)
    }

    static func name(_ person: String) -> String { person.dropFirst().prefix { $0 != ":" }.capitalized }

    @discardableResult
    func say(_ text: String, by sender: String, in room: String, _ more: [String: JSONValue] = [:]) -> String {
        add(
            room, "m.room.message", by: sender,
            ["msgtype": .string("m.text"), "body": .string(text)].merging(more) { $1 })
    }

    @discardableResult
    func edit(_ id: String, _ text: String, by sender: String, in room: String) -> String {
        say(
            "* " + text, by: sender, in: room,
            [
                "m.new_content": .object(["msgtype": .string("m.text"), "body": .string(text)]),
                "m.relates_to": .object(["rel_type": .string("m.replace"), "event_id": .string(id)]),
            ])
    }

    @discardableResult
    func react(_ key: String, to id: String, by sender: String, in room: String) -> String {
        add(
            room, "m.reaction", by: sender,
            [
                "m.relates_to": .object([
                    "rel_type": .string("m.annotation"), "event_id": .string(id), "key": .string(key),
                ])
            ])
    }

    @discardableResult
    func delete(_ id: String, by sender: String, in room: String) -> String {
        let deletion = add(room, "m.room.redaction", by: sender, ["redacts": .string(id)])
        state.withLock { state in
            guard let place = state.events.firstIndex(where: { $0.id == id }) else { return }
            state.events[place].content = [:]
            state.events[place].deletion = deletion
        }
        return deletion
    }

    @discardableResult
    func add(
        _ room: String, _ type: String, by sender: String, key: String? = nil, _ content: [String: JSONValue],
        before: [String: JSONValue]? = nil
    ) -> String {
        state.withLock { state in
            state.count += 1
            state.time += 1_000
            let id = "$event\(state.count)"
            let hears = Self.isPresent(Self.bot, in: room, state) || key == Self.bot
            state.events.append(
                Event(
                    id: id, room: room, type: type, sender: sender, stateKey: key, time: state.time, content: content,
                    before: before))
            if hears { state.queue.append(id) }
            return id
        }
    }

    private static func isPresent(_ person: String, in room: String, _ state: State) -> Bool {
        state.events.last { $0.room == room && $0.stateKey == person && $0.type == "m.room.member" }?
            .content["membership"] == .string("join")
    }

    /// All events of a room.
    func events(of room: String) -> [Event] { state.withLock { $0.events.filter { $0.room == room } } }

    /// Returns the bodies of the transactions that wait, one event in each, as the events are now; `keeps` leaves them.
    func transactions(keeps: Bool = false) -> [[UInt8]] {
        state.withLock { state in
            let ids = state.queue
            if !keeps { state.queue = [] }
            return ids.compactMap { id in
                state.events.first { $0.id == id }.map { event in
                    let body: JSONValue = .object(["events": .array([Self.wire(event, state, bundles: false)])])
                    return Array((try? JSONEncoder().encode(body)) ?? Data())
                }
            }
        }
    }
}

// MARK: - The client API

extension StubHomeserver {
    private static func path(_ target: String) -> String {
        let path = target.split(separator: "?")[0]
        return (path.split(separator: "/").map { String($0).removingPercentEncoding ?? "" }).dropFirst(2)
            .joined(separator: "/")
    }

    private static func query(_ target: String) -> [String: String] {
        let items = URLComponents(string: target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    private func respond(_ request: StubRequest) -> StubResponse {
        guard request.header("authorization") == "Bearer \(Self.serviceToken)" else {
            return Self.failure(401, "M_UNKNOWN_TOKEN")
        }
        let path = Self.path(request.target)
        let fault = state.withLock { state -> Fault? in
            state.faults.firstIndex { path.contains($0.path) }.map { state.faults.remove(at: $0).fault }
        }
        switch fault {
        case .status(let status)?: return Self.failure(status, "M_UNKNOWN")
        case .closes?: return .closes
        case .breaks?:
            return StubResponse(steps: [
                .bytes(StubResponse.head(200, [("Content-Length", "20000")])), .bytes(Data("half".utf8)), .close,
            ])
        case .limited(let milliseconds)?:
            return .json(
                ["errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": milliseconds],
                status: 429)
        case nil: break
        }
        let parts = path.split(separator: "/").map(String.init)
        if parts.contains("download") { return file(parts) }
        if parts.last == "joined_rooms" { return joinedRooms() }
        guard parts.count >= 4, let place = parts.firstIndex(of: "rooms"), place + 2 < parts.count else {
            return Self.failure(404, "M_UNRECOGNIZED")
        }
        let (room, action, rest) = (parts[place + 1], parts[place + 2], Array(parts[(place + 3)...]))
        if action == "join" {
            guard mayJoin(room) else { return Self.failure(403, "M_FORBIDDEN") }
            setMember(Self.bot, in: room, "join", name: "Nexus")
            return .json(["room_id": room])
        }
        let isPresent = state.withLock { Self.isPresent(Self.bot, in: room, $0) }
        // After leaving, the state is that of this moment.
        guard isPresent || action == "state" else { return Self.failure(403, "M_FORBIDDEN") }
        switch action {
        case "state": return Self.reply(.array(presentState(of: room)))
        case "messages": return messages(of: room, Self.query(request.target))
        case "event": return event(rest.first ?? "", in: room)
        case "send": return send(rest, in: room, request)
        case "relations": return relations(rest, in: room, Self.query(request.target))
        case "redact": return redact(rest, in: room)
        default: return Self.failure(404, "M_UNRECOGNIZED")
        }
    }

    private func mayJoin(_ room: String) -> Bool {
        state.withLock { state in
            func content(_ type: String, _ key: String) -> [String: JSONValue]? {
                state.events.last { $0.room == room && $0.type == type && $0.stateKey == key }?.content
            }
            return content("m.room.member", Self.bot)?["membership"] == .string("invite")
                || content("m.room.join_rules", "")?["join_rule"] == .string("public")
        }
    }

    /// Only one of the two paths gives files, as with Synapse.
    private func file(_ parts: [String]) -> StubResponse {
        let (isAuthenticated, found) = state.withLock { ($0.isMediaAuthenticated, $0.files[parts.last ?? ""]) }
        let isNewPath = parts.starts(with: ["v1", "media", "download", "home.test"])
        guard isNewPath || parts.starts(with: ["v3", "download", "home.test"]) else {
            return Self.failure(404, "M_NOT_FOUND")
        }
        if isNewPath, !isAuthenticated { return Self.failure(404, "M_UNRECOGNIZED") }
        guard isNewPath == isAuthenticated, let found else { return Self.failure(404, "M_NOT_FOUND") }
        return StubResponse(headers: [("Content-Type", "application/octet-stream")], body: found.content)
    }

    private func joinedRooms() -> StubResponse {
        let rooms = state.withLock { state in
            Set(state.events.map(\.room)).filter { Self.isPresent(Self.bot, in: $0, state) }.sorted()
        }
        return .json(["joined_rooms": rooms])
    }

    private func presentState(of room: String) -> [JSONValue] {
        state.withLock { state in
            var latest: [String: Event] = [:]
            let last = state.events.last { $0.room == room && $0.stateKey == Self.bot }
            let events = state.events.filter { event in
                let isLater = last.map { event.time > $0.time } ?? false
                return event.room == room && !(isLater && last?.content["membership"] == .string("leave"))
            }
            for event in events {
                if let key = event.stateKey { latest["\(event.type) \(key)"] = event }
            }
            return latest.values.map { Self.wire($0, state, bundles: false) }
        }
    }

    /// Pages from the end; a token is the number of events before its place.
    private func messages(of room: String, _ query: [String: String]) -> StubResponse {
        let page = state.withLock { state -> JSONValue in
            let events = state.events.filter { $0.room == room }
            let end = query["from"].flatMap { Int($0.dropFirst()) } ?? events.count
            let start = max(0, end - (Int(query["limit"] ?? "") ?? 10))
            var reply: [String: JSONValue] = [
                "start": .string("t\(end)"),
                "chunk": .array(events[start..<end].reversed().map { Self.wire($0, state, bundles: true) }),
            ]
            if start > 0 { reply["end"] = .string("t\(start)") }
            return .object(reply)
        }
        let onPage = state.withLock { state in
            defer { state.onPage = nil }
            return state.onPage
        }
        onPage?(self)
        return Self.reply(page)
    }

    private func event(_ id: String, in room: String) -> StubResponse {
        let found = state.withLock { state in
            state.events.first { $0.id == id && $0.room == room }.map { Self.wire($0, state, bundles: true) }
        }
        return found.map { Self.reply($0) } ?? Self.failure(404, "M_NOT_FOUND")
    }

    private func send(_ rest: [String], in room: String, _ request: StubRequest) -> StubResponse {
        let number = rest.last ?? ""
        if let known = state.withLock({ $0.sent[number] }) { return Self.reply(.object(["event_id": .string(known)])) }
        guard case .object(let content)? = try? JSONParser.parse(Array(request.body)) else {
            return Self.failure(400, "M_NOT_JSON")
        }
        let id = add(room, rest[0], by: Self.bot, content)
        let isLost = state.withLock { state in
            defer { state.losesReply = false }
            state.sent[number] = id
            return state.losesReply
        }
        return isLost ? Self.failure(502, "M_UNKNOWN") : Self.reply(.object(["event_id": .string(id)]))
    }

    private func redact(_ rest: [String], in room: String) -> StubResponse {
        let number = rest[1]
        if let known = state.withLock({ $0.sent[number] }) { return Self.reply(.object(["event_id": .string(known)])) }
        guard events(of: room).contains(where: { $0.id == rest[0] }) else { return Self.failure(404, "M_NOT_FOUND") }
        let id = delete(rest[0], by: Self.bot, in: room)
        state.withLock { $0.sent[number] = id }
        return Self.reply(.object(["event_id": .string(id)]))
    }

    /// Pages of two, newest first; a deleted event has no edits any more, although they are still there.
    private func relations(_ rest: [String], in room: String, _ query: [String: String]) -> StubResponse {
        state.withLock { state in
            let events = state.events.filter { $0.room == room }
            guard let target = events.first(where: { $0.id == rest[0] }) else {
                return Self.failure(404, "M_NOT_FOUND")
            }
            let related = events.filter { event in
                guard case .object(let relation)? = event.content["m.relates_to"] else { return false }
                return relation["rel_type"] == .string(rest[1]) && relation["event_id"] == .string(rest[0])
                    && !(target.deletion != nil && rest[1] == "m.replace")
            }
            let end = query["from"].flatMap { Int($0.dropFirst()) } ?? related.count
            let start = max(0, end - 2)
            var reply: [String: JSONValue] = [
                "chunk": .array(related[start..<end].reversed().map { Self.wire($0, state, bundles: true) })
            ]
            if start > 0 { reply["next_batch"] = .string("t\(start)") }
            return Self.reply(.object(reply))
        }
    }

    /// The edit that counts: by the author, not deleted, and the latest.
    private static func edit(of event: Event, _ state: State) -> Event? {
        state.events.filter { edit in
            guard case .object(let relation)? = edit.content["m.relates_to"] else { return false }
            return relation["rel_type"] == .string("m.replace") && relation["event_id"] == .string(event.id)
                && edit.sender == event.sender && edit.deletion == nil
        }.max { $0.time < $1.time }
    }

    private static func wire(_ event: Event, _ state: State, bundles: Bool) -> JSONValue {
        var unsigned: [String: JSONValue] = ["age": .integer(1)]
        if let before = event.before {
            unsigned["prev_content"] = .object(before)
            unsigned["replaces_state"] = .string("$earlier")
        }
        if let id = event.deletion {
            unsigned["redacted_because"] = state.events.first { $0.id == id }.map {
                wire($0, state, bundles: false)
            }
        } else if bundles, let edit = edit(of: event, state) {
            unsigned["m.relations"] = .object(["m.replace": wire(edit, state, bundles: false)])
        }
        var fields: [String: JSONValue] = [
            "event_id": .string(event.id), "room_id": .string(event.room), "type": .string(event.type),
            "sender": .string(event.sender), "origin_server_ts": .integer(event.time),
            "content": .object(event.content), "unsigned": .object(unsigned),
        ]
        if let key = event.stateKey { fields["state_key"] = .string(key) }
        if event.type == "m.room.redaction" { fields["redacts"] = event.content["redacts"] }
        return .object(fields)
    }

    private static func reply(_ value: JSONValue) -> StubResponse {
        StubResponse(
            headers: [("Content-Type", "application/json")], body: (try? JSONEncoder().encode(value)) ?? Data())
    }

    private static func failure(_ status: Int, _ code: String) -> StubResponse {
        .json(["errcode": code, "error": "refused"], status: status)
    }
}
