import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// What one person can take, with PostgreSQL: the same as in SQLite.
@Suite(.hangGuard) struct SharesTests {
    private func withGroup(_ body: (SQLStore) async throws -> Void) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            var roster = ConversationRoster.of("c", ["ada"])
            roster.members += (0..<600).map {
                Member(userID: UserID(rawValue: "u\($0)"), displayName: "Robin Number\($0)", joinedAt: .second(0))
            }
            roster.members.append(Member(userID: "zoë", displayName: "Zoë Lindqvist", joinedAt: .second(0)))
            _ = try await store.store([roster], source: "api", mode: .posting, at: .second(0))
            try await body(store)
        }
    }

    @Test func mentionsAreLookedUp() async throws {
        try await withGroup { store in
            let many = (0..<150).map { "@u\($0)" }.joined(separator: " ")
            let posted = try await store.post(
                [
                    .short("c", "a", by: "ada", "hi @Zoë Lindqvist, @robin number7 and @Robin Number"),
                    .short("c", "b", by: "ada", many), .short("c", "c", by: "ada", "@u1 @u1 @u1"),
                ], source: "api", at: .second(1))
            #expect(posted.map(\.seq) == [1, 2, 3])
            let found = try await store.memberMentions(of: [.of("c", "a"), .of("c", "b"), .of("c", "c")])
            #expect(found[.of("c", "a")]?.map(\.userID) == ["zoë", "u7"])
            #expect(found[.of("c", "b")]?.count == MemberMention.limit)
            #expect(found[.of("c", "c")]?.map(\.userID) == ["u1"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM notifications") == ["103"])

            try await store.setMember(
                Member(userID: "u7", displayName: "Kim", joinedAt: .second(0)), in: "c", source: "api", at: .second(2))
            try await store.removeMember("zoë", from: "c", at: .second(2))
            _ = try await store.post(
                [.short("c", "d", by: "ada", "@Zoë Lindqvist @Robin Number7 @kim")], source: "api", at: .second(3))
            #expect(try await store.memberMentions(of: [.of("c", "d")])[.of("c", "d")]?.map(\.userID) == ["u7"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM member_names WHERE user_id = 'zoë'") == ["0"])
        }
    }

    @Test func namesOfALargeGroupAreLookedUp() async throws {
        try await withGroup { store in
            let view = try await store.view(of: SearchScope(asker: "ada", conversations: .all), at: .second(1))
            #expect(view.large.count == 1 && view.people.isEmpty)
            func named(_ text: String) async throws -> [UserID] {
                try await store.people(named: text, in: view.large, at: .second(1)).map(\.userID)
            }
            #expect(try await named("what did LINDQVIST say about the crane") == ["zoë"])
            #expect(try await named("Robin Number77's plan").contains("u77"))
            #expect(try await store.inbox(of: "ada", matching: "lindq", at: .second(1)).entries.count == 1)
            #expect(try await store.inbox(of: "ada", matching: "crane", at: .second(1)).entries.isEmpty)
            let names = try await store.names(
                of: ["zoë", "nobody"], in: SearchScope(asker: "ada", conversations: .all), at: .second(1))
            #expect(names == ["zoë": ["Zoë Lindqvist"]])
            #expect(try await store.roster(of: "c", only: ["u3"], asker: "ada", at: .second(1)).members.count == 1)
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                _ = try await store.roster(of: "c", only: [], asker: "eve", at: .second(1))
            }
        }
    }

    @Test func invitationsAndLimitsHold() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let adding = MemberAdding(by: "ada", limits: GroupLimits(conversationsPerDay: 2, membersPerDay: 3))
            #expect(
                try await store.create(.of("c", ["ada", "bob", "cy"]), adding: adding, source: "api", at: .second(0)))
            let scope = SearchScope(asker: "bob", conversations: .all)
            #expect(try await store.view(of: scope, at: .second(1)).permitted.isEmpty)
            await #expect(throws: GroupLimitError.membersPerDay(3)) {
                _ = try await store.create(
                    .of("d", ["ada", "eve", "flo"]), adding: adding, source: "api", at: .second(1))
            }
            _ = try await store.openDirect("ada", "bob", names: [:], newID: "e", limits: adding.limits, at: .second(1))
            await #expect(throws: GroupLimitError.conversationsPerDay(2)) {
                _ = try await store.create(.of("f", ["ada"]), adding: adding, source: "api", at: .second(2))
            }

            _ = try await store.post([.short("c", "m", by: "bob")], source: "api", at: .second(3))
            #expect(try await store.view(of: scope, at: .second(4)).permitted.map(\.id) == ["c", "e"])
        }
    }

    @Test func onePersonTakesOnlyAShareOfAllFiles() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let limits = FileLimits(fileBytes: 40, totalBytes: 1_000, personBytes: 60)
            func upload(_ id: FileID, by owner: UserID) async throws {
                let bytes = AsyncStream<[UInt8]> { stream in
                    stream.yield(Array(repeating: 120, count: 40))
                    stream.finish()
                }
                _ = try await store.storeFile(
                    FileDraft(id: id, ownerID: owner, name: nil, moment: .second(1)), content: bytes, limits: limits)
            }
            try await upload("a", by: "ada")
            await #expect(throws: FileError.shareFull(limit: 60)) { try await upload("b", by: "ada") }
            try await upload("c", by: "bob")
            #expect(try await store.fileUse(of: "ada") == FileUse(count: 1, byteCount: 40))
            #expect(try await store.largestFileUses(limit: 9).map(\.owner) == ["ada", "bob"])
        }
    }
}
