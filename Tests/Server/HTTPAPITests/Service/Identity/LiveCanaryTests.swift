import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import LiveChat
import MessageStore
import ServerTestSupport
import TestSupport
import Testing

/// Nobody gets anything of a conversation that he or she may not read: over the real store, by every route, frame, file
/// and push.
///
/// Eve was a member of the conversation and left; Mal never was. Everything that is there since then holds the secret:
/// texts, names of files and their bytes, message ids, and the names of members.
@Suite(.hangGuard) struct LiveCanaryTests {
    private static let secret = CanaryWalk.secret
    /// The conversation, of which Mal knows only what he guesses.
    private static let place: ConversationID = "placeq7"
    private static let path = "/v1/conversations/\(place)"
    private static let walk = CanaryWalk(place: place, message: "hushid1")
    private static let fileName = "hushplan.txt"
    private static let bytes = "hushbytes of the pier"

    /// Makes the conversation, which Eve leaves, and one of all; and a device for each.
    private static func furnish(_ world: StoredServer) async throws {
        func make(_ id: String, _ members: String) async throws {
            let made = try await world.send(
                "POST", "/v1/conversations", #"{"id":"\#(id)","name":"\#(id)","members":[\#(members)]}"#, as: "ada")
            #expect(made.status == 201, "\(made.text)")
        }
        try await make("lobby", ["ada", "bob", "eve", "mal"].map { #"{"userId":"\#($0)"}"# }.joined(separator: ","))
        try await make("\(place)", #"{"userId":"ada","name":"hushada"},{"userId":"bob"},{"userId":"eve"}"#)
        try await walk.post("early", "the pier", in: "\(place)", as: "eve", to: world)
        for user in ["bob", "eve", "mal"] {
            let device = #"{"kind":"webhook","url":"https://gateway.example/n","pushkey":"key-\#(user)","appId":"a"}"#
            #expect(try await world.send("POST", "/v1/devices", device, as: user).status == 201)
        }
    }

    private static func leave(_ user: String, _ world: StoredServer) async throws {
        world.clock.advance(by: .seconds(1))
        let left = try await world.send("DELETE", path + "/members/\(user)", as: user)
        #expect(left.status == 204, "\(left.text)")
        world.clock.advance(by: .seconds(1))
    }

    private static func upload(_ world: StoredServer) async throws -> String {
        let reply = try await world.send(
            "POST", "/v1/files?name=\(fileName)", bytes, as: "ada", headers: [("Content-Type", "text/plain")])
        return try #require(reply.field("id"))
    }

    /// Does everything that leaves something in the conversation; returns what belongs to Bob alone.
    private static func fill(_ world: StoredServer, file: String) async throws -> [String: String] {
        try await walk.post(
            "hushid1", "hushtext @eve @mal @bob of the pier", file: file, replyTo: "early", as: "ada", to: world)
        try await walk.post("hushid2", "hushtext again", replyTo: "hushid1", as: "bob", to: world)
        let thread = try await world.send("POST", "/v1/threads", "{}", as: "bob").field("id") ?? ""
        try await world.embed()
        let requests: [(String, String, String?, String)] = [
            ("PUT", path + "/messages/hushid1/reactions/%F0%9F%91%8D", nil, "bob"),
            ("POST", path + "/read", #"{"upTo":"hushid1"}"#, "bob"),
            ("PATCH", path + "/messages/hushid2", #"{"text":"hushtext, edited"}"#, "bob"),
            ("PUT", path + "/name", #"{"name":"hushname"}"#, "ada"),
            ("PUT", path + "/members/bob/role", #"{"role":"admin"}"#, "ada"),
            ("POST", path + "/action-items/extract", "{}", "ada"),
        ]
        for (method, path, body, user) in requests {
            let reply = try await world.send(method, path, body, as: user)
            #expect((200...204).contains(reply.status), "\(method) \(path): \(reply.text)")
        }
        let answer = try await world.send(
            "POST", "/v1/ask", #"{"question":"pier","threadId":"\#(thread)"}"#, as: "bob")
        #expect(answer.status == 200 && answer.text.contains(secret), "\(answer.text)")
        let devices = try await world.store.pushDevices(of: "bob")
        let turn = answer.field("turnId") ?? "none"
        return [
            ":thread": thread, ":turn": turn, ":response": "resp_" + turn,
            ":device": "\(try #require(devices.first?.id))",
            ":file": file,
        ]
    }

    @Test func nothingOfAForeignConversationIsHeardByAnyWay() async throws {
        try await withStoredServer { world in
            try await Self.furnish(world)
            let start = try await world.send("GET", "/v1/sync", as: "mal").field("cursor") ?? ""
            var mal = try await Ears(world, of: "mal", after: start)
            var eve = try await Ears(world, of: "eve", after: start)
            var bob = try await Ears(world, of: "bob", after: start)
            for socket in [eve.socket, bob.socket] {
                await socket.send(text: #"{"type":"open","conversationId":"\#(Self.place)"}"#)
            }
            try await Self.leave("eve", world)
            _ = try await eve.hear(until: "departure")

            let file = try await Self.upload(world)
            for user in ["eve", "mal", "bob"] { try await Self.walk.expectNoFile(file, world, user) }
            let known = try await Self.fill(world, file: file)
            let typing = try await FeedReader(world.server, of: "ada")
            let typed = try await world.send(
                "POST", "/v1/feed/say",
                #"{"stream":"\#(try await typing.stream())","type":"typing","conversationId":"\#(Self.place)"}"#,
                as: "ada")
            let asked = try await world.send(
                "POST", Self.path + "/assistant", #"{"text":"what of the pier?"}"#, as: "bob")
            // Bob hears what the others must not, so that their silence says something.
            let heard = try await bob.hear(until: #""conversationId":"\#(Self.place)","done":true"#)
            #expect(typed.status == 204 && asked.status == 200, "\(asked.text)")
            for word in [#""type":"typing""#, "delta", "hushtext", "hushid1", Self.fileName, "hushada", "hushname"] {
                #expect(heard.contains(word), "\(word)")
            }
            #expect(try await world.send("GET", "/v1/files/\(file)", as: "bob").text == Self.bytes)
            let before = try await Self.view(world)

            for user in ["eve", "mal"] {
                try await Self.walk.look(world, as: user, file: file)
                try await Self.walk.walk(world, as: user, known)
            }

            #expect(try await Self.view(world) == before)
            try await Self.walk.post("end", "goodnight", in: "lobby", as: "ada", to: world)
            for (user, text) in [
                ("mal", try await mal.hear(until: "goodnight")), ("eve", try await eve.hear(until: "goodnight")),
            ] { Self.walk.expectNothing(text, of: user, "what \(user) hears") }
            for user in ["eve", "mal"] {
                var late = try await Ears(world, of: user, after: start)
                Self.walk.expectNothing(try await late.hear(until: "goodnight"), of: user, "what \(user) hears later")
            }
        }
    }

    /// What Bob sees of the conversation.
    private static func view(_ world: StoredServer) async throws -> [String] {
        var texts: [String] = []
        for rest in ["", "/messages", "/receipts", "/messages/hushid1/receipts", "/messages/hushid1/reactions"] {
            let reply = try await world.send("GET", path + rest, as: "bob")
            #expect(reply.status == 200)
            texts.append(reply.text)
        }
        return texts
    }

    @Test func filesAreGoneForWhoLeftAndWithTheirMessage() async throws {
        try await withStoredServer { world in
            try await Self.furnish(world)
            try await Self.leave("eve", world)
            let files = [try await Self.upload(world), try await Self.upload(world)]
            for (number, file) in files.enumerated() {
                try await Self.walk.post("hushid\(number)", "hushtext", file: file, as: "ada", to: world)
                #expect(try await world.send("GET", "/v1/files/\(file)", as: "bob").status == 200)
            }
            let deleted = try await world.send("DELETE", Self.path + "/messages/hushid0", as: "ada")
            #expect(deleted.status == 204)
            for user in ["ada", "bob", "eve", "mal"] { try await Self.walk.expectNoFile(files[0], world, user) }

            try await Self.leave("bob", world)
            for user in ["bob", "eve", "mal"] { try await Self.walk.expectNoFile(files[1], world, user) }
            #expect(try await world.send("GET", "/v1/files/\(files[1])", as: "ada").text == Self.bytes)

            _ = try await world.store.erase(.conversation(Self.place), at: world.clock.now())
            while try await !world.store.finishErasing(.conversation(Self.place), at: .second(1_000)) {}
            for user in ["ada", "bob"] { try await Self.walk.expectNoFile(files[1], world, user) }
        }
    }

    @Test(arguments: [PushDetail.ids, .text])
    func aPushSaysLittleAndNothingToWhoMayNoLongerRead(detail: PushDetail) async throws {
        try await withStoredServer(detail: detail) { world in
            try await Self.furnish(world)
            try await Self.leave("eve", world)
            let file = try await Self.upload(world)
            try await Self.walk.post(
                "hushid1", "hushtext @bob @eve @mal", file: file, replyTo: "early", as: "ada", to: world)
            try await world.sendDue()
            let first = world.gateway.bodies
            #expect(first.count == 1 && first.allSatisfy { $0.contains("key-bob") && $0.contains("hushid1") })
            for word in ["hushtext", "hushada"] {
                #expect(first.contains { $0.contains(word) } == (detail == .text), "\(word)")
            }
            #expect(!first.contains { $0.contains("hushbytes") || $0.contains(Self.fileName) })

            // Deleted, or no longer said to Bob, before it is sent.
            try await Self.walk.post("hushid2", "hushtext @bob", as: "ada", to: world)
            try await Self.walk.post("hushid3", "hushtext @bob", as: "ada", to: world)
            _ = try await world.send("DELETE", Self.path + "/messages/hushid2", as: "ada")
            _ = try await world.send("PATCH", Self.path + "/messages/hushid3", #"{"text":"hushtext"}"#, as: "ada")
            try await world.sendDue()
            #expect(world.gateway.bodies.count == 1)

            // The service was busy, and Bob has left when it is tried again.
            world.gateway.answer(503)
            try await Self.walk.post("hushid4", "hushtext @bob", as: "ada", to: world)
            try await world.sendDue()
            #expect(world.gateway.bodies.count == 2)
            world.gateway.answer(200)
            try await Self.walk.post("hushid5", "hushtext @bob", as: "ada", to: world)
            try await Self.leave("bob", world)
            try await world.sendDue(after: .seconds(3_600))
            #expect(world.gateway.bodies.count == 2)

            // A conversation that is erased before.
            let direct = try await world.send("POST", "/v1/direct", #"{"with":"bob"}"#, as: "ada").field("id") ?? ""
            try await Self.walk.post("hushid6", "hushtext", in: direct, as: "ada", to: world)
            let subject = ErasureSubject.conversation(ConversationID(rawValue: direct))
            _ = try await world.store.erase(subject, at: world.clock.now())
            while try await !world.store.finishErasing(subject, at: .second(1_000)) {}
            try await world.sendDue()
            #expect(world.gateway.bodies.count == 2)
        }
    }
}
