import ChatCore
import MessageStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// What one person's mentions cost all others is bounded: rows are counted, not time.
@Suite struct MentionShareTests {
    private static let memberCount = 1_500

    private static func users(_ count: Int = memberCount) -> [UserID] {
        (0..<count).map { UserID(rawValue: "u\($0)") }
    }

    /// A store with a large group whose names were looked up once.
    private func withLargeGroup(_ body: (SQLStore, RowCounter) async throws -> Void) async throws {
        let counter = RowCounter()
        var options = StoreOptions()
        options.connected = { counter.watch($0) }
        try await DataFolder.with(options) { _, store in
            _ = try await store.store([.of("c", Self.users())], source: "api", mode: .posting, at: .second(0))
            try await post(store, [.short("c", "first", by: "u0", "@u1")])
            counter.reset()
            try await body(store, counter)
        }
        withExtendedLifetime(counter) {}
    }

    private func post(_ store: SQLStore, _ messages: [Message]) async throws {
        let posted = try await store.post(messages, source: "api", at: .second(1))
        #expect(posted.allSatisfy { $0.outcome == .inserted }, "\(posted)")
    }

    private func messages(_ count: Int, _ text: String) -> [Message] {
        (0..<count).map { .short("c", MessageID(rawValue: "m\($0)"), by: "u0", text) }
    }

    @Test func membersAreNotReadForMentions() async throws {
        try await withLargeGroup { store, counter in
            try await post(store, messages(200, "@ @nobody @Name of u7"))

            #expect(try await store.inspect("SELECT COUNT(*) FROM addressed WHERE user_id = 'u7'") == ["200"])
            // No row of a member with its names but the writer's, once in each portion; a few lookups for each message.
            #expect(counter.count("display_name") <= 20)
            #expect(counter.count("FROM member_names") <= 200 * 8)
        }
    }

    @Test func strangersMakeNoNames() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", Self.users())], source: "api", mode: .posting, at: .second(0))
            let stranger = Writer.person(IdentifiedPerson(id: "eve"))
            let drafts = [MessageDraft(.short("c", "m1", by: "eve", "@u1"))]

            let posted = try await store.post(drafts, by: stranger, source: "api", at: .second(1))
            #expect(posted.map(\.outcome) == [.noSuchConversation])
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                _ = try await store.edit(.of("c", "m1"), text: "@u1", files: nil, by: stranger, at: .second(2))
            }
            #expect(try await store.inspect("SELECT COUNT(*) FROM member_names") == ["0"])

            try await post(store, [.short("c", "m2", by: "u0", "@u1")])
            #expect(try await store.inspect("SELECT COUNT(*) FROM member_names") != ["0"])
        }
    }

    @Test func manyMentionsOfAFewPeopleAreAFewRows() async throws {
        try await withLargeGroup { store, counter in
            let text = String(repeating: "@u1 @u2 ", count: 1_450)
            try await post(store, messages(30, text))

            #expect(try await store.inspect("SELECT COUNT(*) FROM addressed WHERE message > 1") == ["60"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM notifications WHERE message > 1") == ["60"])
            #expect(counter.count("FROM member_names") <= 30 * 2 * MentionPlaces.nameLimit)
        }
    }

    @Test func aMessageMentionsAHundredPeopleAtMost() async throws {
        try await withLargeGroup { store, _ in
            let text = Self.users(300).map { "@\($0)" }.joined(separator: " ")
            try await post(store, messages(1, text))
            let key = MessageKey.of("c", "m0")

            let mentioned = try await store.memberMentions(of: [key])[key] ?? []
            #expect(mentioned.map(\.userID) == Array(Self.users(MemberMention.limit)))

            // An edit has the same limit.
            _ = try await store.edit(key, text: "hm " + text, at: .second(2))
            #expect(try await store.memberMentions(of: [key])[key]?.count == MemberMention.limit)
        }
    }

    @Test func manyMessagesAreWrittenInPortions() async throws {
        try await withLargeGroup { store, _ in
            let writes = Mutex<[StoreWrite]>([])
            store.observeWrites { write in writes.withLock { $0.append(write) } }

            try await post(store, messages(250, "hello"))
            let plain = writes.withLock { writes in
                defer { writes = [] }
                return writes.filter { $0.name.hasPrefix("post") }.count
            }
            try await store.removeMember("u9", from: "c", at: .second(2))
            let mentions = Self.users(60).map { "@\($0)" }.joined(separator: " ")
            try await post(
                store, (0..<4).map { .short("c", MessageID(rawValue: "x\($0)"), by: "u0", mentions) })
            let written = writes.withLock { $0 }

            #expect(plain == 5)
            #expect(written.filter { $0.name.hasPrefix("post") }.count == 4)
            #expect(written.first?.name == "removeMember(_:from:at:)")
            #expect(written.allSatisfy { $0.count == 1 && $0.duration > .zero })
            #expect(try await store.inspect("SELECT COUNT(*), MAX(seq) FROM messages") == ["255"])
            #expect(try await store.inspect("SELECT MAX(seq) FROM messages") == ["255"])
        }
    }

    @Test func namesFollowTheMembers() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob", "cy"])], source: "api", mode: .posting, at: .second(0))
            func set(_ user: UserID, _ name: String) async throws {
                try await store.setMember(
                    Member(userID: user, displayName: name, joinedAt: .second(0)), in: "c", source: "api",
                    at: .second(1))
            }
            func mentioned(_ text: String, _ id: MessageID) async throws -> [UserID] {
                try await post(store, [.short("c", id, by: "ada", text)])
                return try await store.memberMentions(of: [.of("c", id)])[.of("c", id)]?.map(\.userID) ?? []
            }

            #expect(try await mentioned("@Name of bob", "m1") == ["bob"])
            try await set("bob", "Robert")
            #expect(try await mentioned("@Name of bob and @robert", "m2") == ["bob"])
            try await set("cy", "ROBERT")
            #expect(try await mentioned("@Robert, @cy", "m3") == ["cy"])
            try await store.removeMember("cy", from: "c", at: .second(2))
            #expect(try await mentioned("@Robert, @cy", "m4") == ["bob"])
            try await set("cy", "Cyril")
            #expect(try await mentioned("@cyril", "m5") == ["cy"])
            _ = try await store.erase(.user("cy"), at: .second(3))
            #expect(try await mentioned("@cyril", "m6") == [])
            #expect(try await store.inspect("SELECT COUNT(*) FROM member_names WHERE user_id = 'cy'") == ["0"])
        }
    }
}
