import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import ServerTestSupport
import TestSupport
import Testing

/// What somebody tries who may not read a conversation, in which everything holds the secret.
struct CanaryWalk: Sendable {
    static let secret = "hush"

    /// The conversation, of which Mal knows only what he guesses.
    let place: ConversationID
    /// One of its messages.
    let message: MessageID

    private var encodedPlace: String { MessageLink.encoded(place.rawValue) }
    private var encodedMessage: String { MessageLink.encoded(message.rawValue) }

    func post(
        _ id: String, _ text: String, file: String? = nil, replyTo: String? = nil, in place: String? = nil,
        as user: String, to world: StoredServer
    ) async throws {
        var fields = [#""id":"\#(id)""#, #""text":"\#(text)""#, #""senderId":"\#(user)""#]
        if let file { fields.append(#""attachments":["\#(file)"]"#) }
        if let replyTo { fields.append(#""replyTo":"\#(replyTo)""#) }
        let reply = try await world.send(
            "POST", "/v1/conversations/\(place ?? "\(self.place)")/messages", "{" + fields.joined(separator: ",") + "}",
            as: user)
        #expect(reply.status == 201, "\(reply.text)")
    }

    /// Tries every route with the names of what is foreign; nobody's guess is answered.
    func walk(_ world: StoredServer, as user: String, _ known: [String: String]) async throws {
        let values = known.merging(
            [
                ":conversation": encodedPlace, ":message": encodedMessage, ":user": "bob", ":project": "p",
                ":region": "r",
                ":model": "nexus", ":item": "i1", ":emoji": "x",
            ]
        ) { first, _ in first }
        var walked = 0
        for route in world.routes where ![.admin, .source].contains(route.access) {
            guard !["followFeed", "openSocket"].contains(route.operationID) else { continue }
            walked += 1
            let parts = route.path.split(separator: "/").map { values[String($0)] ?? String($0) }
            let body = RouteAccessTests.bodies[route.operationID]?.replacing(#""q""#, with: #""pier""#)
            let reply = try await world.send(
                route.method.rawValue, "/" + parts.joined(separator: "/"), body, as: user)
            let name = "\(user): \(route.method.rawValue) \(route.path): \(reply.status) \(reply.text)"
            expectNothing(reply.text, of: user, name)
            #expect(reply.status < 500, "\(name)")
            if [":conversation", ":file", ":thread", ":turn", ":response", ":device"].contains(where: {
                route.path.contains($0)
            }) {
                // It takes something from the person's list, also after they left.
                let isOwnList = route.operationID == "endSaving"
                #expect(isOwnList ? reply.status == 204 : [403, 404].contains(reply.status), "\(name)")
            }
        }
        #expect(walked > 80)
    }

    /// Looks for what is foreign where it would be if a list or a search went wrong.
    func look(_ world: StoredServer, as user: String, file: String) async throws {
        let lobby = "/v1/conversations/lobby/messages"
        let requests: [(String, String, String?)] = [
            ("GET", "/v1/sync", nil), ("GET", "/v1/notifications", nil), ("GET", "/v1/conversations", nil),
            ("GET", "/v1/conversations?q=hus", nil), ("GET", "/v1/conversations?q=pier", nil),
            ("GET", lobby + "?around=\(encodedMessage)", nil), ("GET", lobby + "?after=\(encodedMessage)", nil),
            ("GET", lobby + "/\(encodedMessage)", nil), ("GET", lobby + "/\(encodedMessage)/receipts", nil),
            ("GET", lobby + "/\(encodedMessage)/reactions", nil), ("GET", lobby + "/\(encodedMessage)/replies", nil),
            ("POST", "/v1/conversations/lobby/read", #"{"upTo":"\#(message)"}"#),
            ("POST", "/v1/search", #"{"query":"hushbytes of the pier","topK":50}"#),
            ("POST", "/v1/search", #"{"query":"hushplan","topK":50,"conversationIds":["lobby"]}"#),
            ("POST", "/v1/timeline", #"{"subject":"hushplan of the pier","conversationIds":["lobby"]}"#),
            ("POST", "/ragSearch", #"{"data":{"query":"pier"}}"#), ("POST", "/v1/ask", #"{"question":"pier"}"#),
            ("GET", "/v1/action-items?limit=200", nil), ("GET", "/v1/turns", nil), ("GET", "/v1/threads", nil),
        ]
        for (method, path, body) in requests {
            let reply = try await world.send(method, path, body, as: user)
            expectNothing(reply.text, of: user, "\(user): \(method) \(path): \(reply.text)")
        }
        try await expectNoFile(file, world, user)
    }

    /// Expects that a file is like an unknown one: to be read, to be read in part, and to be attached.
    func expectNoFile(_ file: String, _ world: StoredServer, _ user: String) async throws {
        let unknown = try await world.send("GET", "/v1/files/unknown", as: user)
        for headers in [[], [("Range", "bytes=0-3")], [("If-None-Match", "*")]] as [[(name: String, value: String)]] {
            let got = try await world.send("GET", "/v1/files/\(file)", as: user, headers: headers)
            #expect(got.status == 404 && got.text == unknown.text, "\(user): \(got.text)")
        }
        #expect(try await world.send("HEAD", "/v1/files/\(file)", as: user).status == 404)
        let lobby = "/v1/conversations/lobby/messages"
        let own = UUID().uuidString
        try await post(own, "see", in: "lobby", as: user, to: world)
        for id in [file, "unknown"] {
            let text = #"{"text":"x","attachments":["\#(id)"]}"#
            let posted = try await world.send("POST", lobby, text, as: user)
            let edited = try await world.send("PATCH", lobby + "/\(own)", text, as: user)
            #expect(statuses(posted, edited) == [400, 400], "\(user): \(posted.text) \(edited.text)")
            #expect(posted.field("field") == "attachments" && !posted.text.contains(Self.secret))
            #expect(edited.field("field") == "attachments" && !edited.text.contains(Self.secret))
        }
    }

    /// Expects no secret, and for Mal not even the conversation's id.
    func expectNothing(_ text: String, of user: String, _ name: String) {
        #expect(!text.contains(Self.secret), "\(name)")
        if user == "mal" { #expect(!text.contains("\(place)"), "\(name)") }
    }
}

/// What a person's devices hear: a stream and a socket, after a position.
struct Ears {
    let stream: FeedReader
    let socket: SocketClient
    /// What the socket heard while its session began.
    private var heardFirst = ""

    init(_ world: StoredServer, of user: String, after cursor: String) async throws {
        stream = try await FeedReader(world.server, "?cursor=\(cursor)", headers: [("X-Nexus-User", user)])
        #expect(try await stream.stream() != "")
        socket = try await SocketClient(port: world.server.port)
        await socket.ask("GET /v1/socket?cursor=\(cursor) HTTP/1.1", changing: ["X-Nexus-User": user])
        #expect(await socket.reply()?.status == 101)
        // An answer shows that the session has begun.
        await socket.send(text: #"{"type":"bad"}"#)
        heardFirst = await hearSocket(until: "invalid_field")
    }

    /// Returns everything that both hear until a word comes on each.
    mutating func hear(until word: String) async throws -> String {
        var heard = heardFirst
        heardFirst = ""
        if !heard.contains(word) { heard += await hearSocket(until: word) }
        while let event = try await stream.next() {
            heard += event.name + event.text
            if event.text.contains(word) { return heard }
        }
        Issue.record("the stream ended before \(word)")
        return heard
    }

    private func hearSocket(until word: String) async -> String {
        var heard = ""
        while let frame = await socket.frame(), frame.opcode != SocketClient.close {
            guard frame.opcode == SocketClient.text else { continue }
            heard += frame.text
            if frame.text.contains(word) { return heard }
        }
        Issue.record("the socket ended before \(word)")
        return heard
    }
}
