import Foundation
import NexusClient
import NexusModel

/// The server's part of requests.
extension FakeServer {
    private struct Posted: Decodable {
        var text: String
        var localId: String?
        var replyTo: String?
        var threadRoot: String?
        var extra: JSONContent?
    }

    private struct Members: Encodable {
        var members: [ChatMember]
    }

    func reply(to request: ClientRequest) -> ClientResponse {
        let parts = request.path.split(separator: "?", maxSplits: 1)
        let path = parts[0].split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        if path == ["v1", "sync"] { return snapshot() }
        guard path.count > 2, path[1] == "conversations" else { return Self.problem(404, "not_found") }
        guard let place = state.withLock({ $0.places[path[2]] }) else {
            return Self.problem(403, "conversation_forbidden")
        }
        let query = URLComponents(string: request.path)?.queryItems ?? []
        switch (request.method, path.count > 3 ? path[3] : "", path.count) {
        case ("GET", "", _): return Self.json(Members(members: place.members))
        case ("GET", "receipts", _):
            return Self.json(ReceiptList(receipts: place.receipts.values.sorted { $0.userId < $1.userId }))
        case ("GET", "messages", 4): return Self.page(of: place.messages, query)
        case ("POST", "messages", 4): return post(request.body, in: path[2])
        case ("POST", "read", _): return read(request.body, in: path[2])
        case ("PUT", "preferences", _): return setPreferences(request.body, of: path[2])
        case ("PATCH", "messages", 5):
            let text = Self.value(request.body, as: [String: String].self)?["text"]
            return changed(text.map { text in edit(path[4], in: path[2]) { $0.text = text } } ?? false)
        case ("DELETE", "messages", 5): return changed(delete(path[4], in: path[2]))
        case ("PUT", "messages", 7), ("DELETE", "messages", 7):
            return changed(edit(path[4], in: path[2]) { self.react(path[6], isSet: request.method == "PUT", to: &$0) })
        default: return Self.problem(404, "not_found")
        }
    }

    private func snapshot() -> ClientResponse {
        state.withLock { state in
            guard let cursor = Self.cursor(state.log.count) else { return Self.problem(500, "internal") }
            let list = state.places.sorted { $0.key < $1.key }.map { Self.entry($0.key, $0.value, for: user) }
            return Self.json(ChatSnapshot(cursor: cursor, conversations: list, notifications: []))
        }
    }

    private func post(_ body: Data?, in id: String) -> ClientResponse {
        guard let posted = Self.value(body, as: Posted.self) else { return Self.problem(400, "invalid_field") }
        let known = posted.localId.flatMap { local in messages(in: id).first { $0.localId == local } }
        let message =
            known
            ?? self.post(posted.text, by: user, in: id) { message in
                message.localId = posted.localId
                (message.replyTo, message.threadRoot) = (posted.replyTo, posted.threadRoot)
                message.extra = posted.extra
            }
        guard let message else { return Self.problem(403, "conversation_forbidden") }
        return Self.json(
            MessageOutcome(
                status: known == nil ? .inserted : .unchanged, seq: message.seq, messageId: message.id,
                localId: message.localId), status: known == nil ? 201 : 200)
    }

    private func read(_ body: Data?, in id: String) -> ClientResponse {
        guard let last = Self.value(body, as: [String: String].self)?["upTo"] else {
            return Self.problem(400, "invalid_field")
        }
        read(upTo: last, by: user, in: id)
        return Self.json(state.withLock { $0.places[id]?.receipts[user] })
    }

    private func setPreferences(_ body: Data?, of id: String) -> ClientResponse {
        guard let wanted = Self.value(body, as: ChatPreferences.self) else { return Self.problem(400, "invalid_field") }
        change { state in
            state.places[id]?.preferences = wanted
            return state.places[id].map { [Self.conversation(id, $0, for: user)] } ?? []
        }
        return Self.json(wanted)
    }

    private func react(_ emoji: String, isSet: Bool, to message: inout ChatMessage) {
        let people = message.reactions.first { $0.isOf(emoji) }?.userIds.filter { $0 != user } ?? []
        message.reactions.removeAll { $0.isOf(emoji) }
        let next = isSet ? people + [user] : people
        if !next.isEmpty { message.reactions.append(.init(emoji: emoji, userIds: next)) }
    }

    private func changed(_ isDone: Bool) -> ClientResponse {
        isDone ? Self.json([String: String]()) : Self.problem(404, "message_not_found")
    }

    private static func page(of all: [ChatMessage], _ query: [URLQueryItem]) -> ClientResponse {
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let limit = value("limit").flatMap { Int($0) } ?? 50
        var end = all.count
        if let before = value("before") ?? value("around") {
            guard let index = all.firstIndex(where: { $0.id == before }) else {
                return problem(404, "message_not_found")
            }
            end = value("before") == nil ? min(all.count, index + limit / 2) : index
        }
        var first: Int?
        if let time = value("at").flatMap({ TimeText.date($0) }) {
            first = all.firstIndex { $0.timestamp >= time }
            end = first.map { min(all.count, $0 + limit / 2) } ?? all.count
        }
        let start = max(0, end - limit)
        return json(
            MessagePage(
                messages: all[start..<end].reversed(), next: start > 0 ? all[start].id : nil, hasOlder: start > 0,
                hasNewer: end < all.count, firstId: first.map { all[$0].id }))
    }

    private static func value<Value: Decodable>(_ body: Data?, as _: Value.Type) -> Value? {
        body.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    private static func json(_ value: some Encodable, status: Int = 200) -> ClientResponse {
        ClientResponse(
            status: status, headers: ["content-type": "application/json"],
            body: (try? JSONEncoder().encode(value)) ?? Data())
    }

    private static func problem(_ status: Int, _ code: String) -> ClientResponse {
        json(ChatProblem(status: status, code: code, detail: ""), status: status)
    }
}
