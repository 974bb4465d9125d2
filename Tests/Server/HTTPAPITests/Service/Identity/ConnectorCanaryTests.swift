import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import ServerTestSupport
import TestSupport
import Testing

/// Who left a room in its source gets nothing of it: no text, no file, no word of a document, by any route, answer, item,
/// tool, frame or push.
///
/// The room is one of Matrix, and everything in it comes through the connector. Eve was in the room and left there; Mal
/// never was. What came since then holds the secret.
@Suite(.hangGuard) struct ConnectorCanaryTests {
    private static let secret = CanaryWalk.secret
    private static let path = "/v1/conversations/" + MessageLink.encoded("\(ConnectedRoom.conversation)")
    private static let walk = CanaryWalk(place: ConnectedRoom.conversation, message: "$hushid1")
    private static let bytes = "%PDF-1.7 hushbytes of the pier"

    /// Connects a room of Ada, Bob and Eve, who have accounts here, too; and makes a conversation of all.
    private static func furnish(_ world: StoredServer) async throws -> ConnectedRoom {
        let members = ["ada", "bob", "eve", "mal"].map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
        let made = try await world.send(
            "POST", "/v1/conversations", #"{"id":"lobby","name":"lobby","members":[\#(members)]}"#, as: "ada")
        #expect(made.status == 201, "\(made.text)")
        let room = try ConnectedRoom(world.store, clock: world.clock)
        try await room.compare()
        for user in ["ada", "bob", "eve"] {
            _ = try await world.store.map(
                Identity(
                    source: "matrix", externalID: "matrix-\(SmallHomeserver.person(user))",
                    userID: UserID(rawValue: user)), at: world.clock.now())
        }
        #expect(await room.say("the pier", by: "eve"))
        for user in ["bob", "eve", "mal"] {
            let device = #"{"kind":"webhook","url":"https://gateway.example/n","pushkey":"key-\#(user)","appId":"a"}"#
            #expect(try await world.send("POST", "/v1/devices", device, as: user).status == 201)
        }
        return room
    }

    /// Lets people write, send files and ask; returns what belongs to Bob alone, and the files.
    private static func fill(
        _ room: ConnectedRoom, _ world: StoredServer
    ) async throws -> (known: [String: String], files: [String]) {
        #expect(await room.deliver(room.home.setMember("ada", "join", shown: "hushada")))
        #expect(
            await room.deliver(room.home.set("m.room.name", #"{"name":"hushname"}"#, by: SmallHomeserver.person("ada")))
        )
        #expect(await room.say("hushtext @Bob @Eve of the pier", id: "$hushid1", by: "ada"))
        let document = try #require(
            try await room.send(
                "hushplan.pdf", bytes, words: "The first leaf.\n\u{0C}The hushpage of the lagoon.",
                caption: "hushcaption of the pier", by: "ada"))
        let note = try #require(
            try await room.send("hushnote.txt", "The hushnote of the pier.", caption: "see", by: "bob"))
        try await world.embed()
        let thread = try await world.send("POST", "/v1/threads", "{}", as: "bob").field("id") ?? ""
        let extracted = try await world.send("POST", path + "/action-items/extract", "{}", as: "ada")
        #expect(extracted.status == 200, "\(extracted.text)")
        let answer = try await world.send(
            "POST", "/v1/ask", #"{"question":"lagoon pier","topK":20,"threadId":"\#(thread)"}"#, as: "bob")
        #expect(answer.status == 200)
        for word in ["hushtext", "hushpage", "hushnote", "hushcaption"] {
            #expect(answer.text.contains(word), "\(word)")
        }
        let turn = answer.field("turnId") ?? "none"
        let device = try #require(try await world.store.pushDevices(of: "bob").first?.id)
        return (
            [
                ":thread": thread, ":turn": turn, ":response": "resp_" + turn, ":device": "\(device)",
                ":file": document,
            ], [document, note]
        )
    }

    /// The searches and tools that find what is in the room for those who are.
    private static let searches: [(method: String, path: String, body: String)] = [
        ("POST", "/v1/search", #"{"query":"a page of the lagoon","topK":50,"explain":true}"#),
        ("POST", "/v1/search", #"{"query":"the note of the pier","topK":50}"#),
        ("POST", "/v1/ask", #"{"question":"a page of the lagoon","topK":20}"#),
        ("POST", "/ragSearch", #"{"data":{"query":"caption of the pier"}}"#),
        ("POST", "/ragQuery", #"{"data":{"question":"a page of the lagoon"}}"#),
        (
            "POST", "/v1/chat/completions",
            #"{"model":"nexus","messages":[{"role":"user","content":"a page of the lagoon"}]}"#
        ),
    ]

    /// Calls every tool and reads a resource as an assistant of a person does.
    private static func callTools(_ world: StoredServer, as user: String) async throws -> [(name: String, reply: Reply)]
    {
        let place = #""conversationId":"\#(ConnectedRoom.conversation)""#
        let calls = [
            "search_messages": #"{"query":"a page of the lagoon","topK":50}"#,
            "ask": #"{"question":"a page of the lagoon","topK":20}"#,
            "read_timeline": #"{"subject":"a page of the lagoon"}"#, "list_conversations": #"{"limit":200}"#,
            "get_conversation": #"{\#(place),"limit":100}"#, "summarize_conversation": "{\(place)}",
            "list_action_items": "{\(place)}", "list_decisions": "{\(place)}", "list_deadlines": "{\(place)}",
            "post_message": #"{"conversationId":"nowhere","text":"hello"}"#,
        ]
        let list = try await mcp(world, "tools/list", "{}", as: user)
        let names = list.text.matches(of: /"name":"(\w+)","outputSchema"/).map { String($0.output.1) }
        #expect(Set(names) == Set(calls.keys), "every tool is called")
        var replies: [(String, Reply)] = []
        for (name, arguments) in calls.sorted(by: { $0.key < $1.key }) {
            let params = #"{"name":"\#(name)","arguments":\#(arguments)}"#
            replies.append((name, try await mcp(world, "tools/call", params, as: user)))
        }
        let uri = "nexus:/" + path.dropFirst(3) + "/messages/%24hushid1"
        replies.append((uri, try await mcp(world, "resources/read", #"{"uri":"\#(uri)"}"#, as: user)))
        return replies
    }

    private static func mcp(
        _ world: StoredServer, _ method: String, _ params: String, as user: String
    ) async throws -> Reply {
        try await world.send(
            "POST", "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#, as: user)
    }

    /// Tries everything that shows the room to those who are in it.
    private static func expectNothing(
        of files: [String], _ known: [String: String], _ world: StoredServer, as user: String
    ) async throws {
        for (method, path, body) in searches {
            let reply = try await world.send(method, path, body, as: user)
            #expect(!reply.text.contains(secret), "\(user): \(path): \(reply.text)")
        }
        for (name, reply) in try await callTools(world, as: user) {
            // The address that was asked for.
            let heard = reply.text.replacing("%24hushid1", with: "")
            #expect(!heard.contains(secret), "\(user): \(name): \(reply.text)")
        }
        for file in files { try await walk.look(world, as: user, file: file) }
        try await walk.walk(world, as: user, known)
    }

    @Test func whoLeftTheRoomInTheSourceGetsNothingOfItByAnyWay() async throws {
        try await withStoredServer { world in
            let room = try await Self.furnish(world)
            let start = try await world.send("GET", "/v1/sync", as: "mal").field("cursor") ?? ""
            var mal = try await Ears(world, of: "mal", after: start)
            var eve = try await Ears(world, of: "eve", after: start)
            #expect(await room.deliver(room.home.setMember("eve", "leave")))
            _ = try await eve.hear(until: "departure")
            try await world.sendDue()
            let pushed = world.gateway.bodies.count

            let (known, files) = try await Self.fill(room, world)
            // Bob gets what the others must not, so that their silence says something.
            #expect(try await world.send("GET", "/v1/files/\(files[0])", as: "bob").text == Self.bytes)
            let page = try await world.send("GET", Self.path + "/messages?limit=100", as: "bob").text
            for word in ["hushtext", "hushplan.pdf", "hushnote.txt", "hushcaption", "hushada"] {
                #expect(page.contains(word), "\(word)")
            }
            let hits = try await world.send("POST", "/v1/search", Self.searches[0].body, as: "bob").text
            #expect(hits.contains("The hushpage of the lagoon.") && hits.contains(#""number":2"#), "\(hits)")
            let told = try await Self.callTools(world, as: "bob").filter { $0.reply.text.contains("The hushpage") }
            #expect(told.map(\.name).contains("search_messages") && told.map(\.name).contains("ask"))
            try await world.sendDue()
            let bodies = world.gateway.bodies.dropFirst(pushed)
            #expect(!bodies.isEmpty && bodies.allSatisfy { $0.contains("key-bob") })

            for user in ["eve", "mal"] { try await Self.expectNothing(of: files, known, world, as: user) }

            try await Self.walk.post("end", "goodnight", in: "lobby", as: "ada", to: world)
            for (user, text) in [
                ("mal", try await mal.hear(until: "goodnight")), ("eve", try await eve.hear(until: "goodnight")),
            ] { Self.walk.expectNothing(text, of: user, "what \(user) hears") }
        }
    }

    /// Also when the connector did not hear of it.
    @Test func whoLeftUnheardGetsNothingAfterTheNextComparison() async throws {
        try await withStoredServer { world in
            let room = try await Self.furnish(world)
            let (known, files) = try await Self.fill(room, world)
            #expect(try await world.send("GET", "/v1/files/\(files[1])", as: "eve").status == 200)
            _ = room.home.setMember("eve", "leave")
            try await room.compare()

            try await Self.expectNothing(of: files, known, world, as: "eve")
            #expect(try await world.send("GET", "/v1/files/\(files[1])", as: "bob").status == 200)
        }
    }

    /// When Nexus is removed, it does not hear any more who leaves, so nobody reads the room.
    @Test func nobodyGetsAnythingOfARoomThatNexusLeft() async throws {
        try await withStoredServer { world in
            let room = try await Self.furnish(world)
            let (known, files) = try await Self.fill(room, world)
            #expect(await room.deliver(room.home.setMember("nexus", "leave")))

            var own = known
            // Bob's own thread and devices stay his.
            for name in [":thread", ":turn", ":response", ":device"] { own[name] = nil }
            for file in files {
                #expect(try await world.send("GET", "/v1/files/\(file)", as: "bob").status == 404)
                #expect(try await world.send("GET", "/v1/files/\(file)", as: "ada").status == 404)
            }
            for (method, path, body) in Self.searches {
                let reply = try await world.send(method, path, body, as: "bob").text
                #expect(!reply.contains("The hushpage") && !reply.contains("The hushnote"), "\(path)")
            }
            for (name, reply) in try await Self.callTools(world, as: "bob") {
                #expect(!reply.text.contains("The hushpage") && !reply.text.contains("hushtext"), "\(name)")
            }
            let turns = try await world.send("GET", "/v1/turns?limit=200", as: "bob").text
            #expect(!turns.contains("hushtext") && !turns.contains("The hushpage"))
        }
    }
}
