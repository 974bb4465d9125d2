import Foundation
import NexusModel
import Testing

/// Reads the messages of Tests/Fixtures/Wire, which the server's tests compare with what the server writes.
struct WireTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fixtures/Wire")

    private func data(_ name: String) throws -> Data {
        try Data(contentsOf: Self.folder.appending(path: name + ".json"))
    }

    @Test func readsASnapshot() throws {
        let snapshot = try JSONDecoder().decode(ChatSnapshot.self, from: data("sync"))

        let harbor = try #require(snapshot.conversations.first)
        #expect(snapshot.cursor == FeedCursor("2f-7") && snapshot.conversations.count == 1)
        #expect(harbor.id == "harbor" && harbor.kind == "direct" && harbor.name == "Ben" && harbor.head == 3)
        #expect(harbor.lastMessage?.text == "The crane is ready")
        #expect(harbor.readSeq == 1 && harbor.unreadCount == 2 && harbor.mentionCount == 1)
        #expect(harbor.firstUnreadId == "m2" && harbor.role == "member")
        #expect(harbor.preferences.pinned && harbor.preferences.notifications == "all")
        #expect(harbor.members?.map(\.name) == ["Ada", "Ben"])
    }

    @Test func readsAFrame() throws {
        guard case .frame(let frame) = try ServerMessage(data("frame")) else {
            Issue.record("not a frame")
            return
        }

        #expect(frame.lane == 0 && frame.prev == 7 && frame.pos == 12 && frame.cursor == FeedCursor("2f-12"))
        #expect(frame.limited == ["dock"])
        guard case .message(let message, let mentions) = frame.changes.first else {
            Issue.record("not a message")
            return
        }
        #expect(message.id == "m4" && message.text == "@Ada look" && message.seq == 4 && message.localId == "local-4")
        #expect(message.replyTo == "m3" && message.threadRoot == "m1" && message.editedAt == message.timestamp)
        #expect(message.attachments.map(\.name) == ["plan.pdf"])
        #expect(message.attachments.map(\.mediaType) == ["application/pdf"])
        #expect(message.reactions == [ChatMessage.Reaction(emoji: "👍", userIds: ["ada"])])
        #expect(mentions == [ChatMessage.Mention(userId: "ada", start: 0, end: 4)])
        #expect(frame.changes[1] == .deletion(conversationId: "harbor", messageId: "m2", seq: 2))
        guard case .conversation(let pier, let members, let receipts) = frame.changes[2] else {
            Issue.record("not a conversation")
            return
        }
        #expect(pier.name == "Pier" && pier.role == nil && members.map(\.userId) == ["ada"] && receipts.count == 1)
        #expect(frame.changes[3] == .departure(conversationId: "quay"))
        guard case .receipt(let receipt, "harbor") = frame.changes[4] else {
            Issue.record("not a receipt")
            return
        }
        #expect(receipt.readSeq == 3 && receipt.deliveredSeq == 4)
        let later = MessagePlace(conversationId: "harbor", messageId: "m9")
        #expect(message.outdated == ChatMessage.Outdated(by: later, notedAt: message.timestamp))
        #expect(
            Array(frame.changes[5...]) == [
                .items(conversationId: "harbor"), .threads, .outdated(turnId: "t1", threadId: "h1", by: later),
                .outdated(turnId: "t2", threadId: nil, by: later),
            ])
    }

    @Test func theFormsOfOneEmojiAreOneReaction() throws {
        let heart = "\u{2764}\u{FE0F}"
        let text =
            #"{"id":"m1","conversationId":"c","senderId":"ada","text":"hi","timestamp":"2026-01-01T00:00:00Z","#
            + #""reactions":[{"emoji":"\#(heart)","userIds":["ada","ben"]},{"emoji":"👍","userIds":["jo"]},"#
            + "{\"emoji\":\"\u{2764}\",\"userIds\":[\"ben\",\"jo\"]}]}"

        let message = try JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))

        #expect(message.reactions.map(\.emoji) == [heart, "👍"])
        #expect(message.reactions.map(\.userIds) == [["ada", "ben", "jo"], ["jo"]])
        #expect(message.reactions[0].isOf("\u{2764}") && !message.reactions[0].isOf("\u{1F9E1}"))
    }

    @Test func furtherFieldsOfAMessageAreKept() throws {
        let text =
            #"{"id":"m1","conversationId":"c","senderId":"ada","text":"hi","timestamp":"2026-01-01T00:00:00Z","#
            + #""extra":{"a":[1,2.5,"x",true,null,{"b":{}}]},"status":"read","later":1}"#

        let message = try JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))

        let list: [JSONContent] = [
            .integer(1), .double(2.5), .string("x"), .bool(true), .null, .object(["b": .object([:])]),
        ]
        #expect(message.extra == .object(["a": .array(list)]) && message.status == "read")
        #expect(try JSONDecoder().decode(ChatMessage.self, from: JSONEncoder().encode(message)) == message)
    }

    @Test func anOutcomeOfAnotherServerIsRead() throws {
        let later = try JSONDecoder().decode(
            MessageOutcome.self, from: Data(#"{"status":"held","messageId":"m1","seq":4}"#.utf8))
        let earlier = try JSONDecoder().decode(MessageOutcome.self, from: Data(#"{"messageId":"m1"}"#.utf8))

        #expect(later.status.rawValue == "held" && later.messageId == "m1" && later.seq == 4)
        #expect(earlier == MessageOutcome(status: MessageOutcome.Status(rawValue: ""), messageId: "m1"))
    }

    @Test func readsTheOtherMessages() throws {
        guard case .presence(let people) = try ServerMessage(data("presence")) else {
            Issue.record("not a presence")
            return
        }

        #expect(people.map(\.status) == ["online", "offline"])
        #expect(try ServerMessage(data("heartbeat")) == FeedCursor("2f-12").map { .heartbeat($0) })
        #expect(try ServerMessage(data("resync")) == .resync)
        #expect(
            try ServerMessage(data("typing"))
                == .typing(ChatTyping(conversationId: "harbor", userId: "ben", milliseconds: 6_000)))
        #expect(
            try ServerMessage(data("error"))
                == .error(code: "invalid_field", detail: "userIds: must have at most 200 users"))
    }

    @Test func keepsWhatALaterServerSendsAsUnknown() throws {
        let message = try ServerMessage(Data(#"{"type":"notification","id":"n1"}"#.utf8))
        let frame = try ServerMessage(
            Data(
                """
                {"v":1,"lane":0,"prev":1,"pos":2,"cursor":"2f-2","news":true,
                 "changes":[{"type":"poll","poll":{"id":3}},{"type":"threads","more":1}]}
                """.utf8))

        #expect(message == .unknown(type: "notification"))
        let cursor = try #require(FeedCursor("2f-2"))
        #expect(
            frame
                == .frame(FeedFrame(prev: 1, pos: 2, cursor: cursor, changes: [.unknown(type: "poll"), .threads])))
    }

    @Test func aFrameIsWrittenAsItWasRead() throws {
        let text = try data("frame")

        let frame = try JSONDecoder().decode(FeedFrameContent.self, from: text)

        func sorted(_ data: Data) throws -> String {
            let object = try JSONSerialization.jsonObject(with: data)
            return String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        }
        #expect(try sorted(JSONEncoder().encode(frame)) == sorted(text))
    }

    /// A client is not disturbed by a notification that it cannot read.
    @Test func notificationsOfAFrameAreReadIfTheyCanBe() throws {
        let known =
            #"{"type":"notification","notification":{"id":7,"kind":"mention","conversationId":"c","messageId":"m","#
            + #""senderId":"ben","senderName":"Ben","text":"hi","createdAt":"2026-01-01T00:00:00.000Z","quiet":true}}"#
        let other = #"{"type":"notification","notification":{"id":"n7"}}"#
        func read<Value: Decodable>(_ text: String) throws -> Value {
            try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        }

        let content: FeedChangeContent = try read(known)
        let unreadable: FeedChangeContent = try read(other)

        #expect(content.notification?.id == 7 && content.notification?.quiet == true)
        #expect(unreadable.notification == nil)
        let notification = try #require(content.notification)
        #expect(try read(known) == FeedChange.notification(notification))
        #expect(try read(other) == FeedChange.unknown(type: "notification"))
    }

    @Test(arguments: ["", "-1", "2f", "2f-", "2f--1", "2f-1.x", "2f-1..2"])
    func refusesWhatIsNoCursor(text: String) {
        #expect(FeedCursor(text) == nil)
    }
}
