import Foundation
import NexusModel
import Testing

/// The state of a client after frames and pages.
struct ChatStateTests {
    private static func cursor(_ position: Int64) throws -> FeedCursor { try #require(FeedCursor("2f-\(position)")) }

    private static func conversation(_ id: String, head: Int64 = 0, unread: Int = 0) throws -> ChatConversation {
        let text = """
            {"id":"\(id)","kind":"group","visibility":"members","name":"\(id)","head":\(head),"activeAt":"2026-10-07",
             "readSeq":0,"unreadCount":\(unread),"mentionCount":0,
             "preferences":{"muted":false,"archived":false,"pinned":false}}
            """
        return try JSON.decode(text)
    }

    private static func state(_ ids: String..., position: Int64 = 0, head: Int64 = 0, unread: Int = 0) throws
        -> ChatState
    {
        var state = ChatState(userID: "ada")
        state.reset(
            to: ChatSnapshot(
                cursor: try cursor(position),
                conversations: try ids.map { try conversation($0, head: head, unread: unread) }))
        return state
    }

    private static func message(
        _ seq: Int64?, _ text: String = "text", id: String? = nil, by sender: String = "ben", in place: String = "pier"
    ) -> ChatMessage {
        ChatMessage(
            id: id ?? "m\(seq ?? 0)", conversationId: place, senderId: sender, senderName: sender, text: text,
            timestamp: Date(timeIntervalSince1970: 1_791_368_453), seq: seq)
    }

    private static func frame(_ position: Int64, _ changes: [FeedChange], limited: [String]? = nil) throws -> FeedFrame
    {
        FeedFrame(
            prev: position - 1, pos: position, cursor: try cursor(position), changes: changes, limited: limited)
    }

    @Test func aFrameThatComesTwiceChangesNothing() throws {
        var state = try Self.state("pier")
        let frame = try Self.frame(1, [.message(Self.message(1), mentions: [])])

        #expect(state.apply(frame) == .applied)
        let once = state.conversations
        #expect(state.apply(frame) == .known)

        #expect(state.conversations == once && state.cursor == frame.cursor)
        #expect(once["pier"]?.messages.map(\.id) == ["m1"])
    }

    @Test func aMissingFrameIsAGapAndChangesNothing() throws {
        var state = try Self.state("pier", position: 4)

        #expect(state.apply(try Self.frame(6, [.message(Self.message(1), mentions: [])])) == .gap)
        #expect(state.apply(FeedFrame(prev: 4, pos: 5, cursor: try #require(FeedCursor("30-5")), changes: [])) == .gap)

        #expect(state.conversations["pier"]?.messages.isEmpty == true)
        #expect(state.cursor == (try Self.cursor(4)))
    }

    @Test func aHeartbeatMovesTheCursorOnlyForward() throws {
        var state = try Self.state("pier", position: 4)

        state.move(to: try Self.cursor(9))
        state.move(to: try Self.cursor(3))

        #expect(state.cursor == (try Self.cursor(9)))
    }

    @Test func messagesAreInTheirOrderAndADeletedOneStaysDeleted() throws {
        var state = try Self.state("pier")
        let start = state.frameCount
        _ = state.apply(
            try Self.frame(
                1,
                [
                    .message(Self.message(3), mentions: []), .message(Self.message(1), mentions: []),
                    .message(Self.message(2, "first"), mentions: []),
                    .deletion(conversationId: "pier", messageId: "m1", seq: 1),
                ]))
        _ = state.apply(try Self.frame(2, [.message(Self.message(2, "edited"), mentions: [])]))
        // A page from before these frames.
        let old = Self.message(nil, id: "old")
        state.merge(
            MessagePage(messages: [Self.message(2, "first"), Self.message(1), old], next: nil), in: "pier",
            askedAt: start)

        let place = try #require(state.conversations["pier"])
        #expect(place.messages.map(\.id) == ["old", "m2", "m3"])
        #expect(place.messages[1].text == "edited")
        #expect(place.isLoaded && place.hasEarlier == false && place.head == 3)
    }

    @Test func aPageThatWasAskedForLaterIsNewer() throws {
        var state = try Self.state("pier")
        _ = state.apply(try Self.frame(1, [.message(Self.message(1, "first"), mentions: [])]))

        state.merge(
            MessagePage(messages: [Self.message(1, "edited")], next: "m1"), in: "pier", askedAt: state.frameCount)

        #expect(state.conversations["pier"]?.messages.map(\.text) == ["edited"])
        #expect(state.conversations["pier"]?.hasEarlier == true)
    }

    @Test func unreadMessagesAreCountedFromWhatTheServerCounted() throws {
        var state = try Self.state("pier", head: 5, unread: 2)
        _ = state.apply(
            try Self.frame(
                1,
                [
                    .message(Self.message(6), mentions: [ChatMessage.Mention(userId: "ada", start: 0, end: 4)]),
                    .message(Self.message(7, by: "ada"), mentions: []),
                ]))
        func counts() -> [Int?] {
            [
                state.conversations["pier"]?.unreadCount(for: "ada"),
                state.conversations["pier"]?.mentionCount(for: "ada"),
            ]
        }
        #expect(counts() == [3, 1])

        _ = state.apply(try Self.frame(2, [.receipt(ChatReceipt(userId: "ada", readSeq: 5), conversationId: "pier")]))
        #expect(counts() == [1, 1])

        _ = state.apply(
            try Self.frame(3, [.deletion(conversationId: "pier", messageId: "m6", seq: 6)]))
        #expect(counts() == [0, 0])
    }

    @Test func readersAreThoseWhoWereMembersAndReadSoFar() throws {
        var state = try Self.state("pier")
        let receipts = [
            ChatReceipt(userId: "ada", readSeq: 4), ChatReceipt(userId: "ben", readSeq: 4),
            ChatReceipt(userId: "cleo", readSeq: 1), ChatReceipt(userId: "dan", readSeq: 4, joinedSeq: 4),
        ]
        _ = state.apply(
            try Self.frame(1, [.conversation(try Self.conversation("pier"), members: [], receipts: receipts)]))

        let (readers, members) = try #require(state.conversations["pier"]).readers(of: 3, sender: "ada")
        #expect(readers == 1 && members == 2)
    }

    @Test func aLimitedConversationIsLoadedAgainAndADepartedOneIsGone() throws {
        var state = try Self.state("pier", "quay")
        _ = state.apply(try Self.frame(1, [.message(Self.message(1), mentions: [])]))
        state.merge(MessagePage(messages: [], next: nil), in: "pier", askedAt: state.frameCount)

        _ = state.apply(try Self.frame(2, [.departure(conversationId: "quay")], limited: ["pier"]))

        #expect(state.conversations.keys.sorted() == ["pier"])
        #expect(state.conversations["pier"]?.isLoaded == false)
        #expect(state.conversations["pier"]?.messages.isEmpty == true)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func changesMayComeTwiceAndFramesInAnyPieces(seed: UInt64) throws {
        var random = Random(state: seed)
        let changes = try (0..<200).map { _ in try Self.change(&random) }
        var once = try Self.state("pier", "quay")
        var twice = once
        var pieces = once

        for (number, change) in changes.enumerated() {
            let frame = try Self.frame(Int64(number + 1), [change])
            #expect(once.apply(frame) == .applied)
            #expect(twice.apply(try Self.frame(Int64(number + 1), [change, change])) == .applied)
            #expect(twice.apply(frame) == .known)
        }
        var next = 0
        while next < changes.count {
            let end = min(next + 1 + Int(random.next() % 9), changes.count)
            let frame = FeedFrame(
                prev: Int64(next), pos: Int64(end), cursor: try Self.cursor(Int64(end)),
                changes: Array(changes[next..<end]))
            #expect(pieces.apply(frame) == .applied)
            next = end
        }

        #expect(once.conversations == twice.conversations)
        #expect(once.conversations == pieces.conversations)
        for place in once.conversations.values {
            let positions = place.messages.compactMap(\.seq)
            #expect(positions == Array(Set(positions)).sorted())
        }
    }

    /// A random change; a message and its position always belong together.
    private static func change(_ random: inout Random) throws -> FeedChange {
        let place = random.next() % 2 == 0 ? "pier" : "quay"
        let seq = Int64(random.next() % 30) + 1
        let user = ["ada", "ben", "cleo"][Int(random.next() % 3)]
        switch random.next() % 10 {
        case 0: return .deletion(conversationId: place, messageId: "m\(seq)", seq: seq)
        case 1: return .receipt(ChatReceipt(userId: user, readSeq: seq), conversationId: place)
        case 2:
            return .conversation(
                try conversation(place, head: seq, unread: Int(seq)), members: [ChatMember(userId: user, name: user)],
                receipts: [ChatReceipt(userId: user, readSeq: seq)])
        case 3: return .unknown(type: "poll")
        case 4: return random.next() % 8 == 0 ? .departure(conversationId: place) : .threads
        default:
            let sender = ["ada", "ben", "cleo"][Int(seq % 3)]
            let mentions = random.next() % 3 == 0 ? [ChatMessage.Mention(userId: "ada", start: 0, end: 4)] : []
            return .message(message(seq, "text \(random.next() % 5)", by: sender, in: place), mentions: mentions)
        }
    }
}

/// A seeded generator (SplitMix64).
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
