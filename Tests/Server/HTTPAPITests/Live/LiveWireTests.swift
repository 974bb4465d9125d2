import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import ServerTestSupport
import TestSupport
import Testing

/// The messages of a live chat are those of Tests/Fixtures/Wire, which the client library reads in its tests.
struct LiveWireTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Wire")
    private static let moment = Timestamp(iso8601: "2026-10-07T10:20:53.000Z") ?? Sample.now
    private static let start = ChangeCursor(epoch: 0x2F, positions: [ChangeNumber(rawValue: 7)])
    private static let end = ChangeCursor(epoch: 0x2F, positions: [ChangeNumber(rawValue: 12)])
    private static let ada = Member(userID: "ada", displayName: "Ada", joinedAt: moment)

    private func expect(_ document: Data, _ name: String) throws {
        let file = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
        #expect(try Self.canonical(document) == Self.canonical(file), "\(name)")
    }

    /// The same JSON with its keys in order.
    private static func canonical(_ data: Data) throws -> String {
        let object = try JSONSerialization.jsonObject(with: data)
        let sorted = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        return String(decoding: sorted, as: UTF8.self)
    }

    private static func message(_ id: MessageID, _ text: String) -> Message {
        Message(
            key: MessageKey(conversationID: "harbor", messageID: id), senderID: "ben", senderName: "Ben", text: text,
            timestamp: moment)
    }

    private static func conversation(
        _ id: ConversationID, _ kind: Conversation.Kind, _ visibility: Conversation.Visibility
    ) -> Conversation {
        Conversation(id: id, kind: kind, visibility: visibility, createdAt: moment, updatedAt: moment)
    }

    @Test func aSnapshotIsThatOfTheFile() throws {
        let entry = InboxEntry(
            conversation: Self.conversation("harbor", .direct, .members), displayName: "Ben", head: 3,
            lastMessage: Self.message("m3", "The crane is ready"), activeAt: Self.moment, readSeq: 1, unreadCount: 2,
            mentionCount: 1, firstUnreadID: "m2", role: .member,
            preferences: ConversationPreferences(isPinned: true, notifications: .all),
            members: [
                Self.ada, Member(userID: "ben", displayName: "Ben", aliases: ["Benny"], joinedAt: Self.moment),
            ])

        let state = PersonalState(
            entries: [entry], notifications: [], settings: PersonalSettings(hidesLastSeen: true), cursor: Self.start)

        try expect(LiveDocuments.sync(state), "sync")
    }

    @Test func aFrameIsThatOfTheFile() throws {
        var message = Self.message("m4", "@Ada look")
        message.editedAt = Self.moment
        message.replyToID = "m3"
        message.threadRootID = "m1"
        message.attachments = [Message.Attachment(name: "plan.pdf", type: "application/pdf")]
        message.reactions = [Message.Reaction(emoji: "👍", userIDs: ["ada"])]
        message.extra = #"{"priority":2}"#
        message.localID = "local-4"
        message.url = "https://chat.example.com/m4"
        let pier = InboxEntry(
            conversation: Self.conversation("pier", .group, .everyone), displayName: "Pier", head: 0, lastMessage: nil,
            activeAt: Self.moment, readSeq: 0, unreadCount: 0, mentionCount: 0, firstUnreadID: nil, role: nil,
            preferences: ConversationPreferences(), members: [])
        let later = MessageKey(conversationID: "harbor", messageID: "m9")
        let changes: [FeedChange] = [
            .message(
                message,
                MessagePosition(
                    seq: 4, arrival: nil, replies: ReplySummary(count: 2, lastAt: Self.moment),
                    outdated: OutdatedMark(by: later, notedAt: Self.moment)),
                [MemberMention(userID: "ada", start: 0, end: 4)]),
            .deletion(
                MessageKey(conversationID: "harbor", messageID: "m2"), MessagePosition(seq: 2, arrival: nil)),
            .conversation(pier, [Self.ada], [Receipt(userID: "ada", readSeq: 0)]),
            .departure("quay"),
            .receipt(Receipt(userID: "ben", readSeq: 3, readAt: Self.moment, deliveredSeq: 4), "harbor"),
            .items("harbor"),
            .threads, .outdated("t1", "h1", by: later), .outdated("t2", nil, by: later),
        ]

        let page = FeedPage(changes: changes, limited: ["dock"], end: Self.end)

        try expect(LiveDocuments.frame(page, after: Self.start), "frame")
    }

    @Test func theOtherMessagesAreThoseOfTheFiles() throws {
        let people = PresenceFrame(
            time: Self.moment,
            presences: [
                Presence(user: "ada", status: .online, lastBeat: Self.moment),
                Presence(user: "ben", status: .offline, lastSeen: Self.moment),
            ])

        try expect(LiveDocuments.heartbeat(Self.end), "heartbeat")
        try expect(LiveDocuments.resync(), "resync")
        try expect(LiveDocuments.presence(people), "presence")
        try expect(
            LiveDocuments.typing(TypingEvent(conversation: "harbor", user: "ben", remaining: .seconds(6))), "typing")
        try expect(
            LiveDocuments.error(code: "invalid_field", detail: "userIds: must have at most 200 users"), "error")
    }
}
