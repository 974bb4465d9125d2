import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// Requests beyond writing and reading messages.
@Suite(.hangGuard) @MainActor struct ReachTests {
    /// 1 January 2030, 09:00 UTC.
    private static let time = Date(timeIntervalSince1970: 1_893_488_400)

    /// The request that a call makes, as method, path and body.
    private func request(
        _ reply: String = "{}", _ call: (NexusSession) async throws -> Void
    ) async throws -> String {
        let transport = FakeTransport { _ in ChatFixture.json(reply) }
        let session = NexusSession(transport: transport, user: "ada", device: "d", timing: VirtualTime().timing)
        try await call(session)
        let made = try #require(transport.requests.last)
        let body = made.body.flatMap { try? JSONSerialization.jsonObject(with: $0) }
            .flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
        return "\(made.method) \(made.path)" + (body.map { " " + String(decoding: $0, as: UTF8.self) } ?? "")
    }

    private static let preferences = #"{"muted":true,"archived":false,"pinned":false}"#
    private static let device = #"{"id":"x","kind":"fcm","registeredAt":"2026-10-07T10:00:00Z"}"#
    private static let settings = #"{"hideReadReceipts":true,"hideLastSeen":false}"#

    @Test func everyFunctionHasItsRequest() async throws {
        let place = "/v1/conversations/a%20b"
        #expect(try await request { try await $0.addMember("cleo", to: "a b") } == "PUT \(place)/members/cleo {}")
        #expect(try await request { try await $0.removeMember("cleo", from: "a b") } == "DELETE \(place)/members/cleo")
        #expect(try await request { try await $0.leave("a b") } == "DELETE \(place)/members/ada")
        #expect(
            try await request { try await $0.setRole(.administrator, of: "ben", in: "a b") }
                == #"PUT \#(place)/members/ben/role {"role":"admin"}"#)
        #expect(try await request { try await $0.rename("a b", to: "X") } == #"PUT \#(place)/name {"name":"X"}"#)
        #expect(
            try await request { try await $0.setHistory(.joined, of: "a b") }
                == #"PUT \#(place)/history {"history":"joined"}"#)
        #expect(
            try await request(Self.preferences) { try await $0.changePreferences(of: "a b") { $0.muted = true } }
                == #"PUT \#(place)/preferences {"archived":false,"muted":true,"pinned":false}"#)
        #expect(
            try await request { try await $0.markUnread(from: "m5", in: "a b") }
                == #"POST \#(place)/unread {"from":"m5"}"#)
        #expect(
            try await request(#"{"messages":[]}"#) { _ = try await $0.replies(to: "m5", in: "a b") }
                == "GET \(place)/messages/m5/replies?limit=50")
        #expect(
            try await request(#"{"members":[]}"#) { _ = try await $0.members(of: "a b", after: "ben", limit: 9) }
                == "GET \(place)/members?limit=9&after=ben")
        #expect(
            try await request(#"{"people":[]}"#) { _ = try await $0.people(matching: "Ann L") }
                == "GET /v1/people?q=Ann%20L&limit=20")
        #expect(try await request { try await $0.save("m 5", in: "a b") } == "PUT \(place)/messages/m%205/saved")
        #expect(try await request { try await $0.endSaving("m5", in: "a b") } == "DELETE \(place)/messages/m5/saved")
        #expect(
            try await request(#"{"messages":[]}"#) { _ = try await $0.savedMessages(before: 7, limit: 9) }
                == "GET /v1/saved?limit=9&before=7")
        #expect(
            try await request(#"{"messages":[]}"#) { _ = try await $0.savedMessages(reminders: true) }
                == "GET /v1/saved?limit=50&reminders=true")
        #expect(
            try await request { try await $0.remind(of: "m5", in: "a b", at: Self.time) }
                == #"PUT \#(place)/messages/m5/saved {"remindAt":"2030-01-01T09:00:00.000Z"}"#)
        #expect(
            try await request { try await $0.remind(of: "m5", in: "a b", at: nil) }
                == #"PUT \#(place)/messages/m5/saved {"remindAt":null}"#)
        #expect(
            try await request { try await $0.dismissNotifications([7]) }
                == #"POST /v1/notifications/dismiss {"ids":[7]}"#)
        #expect(
            try await request { try await $0.dismissAllNotifications() }
                == #"POST /v1/notifications/dismiss {"all":true}"#)
        #expect(
            try await request(Self.settings) { try await $0.setSettings(ChatSettings(hideReadReceipts: true)) }
                == #"PUT /v1/settings {"hideLastSeen":false,"hideReadReceipts":true}"#)
        #expect(
            try await request { try await $0.changePassword(from: "old", to: "new") }
                == #"PUT /v1/account/password {"current":"old","new":"new"}"#)
    }

    @Test func schedulesMessages() async throws {
        let scheduled = """
            {"id":"s 1","conversationId":"a b","text":"x","sendAt":"2030-01-01T09:00:00Z","createdAt":"2029-01-01T09:00:00Z"}
            """
        #expect(
            try await request(scheduled) {
                try await $0.schedule("x", in: "a b", at: Self.time, replyTo: "m5", id: "s 1")
            }
                == #"""
                POST /v1/conversations/a%20b/scheduled \#
                {"id":"s 1","replyTo":"m5","sendAt":"2030-01-01T09:00:00.000Z","text":"x"}
                """#)
        #expect(
            try await request(scheduled) { try await $0.changeScheduled("s 1", text: "y") }
                == #"PATCH /v1/scheduled/s%201 {"text":"y"}"#)
        #expect(
            try await request(#"{"messages":[],"limit":100}"#) { _ = try await $0.scheduledMessages() }
                == "GET /v1/scheduled")
        #expect(
            try await request(#"{"messages":[],"limit":100}"#) {
                _ = try await $0.scheduledMessages(after: "a b", limit: 5)
            } == "GET /v1/scheduled?limit=5&after=a%20b")
        #expect(try await request { try await $0.sendScheduled("s 1") } == "POST /v1/scheduled/s%201/send")
        #expect(try await request { try await $0.deleteScheduled("s 1") } == "DELETE /v1/scheduled/s%201")
    }

    @Test func registersForPushAndEndsThatWhenThePersonSignsOut() async throws {
        let registration = PushRegistration.apns(token: [0, 0xAB], topic: "com.example.chat")
        #expect(
            try await request(Self.device) { try await $0.registerForPush(registration) }
                == #"POST /v1/devices {"kind":"apns","token":"00ab","topic":"com.example.chat"}"#)
        let last = try await request(Self.device) { session in
            try await session.registerForPush(.fcm(token: "t"))
            #expect(try await session.signOut())
        }
        #expect(last == "DELETE /v1/devices/x")
    }

    @Test func requestsThatTheLibraryDoesNotKnowArePossible() async throws {
        struct Pin: Codable { var pin: String }
        let last = try await request(#"{"pin":"m1"}"#) { session in
            let made: Pin = try await session.request(
                "POST", ["conversations", "a/b", "pins"], query: ["x": "1 2", "y": nil], body: Pin(pin: "m1"))
            #expect(made.pin == "m1")
        }
        #expect(last == #"POST /v1/conversations/a%2Fb/pins?x=1%202 {"pin":"m1"}"#)
        #expect(try await request { try await $0.request("DELETE", ["pins", "m1"]) } == "DELETE /v1/pins/m1")
    }

    @Test func aMessageIsSentWithAllThatItCanHave() async throws {
        let chat = ChatFixture()
        try await chat.run {
            await chat.session.send(
                OutgoingDraft(
                    "hello", threadRoot: "m1", attachments: ["f1"], extra: ["color": .string("blue")]), to: "pier")
            try await chat.wait { await chat.session.waitingCount == 0 }
        }
        let body = chat.transport.requests.last { $0.path.hasSuffix("/messages") }?.body
        let fields = try #require(try body.map { try JSONDecoder().decode(JSONContent.self, from: $0) })
        #expect(
            fields
                == .object([
                    "text": .string("hello"), "localId": .string("local-1"), "threadRoot": .string("m1"),
                    "attachments": .array([.string("f1")]), "extra": .object(["color": .string("blue")]),
                ]))
    }

    @Test func notificationsFollowTheFeedAndAreKept() async throws {
        func notification(_ id: Int) -> String {
            #"{"id":\#(id),"kind":"mention","conversationId":"pier","messageId":"m\#(id)","senderId":"ben","#
                + #""senderName":"Ben","text":"words","createdAt":"2026-10-07T10:00:00Z","quiet":false}"#
        }
        let chat = ChatFixture()
        try await chat.run {
            for id in [1, 2, 2] { chat.say(#"{"type":"notification","notification":\#(notification(id))}"#) }
            try await chat.wait { await chat.session.state.notifications.map(\.id) == [2, 1] }
            let next = NexusSession(
                transport: chat.transport, user: "ada", device: "e", store: chat.session.store,
                timing: VirtualTime().timing)
            try await next.restore()
            #expect(await next.state.notifications.map(\.id) == [2, 1])
            chat.say(#"{"type":"notifications","notifications":[\#(notification(1))]}"#, #"{"type":"devices"}"#)
            try await chat.wait { await chat.session.state.notifications.map(\.id) == [1] }
        }
    }

    @Test func filesGoUpAndComeDown() async throws {
        let folder = try TemporaryFolder()
        let (file, copy) = (folder.url.appending(path: "plan b.txt"), folder.url.appending(path: "copy"))
        try Data("words".utf8).write(to: file)
        let transport = FakeTransport { request in
            guard request.method == "POST" else {
                return request.path == "/v1/files/f1"
                    ? ClientResponse(status: 200, headers: ["content-length": "5"], body: Data("words".utf8))
                    : ChatFixture.json(#"{"code":"file_not_found"}"#, status: 404)
            }
            return ChatFixture.json(
                #"{"id":"f1","name":"n","mediaType":"text/plain","byteCount":5,"sha256":""}"#, status: 201)
        }
        let session = NexusSession(transport: transport, user: "ada", device: "d", timing: VirtualTime().timing)
        let shares = Mutex<[Double]>([])
        let uploaded = try await session.upload(file, mediaType: "text/plain") { share in
            shares.withLock { $0.append(share) }
        }
        #expect(transport.requests[0].path == "/v1/files?name=plan%20b.txt")
        #expect(transport.requests[0].body == Data("words".utf8))
        try await session.download(uploaded.id, to: copy) { share in shares.withLock { $0.append(share) } }
        #expect(try Data(contentsOf: copy) == Data("words".utf8) && shares.withLock { $0 } == [1, 1])
        let error = await #expect(throws: SessionError.self) { try await session.download("f2", to: copy) }
        #expect(error?.sentence.key == "nexus.error.missing")
    }
}
