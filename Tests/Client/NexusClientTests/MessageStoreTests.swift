import Foundation
import NexusClient
import NexusModel
import TestSupport
import Testing

@Suite(.hangGuard) struct MessageStoreTests {
    private static func entry(_ id: String, head: Int, hasMessages: Bool = true) throws -> ChatConversation {
        let last = #","lastMessage":{"id":"x","senderId":"b","senderName":"b","text":"","timestamp":"2026"}"#
        let text = """
            {"id":"\(id)","kind":"group","visibility":"members","name":"\(id)","head":\(head),"activeAt":"2026",
             "readSeq":0,"unreadCount":0,"mentionCount":0,
             "preferences":{"muted":false,"archived":false,"pinned":true}\(hasMessages ? last : "")}
            """
        return try JSONDecoder().decode(ChatConversation.self, from: Data(text.utf8))
    }

    static func message(_ seq: Int, _ text: String = "text", in id: String = "pier") -> ChatMessage {
        ChatMessage(
            id: "m\(seq)", conversationId: id, senderId: "ben", senderName: "Ben", text: text,
            timestamp: Date(timeIntervalSince1970: 1_791_367_200), seq: Int64(seq))
    }

    private static func cursor(_ position: Int) throws -> FeedCursor { try #require(FeedCursor("e-\(position)")) }

    private static func frame(
        _ position: Int, _ changes: [FeedChange], limited: [String]? = nil
    ) throws -> FeedFrame {
        FeedFrame(
            prev: Int64(position - 1), pos: Int64(position), cursor: try cursor(position), changes: changes,
            limited: limited)
    }

    private static func messages(_ seqs: some Sequence<Int>) -> [FeedChange] {
        seqs.map { .message(message($0), mentions: []) }
    }

    /// A store with one conversation, whose head is given.
    private static func store(_ file: URL? = nil, head: Int = 0, limits: StoreLimits = StoreLimits()) async throws
        -> MessageStore
    {
        let store = MessageStore(file: file, owner: "ada", limits: limits, isDurable: false, fault: nil)
        let place = try entry("pier", head: head, hasMessages: head > 0)
        _ = try await store.reset(to: ChatSnapshot(cursor: try cursor(0), conversations: [place]))
        return store
    }

    private static func page(_ seqs: ClosedRange<Int>, hasOlder: Bool, hasNewer: Bool = false) -> MessagePage {
        MessagePage(messages: seqs.reversed().map { message($0) }, hasOlder: hasOlder, hasNewer: hasNewer)
    }

    private static func merge(_ page: MessagePage, before: ChatMessage? = nil, in store: MessageStore) async throws {
        let start = await store.currentRevision
        _ = try await store.merge(page, in: "pier", before: before, askedAt: start, user: "ada")
    }

    @Test func tenThousandMessagesAreOneSortAndOneMerge() async throws {
        let store = try await Self.store()
        var state = ChatState(userID: "ada")
        state.reset(to: ChatSnapshot(cursor: try Self.cursor(0), conversations: [try Self.entry("pier", head: 0)]))
        var generator = SeededGenerator(seed: 7)
        let frame = try Self.frame(1, Self.messages((1...10_000).shuffled(using: &generator)))

        _ = try await store.apply(frame, user: "ada")
        #expect(state.apply(frame) == .applied)

        #expect(await store.work.sortCount == 1)
        #expect(await store.work.mergeCount == 1)
        let stored = try await store.newest(in: "pier", limit: 20_000)
        #expect(stored.messages.compactMap(\.seq) == Array(1...10_000))
        let loaded = try #require(state.conversations["pier"]?.loaded)
        #expect(loaded.work.sortCount == 1 && loaded.work.passCount == 1)
        #expect(loaded.messages == stored.messages)
    }

    @Test func whatIsMissingIsAGapUntilAPageFillsIt() async throws {
        let store = try await Self.store(head: 100)
        _ = try await store.apply(try Self.frame(1, Self.messages([101, 102])), user: "ada")
        #expect(try await store.newest(in: "pier", limit: 10).beginsAtGap)

        try await Self.merge(Self.page(51...102, hasOlder: true), in: store)
        try await Self.merge(Self.page(10...20, hasOlder: true, hasNewer: true), in: store)
        var page = try await store.timeline(of: "pier", limit: 1_000)
        #expect(page.messages.compactMap(\.seq) == Array(10...20) + Array(51...102))
        #expect(page.gaps.map(\.seq) == [10, 51] && page.beginsAtGap)
        #expect(try await store.newest(in: "pier", limit: 1_000).messages.first?.seq == 51)

        try await Self.merge(Self.page(15...50, hasOlder: true), before: Self.message(51), in: store)
        page = try await store.timeline(of: "pier", limit: 1_000)
        #expect(page.gaps.map(\.seq) == [10])
        try await Self.merge(Self.page(1...9, hasOlder: false), before: Self.message(10), in: store)
        page = try await store.newest(in: "pier", limit: 1_000)
        #expect(page.messages.compactMap(\.seq) == Array(1...102) && !page.hasEarlier)
    }

    @Test func aChangedMessageInAGapIsLeftOutAndALimitedConversationIsAGap() async throws {
        let store = try await Self.store(head: 100)
        try await Self.merge(Self.page(90...100, hasOlder: true), in: store)

        _ = try await store.apply(try Self.frame(1, Self.messages([5, 95, 101])), user: "ada")
        #expect(try await store.timeline(of: "pier").messages.compactMap(\.seq) == Array(90...101))
        let start = await store.currentRevision
        let change = FeedChange.conversation(try Self.entry("pier", head: 2_000), members: [], receipts: [])
        _ = try await store.apply(try Self.frame(2, [change], limited: ["pier"]), user: "ada")
        let page = try await store.timeline(of: "pier")
        #expect(page.messages.isEmpty && page.gaps.map(\.seq) == [2_001])

        let effects = try await store.merge(
            Self.page(50...101, hasOlder: true), in: "pier", askedAt: start, user: "ada")
        #expect(effects.isStale)
        #expect(try await store.messageCount() == 0)
    }

    /// The server lists a conversation as limited, too, if the person may read other messages than before.
    @Test func messagesThatMayNoLongerBeReadLeaveTheStoreAndItsSearch() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rights-\(UUID().uuidString)")
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
        let store = try await Self.store(file, head: 2)
        let hushed = Self.message(1, "the heliotrope safe")
        try await Self.merge(MessagePage(messages: [Self.message(2, "see you"), hushed], next: nil), in: store)
        #expect(try await store.search("heliotrope").map(\.message.id) == ["m1"])

        let change = FeedChange.conversation(try Self.entry("pier", head: 2), members: [], receipts: [])
        _ = try await store.apply(try Self.frame(1, [change], limited: ["pier"]), user: "ada")
        #expect(try await store.messageCount() == 0)
        #expect(try await store.search("heliotrope").isEmpty)

        try await Self.merge(MessagePage(messages: [Self.message(2, "see you")], next: nil), in: store)
        #expect(try await store.newest(in: "pier", limit: 9).messages.map(\.id) == ["m2"])
        #expect(try await store.search("heliotrope").isEmpty)
    }

    @Test func aPageThatWasAskedForEarlierDoesNotReplaceWhatCameSince() async throws {
        let store = try await Self.store(head: 3)
        let start = await store.currentRevision
        let edited = Self.message(2, "edited")
        _ = try await store.apply(
            try Self.frame(
                1, [.deletion(conversationId: "pier", messageId: "m3", seq: 3)] + Self.messages([4])), user: "ada")
        try await Self.merge(Self.page(1...2, hasOlder: false), in: store)
        _ = try await store.apply(try Self.frame(2, [.message(edited, mentions: [])]), user: "ada")

        _ = try await store.merge(Self.page(1...3, hasOlder: false), in: "pier", askedAt: start, user: "ada")

        let messages = try await store.newest(in: "pier", limit: 10).messages
        #expect(messages == [Self.message(1), edited, Self.message(4)])
    }

    @Test func findsWordsByTheirBeginnings() async throws {
        let store = try await Self.store()
        let changes = ["the crane is late", "Straßenfest am Freitag", "un café s'il vous plaît"].enumerated().map {
            FeedChange.message(Self.message($0.offset + 1, $0.element), mentions: [])
        }
        _ = try await store.apply(try Self.frame(1, changes), user: "ada")

        #expect(try await store.search("CRA late").map(\.message.id) == ["m1"])
        #expect(try await store.search("cafe").map(\.message.id) == ["m3"])
        #expect(try await store.search("freitag", in: "quay").isEmpty)
        #expect(try await store.search("\" OR *").isEmpty)
        _ = try await store.apply(
            try Self.frame(2, [.message(Self.message(1, "the boat is late"), mentions: [])]), user: "ada")
        #expect(try await store.search("crane").isEmpty)
        #expect(try await store.search("boat").map(\.conversationId) == ["pier"])
    }

    @Test func keepsTheNewestWithinTheLimits() async throws {
        var limits = StoreLimits()
        (limits.messageCount, limits.keptPerConversation) = (150, 20)
        let store = try await Self.store(limits: limits)
        let quay = FeedChange.conversation(try Self.entry("quay", head: 0), members: [], receipts: [])
        let others = (1...100).map { FeedChange.message(Self.message($0, in: "quay"), mentions: []) }
        _ = try await store.apply(try Self.frame(1, Self.messages(1...100) + [quay] + others), user: "ada")
        try await store.touch("pier")

        try await store.evict()

        #expect(try await store.messageCount() == 150)
        let (kept, trimmed) = (
            try await store.newest(in: "pier", limit: 500), try await store.newest(in: "quay", limit: 500)
        )
        #expect(kept.messages.count == 100)
        #expect(trimmed.messages.compactMap(\.seq) == Array(51...100) && trimmed.beginsAtGap)
    }

    @Test func leavingErasesTheConversationAndSigningOutTheFile() async throws {
        let folder = try TemporaryFolder()
        let file = MessageStore.file(in: folder.url, server: "https://chat.example.com:8443/x", user: "ada@example.com")
        let store = try await Self.store(file)
        _ = try await store.apply(
            try Self.frame(1, [.message(Self.message(1, "confidential words"), mentions: [])]), user: "ada")
        try await store.set(Draft(text: "unfinished"), in: "pier")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        _ = try await store.apply(try Self.frame(2, [.departure(conversationId: "pier")]), user: "ada")
        #expect(try await store.messageCount() == 0)
        #expect(try await store.search("confidential").isEmpty)
        await store.close()
        let bytes = try Data(contentsOf: file)
        for word in ["confidential", "unfinished"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) is left")
        }

        try MessageStore.erase(file)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func aFileBelongsToOneOwnerAndOneStore() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "a.sqlite")
        let store = try await Self.store(file)
        await #expect(throws: StoreError.inUse) { try await MessageStore(file: file, owner: "ada").open() }
        await store.close()
        await #expect(throws: StoreError.closed) { try await store.open() }
        await #expect(throws: StoreError.foreign) { try await MessageStore(file: file, owner: "ben").open() }
        let other = folder.url.appending(path: "b.sqlite")
        try Data("this is not a store, but a text that is long enough".utf8).write(to: other)
        await #expect(throws: StoreError.damaged) { try await MessageStore(file: other, owner: "ada").open() }
        let (first, same) = ("https://chat.example.com", "https://chat.example.com/")
        let own = MessageStore(in: folder.url, server: first, user: "ada")
        try await own.open()
        await own.close()
        try await MessageStore(in: folder.url, server: same, user: "ada").open()
        let names = [("a", "b@c"), ("a@b", "c"), ("a", String(repeating: "b", count: 300))]
            .map { MessageStore.file(in: folder.url, server: $0.0, user: $0.1).lastPathComponent }
        #expect(Set(names).count == 3 && names.allSatisfy { $0.utf8.count < 200 })
    }

    /// Opens a large store; `NEXUS_STORE_FILE` keeps it, to be measured.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["NEXUS_STORE_FILE"] != nil))
    func makesALargeStore() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["NEXUS_STORE_FILE"])
        let store = MessageStore(file: URL(filePath: path), owner: "ada", isDurable: false, fault: nil)
        let places = try (0..<200).map { try Self.entry("place\($0)", head: 0) }
        _ = try await store.reset(to: ChatSnapshot(cursor: try Self.cursor(0), conversations: places))
        for place in 0..<200 {
            let changes = (1...1_000).map {
                FeedChange.message(
                    Self.message($0, "message number \($0) of a place", in: "place\(place)"), mentions: [])
            }
            _ = try await store.apply(try Self.frame(place + 1, changes), user: "ada")
        }
        #expect(try await store.messageCount() == 200_000)
        await store.close()
    }
}
