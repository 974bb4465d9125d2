import Foundation
import NexusClient
import NexusModel
import Synchronization

/// A chat server in memory, as `ada` sees it: two people, a log, frames with the present state of what changed.
final class ChatWorld: Sendable {
    struct Person: Codable {
        var userId: String
        var name: String
    }

    private enum Entry: Hashable {
        case message(String, String)
        case deletion(String, String, Int64?)
        case conversation(String)
        case departure(String)
        case receipt(String, String)
    }

    private struct Place {
        var name: String
        var messages: [ChatMessage] = []
        var head: Int64 = 0
        var readSeqs: [String: Int64] = ["ada": 0, "ben": 0]
        var isVisible = true
        /// What became of each local id: the message's id and position.
        var spent: [String: (id: String, seq: Int64)] = [:]
    }

    private struct State {
        var epoch = 1
        var log: [Entry] = []
        var places: [String: Place] = [:]
        var count = 0
        var readers: [(socket: FakeSocket, position: Int)] = []
        var requestCounts: [String: Int] = [:]
    }

    /// 7 October 2026, 10:00 UTC.
    private static let start = Date(timeIntervalSince1970: 1_791_367_200)
    /// The most changes of one conversation in a frame.
    private let changeLimit: Int
    private let state = Mutex(State())

    init(places: [String] = ["pier", "quay"], history: Int = 0, changeLimit: Int = 6) {
        self.changeLimit = changeLimit
        state.withLock { state in
            for id in places { state.places[id] = Place(name: id.capitalized) }
        }
        for id in places { for number in 0..<history { post("old \(number)", to: id, by: "ben") } }
    }
}

/// What happens on the server.
extension ChatWorld {
    @discardableResult
    func post(_ text: String, to id: String, by sender: String, localID: String? = nil) -> (id: String, seq: Int64)? {
        change { state in
            guard var place = state.places[id], place.isVisible || sender != "ada" else { return nil }
            if let localID, let known = place.spent[localID] { return known }
            place.head += 1
            state.count += 1
            let message = ChatMessage(
                id: "m\(state.count)", conversationId: id, senderId: sender, senderName: sender, text: text,
                timestamp: Self.start + Double(state.count), localId: localID, seq: place.head)
            place.messages.append(message)
            if let localID { place.spent[localID] = (message.id, place.head) }
            state.places[id] = place
            state.log.append(.message(id, message.id))
            return (message.id, place.head)
        }
    }

    /// Changes a message; false if there is none.
    @discardableResult
    func edit(_ message: String, in id: String, _ body: (inout ChatMessage) -> Void) -> Bool {
        change { state in
            guard let index = state.places[id]?.messages.firstIndex(where: { $0.id == message }) else { return false }
            if var edited = state.places[id]?.messages[index] {
                body(&edited)
                state.places[id]?.messages[index] = edited
            }
            state.log.append(.message(id, message))
            return true
        }
    }

    @discardableResult
    func delete(_ message: String, in id: String) -> Bool {
        change { state in
            guard let index = state.places[id]?.messages.firstIndex(where: { $0.id == message }) else { return false }
            let gone = state.places[id]?.messages.remove(at: index)
            state.log.append(.deletion(id, message, gone?.seq))
            return true
        }
    }

    func read(upTo seq: Int64, in id: String, by user: String) {
        change { state in
            guard let known = state.places[id]?.readSeqs[user], known < seq else { return }
            state.places[id]?.readSeqs[user] = seq
            state.log.append(.receipt(id, user))
        }
    }

    /// Takes `ada` out of a conversation, or back.
    func set(isVisible: Bool, _ id: String) {
        change { state in
            guard state.places[id]?.isVisible != isVisible else { return }
            state.places[id]?.isVisible = isVisible
            state.log.append(isVisible ? .conversation(id) : .departure(id))
        }
    }

    /// Begins another log, as after a restored backup.
    func startOver() {
        let sockets = state.withLock { state in
            state.epoch += 1
            state.log = []
            let sockets = state.readers.map(\.socket)
            state.readers = []
            return sockets
        }
        for socket in sockets {
            socket.say(#"{"type":"resync"}"#)
            socket.end()
        }
    }

    /// Ends all connections.
    func drop() {
        let sockets = state.withLock { state in
            defer { state.readers = [] }
            return state.readers.map(\.socket)
        }
        for socket in sockets { socket.end() }
    }

    func messages(in id: String) -> [ChatMessage] { state.withLock { $0.places[id]?.messages ?? [] } }

    /// The cursor after everything so far.
    var cursor: FeedCursor? { state.withLock { FeedCursor("e\($0.epoch)-\($0.log.count)") } }

    var visiblePlaces: [String] { state.withLock { $0.places.filter(\.value.isVisible).keys.sorted() } }

    /// How often a kind of request was made, such as `POST messages`.
    func requestCount(_ kind: String) -> Int { state.withLock { $0.requestCounts[kind] ?? 0 } }

    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            let value = body(&state)
            push(&state)
            return value
        }
    }
}

/// The feed.
extension ChatWorld {
    private func push(_ state: inout State) {
        for index in state.readers.indices where state.readers[index].position < state.log.count {
            let (socket, position) = state.readers[index]
            socket.say(frame(after: position, state))
            state.readers[index].position = state.log.count
        }
    }

    private func frame(after start: Int, _ state: State) -> String {
        var (changes, seen, counts) = ([String](), Set<Entry>(), [String: Int]())
        for entry in state.log[start...] { counts[Self.place(of: entry), default: 0] += 1 }
        let visible = state.places.filter(\.value.isVisible)
        let limited = counts.filter { $0.value > changeLimit && visible[$0.key] != nil }.keys.sorted()
        for id in limited { changes.append(Self.change(id, state)) }
        // A joined conversation is before its messages.
        let entries =
            state.log[start...].filter { if case .conversation = $0 { true } else { false } }
            + state.log[start...]
        for entry in entries where seen.insert(entry).inserted {
            let id = Self.place(of: entry)
            guard !limited.contains(id) else { continue }
            if case .departure = entry {
                if visible[id] == nil { changes.append(#"{"type":"departure","conversationId":"\#(id)"}"#) }
                continue
            }
            guard let place = visible[id] else { continue }
            switch entry {
            case .message(_, let message):
                guard let found = place.messages.first(where: { $0.id == message }) else { continue }
                changes.append(#"{"type":"message","message":\#(Self.json(found))}"#)
            case .deletion(_, let message, let seq):
                let position = seq.map { #","seq":\#($0)"# } ?? ""
                changes.append(
                    #"{"type":"deletion","conversationId":"\#(id)","messageId":"\#(message)"\#(position)}"#)
            case .conversation: changes.append(Self.change(id, state))
            case .receipt(_, let user):
                let receipt = Self.json(ChatReceipt(userId: user, readSeq: place.readSeqs[user] ?? 0))
                changes.append(#"{"type":"receipt","conversationId":"\#(id)","receipt":\#(receipt)}"#)
            case .departure: break
            }
        }
        let rest = limited.isEmpty ? "" : #","limited":\#(Self.json(limited))"#
        return """
            {"v":1,"lane":0,"prev":\(start),"pos":\(state.log.count),"cursor":"e\(state.epoch)-\(state.log.count)",
             "changes":[\(changes.joined(separator: ","))]\(rest)}
            """
    }

    private static func place(of entry: Entry) -> String {
        switch entry {
        case .message(let id, _), .deletion(let id, _, _), .conversation(let id), .departure(let id),
            .receipt(let id, _):
            id
        }
    }

    static func json(_ value: some Encodable) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private static func entry(_ id: String, _ place: Place) -> String {
        let read = place.readSeqs["ada"] ?? 0
        let unread = place.messages.count { $0.senderId != "ada" && ($0.seq ?? 0) > read }
        let last = place.messages.last.map { message in
            """
            ,"lastMessage":{"id":"\(message.id)","senderId":"\(message.senderId)","senderName":"\(message.senderId)",
             "text":"\(message.text)","timestamp":"\(TimeText.text(message.timestamp))"}
            """
        }
        return """
            {"id":"\(id)","kind":"group","visibility":"members","name":"\(place.name)","head":\(place.head),
             "activeAt":"\(TimeText.text(place.messages.last?.timestamp ?? start))","readSeq":\(read),
             "unreadCount":\(min(unread, 100)),"mentionCount":0,
             "preferences":{"muted":false,"archived":false,"pinned":false}\(last ?? "")}
            """
    }

    private static let members = #"[{"userId":"ada","name":"Ada"},{"userId":"ben","name":"Ben"}]"#

    private static func receipts(_ place: Place) -> String {
        json(place.readSeqs.sorted { $0.key < $1.key }.map { ChatReceipt(userId: $0.key, readSeq: $0.value) })
    }

    private static func change(_ id: String, _ state: State) -> String {
        guard let place = state.places[id] else { return "" }
        return #"{"type":"conversation","conversation":\#(entry(id, place)),"members":\#(members),"#
            + #""receipts":\#(receipts(place))}"#
    }
}

/// Requests.
extension ChatWorld {
    static func response(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> ClientResponse {
        ClientResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    func open(_ request: ClientRequest) -> FakeSocket {
        let socket = FakeSocket()
        let parts = request.path.split(separator: "cursor=", maxSplits: 1).last?.prefix { $0 != "&" }
        let cursor = FeedCursor(parts.map(String.init) ?? "")
        state.withLock { state in
            guard let cursor, cursor.epoch == "e\(state.epoch)", let position = cursor.positions.first,
                position <= state.log.count
            else {
                socket.say(#"{"type":"resync"}"#)
                socket.end()
                return
            }
            state.readers.append((socket, Int(position)))
            push(&state)
        }
        return socket
    }

    func answer(_ request: ClientRequest) -> ClientResponse {
        let parts = request.path.split(separator: "?", maxSplits: 1)
        let path = parts[0].split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        let query = parts.count > 1 ? String(parts[1]) : ""
        state.withLock {
            $0.requestCounts["\(request.method) \(path.dropFirst(3).first ?? path.last ?? "")", default: 0] += 1
        }
        if path == ["v1", "sync"] { return sync() }
        if path == ["v1", "files"] { return Self.response(#"{"id":"f\#(request.body?.count ?? 0)"}"#, status: 201) }
        guard path.count >= 3, path[1] == "conversations", visiblePlaces.contains(path[2]) else {
            return Self.response(#"{"code":"conversation_not_found","detail":"no"}"#, status: 404)
        }
        let body = request.body.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] } ?? [:]
        switch (request.method, path.dropFirst(3).first, path.count) {
        case ("GET", nil, _):
            // The roles of members are in replies, not in frames.
            return Self.response(
                #"{"members":[{"userId":"ada","name":"Ada","role":"admin"},{"userId":"ben","name":"Ben"}]}"#)
        case ("GET", "receipts", _):
            return Self.response(
                state.withLock { #"{"receipts":\#($0.places[path[2]].map { Self.receipts($0) } ?? "[]")}"# })
        case ("GET", "messages", _): return page(path[2], query)
        case ("POST", "messages", _): return post(body, to: path[2])
        case ("POST", "read", _):
            let seq = messages(in: path[2]).first { $0.id == body["upTo"] as? String }?.seq
            if let seq { read(upTo: seq, in: path[2], by: "ada") }
            return Self.response("{}")
        case ("PATCH", "messages", 5):
            let isDone = edit(path[4], in: path[2]) { $0.text = body["text"] as? String ?? "" }
            return isDone ? Self.response("{}") : Self.gone
        case ("DELETE", "messages", 5): return delete(path[4], in: path[2]) ? Self.response("{}") : Self.gone
        case (_, "messages", 7):
            let isSet = request.method == "PUT"
            let isDone = edit(path[4], in: path[2]) { message in
                message.reactions.removeAll { $0.emoji == path[6] }
                if isSet { message.reactions.append(.init(emoji: path[6], userIds: ["ada"])) }
            }
            return isDone ? Self.response("{}") : Self.gone
        default: return Self.response("{}", status: 404)
        }
    }

    private static let gone = response(#"{"code":"message_not_found","detail":"no"}"#, status: 404)

    private func sync() -> ClientResponse {
        state.withLock { state in
            let list = state.places.filter(\.value.isVisible).sorted { $0.key < $1.key }.map {
                Self.entry($0.key, $0.value)
            }
            return Self.response(
                #"{"cursor":"e\#(state.epoch)-\#(state.log.count)","conversations":[\#(list.joined(separator: ","))]}"#)
        }
    }

    private func post(_ body: [String: Any], to id: String) -> ClientResponse {
        guard let text = body["text"] as? String, let localID = body["localId"] as? String else {
            return Self.response(#"{"code":"invalid_field","detail":"text"}"#, status: 400)
        }
        guard let stored = post(text, to: id, by: "ada", localID: localID) else { return Self.gone }
        guard messages(in: id).contains(where: { $0.id == stored.id }) else {
            return Self.response(#"{"code":"message_deleted","detail":"no"}"#, status: 409)
        }
        return Self.response(
            #"{"status":"inserted","seq":\#(stored.seq),"messageId":"\#(stored.id)"}"#, status: 201)
    }

    private func page(_ id: String, _ query: String) -> ClientResponse {
        let fields = Dictionary(
            query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
                .map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }
        ) { $1 }
        let all = messages(in: id)
        let limit = fields["limit"].flatMap { Int($0) } ?? 50
        var end = all.count
        if let before = fields["before"] {
            guard let index = all.firstIndex(where: { $0.id == before }) else { return Self.gone }
            end = index
        } else if let around = fields["around"] {
            guard let index = all.firstIndex(where: { $0.id == around }) else { return Self.gone }
            end = min(all.count, index + limit / 2)
        }
        let start = max(0, end - limit)
        let next = start > 0 ? #","next":"\#(all[start].id)""# : ""
        // A page says how far a person's own messages have come, a frame does not.
        let shown = all[start..<end].reversed().map { message in
            var message = message
            if message.senderId == "ada" { message.status = "sent" }
            return message
        }
        return Self.response(
            #"{"messages":\#(Self.json(shown)),"hasOlder":\#(start > 0),"#
                + #""hasNewer":\#(end < all.count)\#(next)}"#)
    }
}
