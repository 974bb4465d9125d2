import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

@Suite struct ErasureTests {
    static let secret = "the combination of the harbor safe is 4711"
    static let kept = "the ferry to the island leaves at noon"
    static let vector: [Float] = [0.25, 0.5, 0.125, 0.75, 0.3125, 0.0625, 0.6875, 0.4375]

    @Test func messagesOfImportsLeaveMarksAndThoseOfTheApplicationNone() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("a", ["ada", "bob"])], source: "chat", mode: .importing, at: .second(0))
            _ = try await store.store([.of("b", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.accept(
                [.short("a", "1", by: "bob", Self.secret, at: 65), .short("a", "2", by: "ada", Self.kept, at: 65)],
                source: "chat", mode: .importing, at: .second(1))
            _ = try await store.accept(
                [.short("b", "1", by: "bob", Self.secret)], source: "api", mode: .posting, at: .second(1))

            _ = try await store.erase(.user("bob"), at: .second(2))
            _ = try await store.finishErasing(.user("bob"), at: .second(1_000))

            let mark = ErasedLine.mark(text: ErasedLine.key(of: Self.secret), time: .second(60), in: "a")
            #expect(try await store.erasedLines(of: "a") == [mark])
            #expect(try await store.erasedLines(of: "b") == [])
        }
    }

    /// Two conversations; Ada and Bob write in both, Bob reacts to Ada.
    func fill(_ store: SQLStore) async throws -> GenerationNumber {
        _ = try await store.store(
            [.of("c", ["ada", "bob"], name: "Harbor masters"), .of("d", ["ada", "bob"], name: "Ferries")],
            source: "api", mode: .posting, at: .second(0))
        let space = EmbeddingSpace(provider: "builtin", model: "m", dimensions: 8)
        let generation = try await store.beginGeneration(space, baseURL: nil, refilling: false, at: .second(0)).number
        var loved = Message.short("d", "loved", by: "ada", Self.kept)
        loved.reactions = [
            Message.Reaction(emoji: "👍", userIDs: ["bob", "eve"]), Message.Reaction(emoji: "🎉", userIDs: ["bob"]),
        ]
        var secret = Message.short("c", "secret", by: "bob", Self.secret)
        secret.attachments = [Message.Attachment(name: "safe.pdf", caption: "drawing of the harbor safe")]
        _ = try await store.accept(
            [secret, .short("c", "other", by: "ada", "who will be at the pier tomorrow"), loved], source: "api",
            mode: .posting, at: .second(1))
        let items = try await store.claim(9, for: generation, until: .second(60), at: .second(2))
        let embedded = items.filter { $0.messageKey.messageID != "other" }.map { item in
            let isSecret = item.messageKey.messageID == "secret"
            return EmbeddedMessage.of(item, vector: isSecret ? Self.vector : Self.vector.reversed())
        }
        _ = try await store.commit(embedded, at: .second(3))
        for (id, asker, key) in [("t1", "bob", "other"), ("t2", "ada", "secret"), ("t3", "ada", "other")] {
            try await store.record(
                Turn(
                    id: TurnID(rawValue: id), askerID: UserID(rawValue: asker),
                    question: "what did \(asker) ask about \(id)", answer: "an answer from \(key) for \(id)",
                    sourceKeys: [.of("c", MessageID(rawValue: key))], askedAt: .second(4)))
        }
        return generation
    }

    /// Erases as a workspace does, without indexes.
    func erase(_ subject: ErasureSubject, in store: SQLStore) async throws -> (ErasureCounts, ErasureProof) {
        let indistinctCount = try await store.recordEvidence(of: subject)
        let counts = try await store.erase(subject, at: .second(50))
        #expect(try await store.finishErasing(subject, at: .second(1_000)))
        try await store.rewrite()
        return (counts, try await store.proof(leavingOut: indistinctCount) { _, _ in })
    }

    @Test func nothingOfAUserRemains() async throws {
        try await DataFolder.with { folder, store in
            let generation = try await fill(store)
            try await store.addUsedTokens(["bob": 5, "ada": 7], on: 20_000)
            #expect(try folder.holds(Self.secret))

            let (counts, proof) = try await erase(.user("bob"), in: store)

            var expected = ErasureCounts()
            (expected.messages, expected.vectors, expected.turns, expected.redactedTurns) = (1, 1, 1, 1)
            (expected.memberships, expected.identities, expected.reactions) = (2, 1, 1)
            #expect(counts == expected)
            #expect(proof.remains.isEmpty)
            #expect(proof.searchedCount == 7)
            #expect(proof.fileCount >= 3)
            for text in [Self.secret, "drawing of the harbor safe", "what did bob ask", "from secret", "Name of bob"] {
                #expect(try !folder.holds(text), "\(text)")
            }
            #expect(try folder.holds(Self.kept))
            #expect(try await store.identities().map(\.externalID) == ["ada"])
            #expect(try await store.turns(of: "bob", limit: 9).isEmpty)
            #expect(try await store.inspect("SELECT user_id FROM user_tokens") == ["ada"])
            #expect(try await store.turns(of: "ada", limit: 9).map(\.question) == ["what did ada ask about t3", ""])
            #expect(try await store.status(of: generation).embeddedCount == 1)
            let scope = SearchScope(asker: "ada", conversations: .all)
            let loved = try await store.messages([.of("d", "loved")], in: scope, at: .second(60))
            #expect(
                loved[.of("d", "loved")]?.reactions == [Message.Reaction(emoji: "👍", userIDs: ["eve"])])
            #expect(try await store.roster(of: "c", asker: "ada", at: .second(60)).members.map(\.userID) == ["ada"])
            #expect(try await store.checkIntegrity().isSound)
            #expect(try await store.audit() == StoreAudit())
        }
    }

    /// Swift's strings are equal if they look the same; ids are not.
    @Test func whoseIDLooksTheSameIsNotErased() async throws {
        let twin: UserID = "\u{212A}arl"
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada", "Karl"])], source: "api", mode: .posting, at: .second(0))
            var message = Message.short("c", "m", by: "ada", Self.kept)
            message.reactions = [Message.Reaction(emoji: "👍", userIDs: ["Karl", twin])]
            _ = try await store.accept([message], source: "api", mode: .posting, at: .second(1))

            _ = try await erase(.user("Karl"), in: store)

            let found = try await store.stored([.of("c", "m")])
            #expect(found[.of("c", "m")]?.reactions == [Message.Reaction(emoji: "👍", userIDs: [twin])])
        }
    }

    @Test func nothingOfAConversationRemains() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)

            let (counts, proof) = try await erase(.conversation("c"), in: store)

            var expected = ErasureCounts()
            (expected.messages, expected.vectors, expected.queued, expected.redactedTurns) = (2, 1, 1, 3)
            (expected.memberships, expected.conversations) = (2, 1)
            #expect(counts == expected)
            #expect(proof.remains.isEmpty)
            for text in [Self.secret, "who will be at the pier", "Harbor masters", "an answer from"] {
                #expect(try !folder.holds(text), "\(text)")
            }
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                try await store.roster(of: "c", asker: "ada", at: .second(60))
            }
            #expect(try await store.messageCensus().count == 1)
            #expect(try await store.checkIntegrity().isSound)
            #expect(try await store.audit() == StoreAudit())
        }
    }

    @Test func whatWasErasedDoesNotComeBack() async throws {
        try await DataFolder.with { _, store in
            _ = try await fill(store)
            _ = try await erase(.conversation("c"), in: store)

            _ = try await store.store([.of("c", ["ada", "bob"])], source: "history", mode: .importing, at: .second(60))
            let outcomes = try await store.accept(
                [.short("c", "secret", by: "bob", Self.secret), .short("c", "new", by: "bob", "hello")],
                source: "history", mode: .importing, at: .second(60))

            #expect(outcomes == [.deletedBefore, .inserted])
        }
    }

    @Test func whatIsLeftSomewhereIsFound() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let text = Data("xx\(Self.secret)yy".utf8)
            try text.write(to: folder.url.appending(path: "left.txt"))
            let below = folder.url.appending(path: "index")
            try FileManager.default.createDirectory(at: below, withIntermediateDirectories: false)
            // Begins in one piece that is read and ends in the next.
            let padding = Data(repeating: 0x2E, count: (4 << 20) - 9)
            let bytes = Self.vector.withUnsafeBytes { Data($0) }
            try (padding + bytes).write(to: below.appending(path: "vectors"))

            let (_, proof) = try await erase(.user("bob"), in: store)

            #expect(
                proof.remains == [.init(file: "index/vectors", count: 1), .init(file: "left.txt", count: 1)])
        }
    }

    @Test func whatStandsElsewhereTooIsNoRemains() async throws {
        try await DataFolder.with { _, store in
            _ = try await fill(store)
            _ = try await store.accept(
                [.short("d", "same", by: "bob", Self.kept), .short("d", "short", by: "bob", "yes")], source: "api",
                mode: .posting, at: .second(9))

            let (_, proof) = try await erase(.user("bob"), in: store)

            #expect(proof.remains.isEmpty)
            // The text that Ada wrote too, the short one, and Bob's short name.
            #expect(proof.indistinctCount == 3)
        }
    }

    @Test func aRepetitionLooksForWhatWasGoneAlready() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let text = Data("xx\(Self.secret)yy".utf8)
            try text.write(to: folder.url.appending(path: "left.txt"))
            _ = try await store.recordEvidence(of: .user("bob"))
            _ = try await store.erase(.user("bob"), at: .second(50))
            _ = try await store.finishErasing(.user("bob"), at: .second(1_000))

            let (_, second) = try await erase(.user("bob"), in: store)
            #expect(second.remains == [.init(file: "left.txt", count: 1)])
            #expect(second.searchedCount == 7)
            #expect(try await store.inspect("SELECT COUNT(*) FROM erasure_pieces") != ["0"])
            try FileManager.default.removeItem(at: folder.url.appending(path: "left.txt"))
            let (_, third) = try await erase(.user("bob"), in: store)

            #expect(third.remains.isEmpty)
            #expect(third.searchedCount == 7)
            #expect(try await store.inspect("SELECT COUNT(*) FROM erasure_pieces") == ["0"])
        }
    }

    @Test func everyTextIsLookedForHoweverManyThereAre() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let texts = (0..<5_000).map { "the seal of crate number \($0) is unbroken" }
            let messages = texts.enumerated().map { Message.short("c", MessageID(rawValue: "n\($0)"), by: "bob", $1) }
            _ = try await store.accept(messages, source: "api", mode: .posting, at: .second(9))
            let left = (["nothing"] + [texts[0], texts[2_500], texts[4_999]]).joined(separator: "\n")
            try Data(left.utf8).write(to: folder.url.appending(path: "left.txt"))

            let (_, proof) = try await erase(.user("bob"), in: store)

            #expect(proof.searchedCount == 5_007)
            #expect(proof.remains.map(\.file) == ["left.txt"])
            #expect(try #require(proof.remains.first).count == 3)
        }
    }

    @Test func anErasureThatBreaksOffIsCompletedByARepetition() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let before = try await Picture(of: store)
            let first = try folder.copied()
            _ = try await store.erase(.user("bob"), at: .second(50))
            let second = try folder.copied()
            _ = try await store.finishErasing(.user("bob"), at: .second(1_000))
            let third = try folder.copied()
            let images = [first, second, third]
            defer { images.forEach { $0.remove() } }
            var pictures: [Picture] = []
            for image in images {
                let crashed = try await image.open()
                #expect(try await crashed.checkIntegrity().isSound)
                #expect(try await crashed.audit() == StoreAudit())
                if image.url == first.url { #expect(try await Picture(of: crashed) == before) }
                let (_, proof) = try await erase(.user("bob"), in: crashed)
                #expect(proof.remains.isEmpty)
                #expect(try !image.holds(Self.secret))
                #expect(try !image.holds("Name of bob"))
                pictures.append(try await Picture(of: crashed))
                await crashed.close()
            }
            #expect(pictures[1] == pictures[0])
            #expect(pictures[2] == pictures[0])
        }
    }
}
