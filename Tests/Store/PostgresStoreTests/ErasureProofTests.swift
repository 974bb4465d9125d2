import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Erasures in PostgreSQL, and the search for what they erased.
@Suite(.hangGuard) struct ErasureProofTests {
    /// The control character keeps them out of the message.
    private static let words =
        "\u{1}The marigold is kept behind the third pillar of the old harbor office, its key beside the tide tables."
    private static let secret = "the combination of the harbor safe is 4711"

    private func fill(_ store: SQLStore) async throws {
        _ = try await store.store(
            [.of("c", ["ada", "bob"]), .of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let space = EmbeddingSpace(provider: "builtin", model: "m", dimensions: 8)
        let generation = try await store.beginGeneration(space, baseURL: nil, refilling: false, at: .second(0)).number
        try await upload("f", Self.words, by: "ada", to: store)
        try await upload("other", "A list of berths that Bob keeps for himself.", by: "bob", to: store)
        var message = Message.short("c", "secret", by: "ada", Self.secret)
        message.attachments = [Message.Attachment(file: "f")]
        let kept = Message.short("d", "kept", by: "bob", "the ferry to the island leaves at noon")
        _ = try await store.accept([message, kept], source: "api", mode: .posting, at: .second(1))
        let items = try await store.claim(9, for: generation, until: .second(60), at: .second(2))
        let embedded = items.map { item in
            let isKept = item.messageKey.messageID == "kept"
            let vector: [Float] = [0.25, 0.5, 0.125, 0.75, 0.3125, 0.0625, 0.6875, 0.4375]
            return EmbeddedMessage.of(item, vector: isKept ? vector.reversed() : vector)
        }
        _ = try await store.commit(embedded, at: .second(3))
        // More rows than a cursor reads at a time.
        let others = (0..<450).map { number in
            Message.short("d", MessageID(rawValue: "\(number)"), by: "bob", "berth \(number) is free")
        }
        _ = try await store.accept(others, source: "api", mode: .posting, at: .second(4))
    }

    private func upload(_ id: FileID, _ text: String, by owner: UserID, to store: SQLStore) async throws {
        let (content, end) = AsyncStream<[UInt8]>.makeStream()
        end.yield(Array(text.utf8))
        end.finish()
        let draft = FileDraft(id: id, ownerID: owner, name: "plan.txt", moment: .second(1))
        _ = try await store.storeFile(draft, content: content, limits: FileLimits())
    }

    /// Erases as a workspace does, without indexes.
    private func erase(_ subject: ErasureSubject, in store: SQLStore) async throws -> Int {
        let indistinctCount = try await store.recordEvidence(of: subject)
        _ = try await store.erase(subject, at: .second(50))
        #expect(try await store.finishErasing(subject, at: .second(1_000)))
        try await store.rewrite()
        return indistinctCount
    }

    @Test(arguments: [ErasureSubject.user("ada"), .conversation("c")])
    func nothingRemains(subject: ErasureSubject) async throws {
        try await PostgresServer.shared().withStore { store, address in
            try await fill(store)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(
                "INSERT INTO arriving_files (id, owner_id, byte_count, heard_at) VALUES ('a', 'ada', 0, 0)")

            let indistinctCount = try await erase(subject, in: store)
            let proof = try await store.proof(leavingOut: indistinctCount) { done, total in #expect(done <= total) }

            #expect(proof.remains.isEmpty)
            #expect(proof.searchedCount >= 4)
            #expect(proof.tableCount > 40 && proof.byteCount > 0)
            #expect(try await store.inspect("SELECT item FROM erasure_pieces").isEmpty)
            #expect(try await store.inspect("SELECT DISTINCT file_id FROM file_bytes") == ["other"])
            let isUser = subject == .user("ada")
            #expect(try await store.inspect("SELECT id FROM arriving_files") == (isUser ? [] : ["a"]))
            #expect(try await store.audit().damagedFiles == 0)
            let (file, content) = try await store.file("other", for: "bob", at: .second(60))
            #expect(try await content.bytes(from: 0, count: 99).count == file.byteCount)
        }
    }

    @Test func whatIsLeftInATableIsFound() async throws {
        try await PostgresServer.shared().withStore { store, address in
            try await fill(store)
            let indistinctCount = try await erase(.conversation("c"), in: store)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            // A table of somebody else, and a file with new pieces within both of its noted parts.
            let places = [0, Self.words.utf8.count / 3 + 5, Self.words.utf8.count / 3 * 2 + 7]
            let pieces = zip(places, places.dropFirst() + [Self.words.utf8.count]).map { start, end in
                "('left', \(start), '\(Self.words.dropFirst(start).prefix(end - start))')"
            }
            try connection.run(
                """
                CREATE TABLE copies (number BIGINT, "the Content" JSONB, raw BYTEA);
                INSERT INTO copies VALUES (1, '{"text": "\(Self.secret)"}', NULL), (2, NULL, '\(Self.words)');
                INSERT INTO arriving_files (id, owner_id, byte_count, heard_at) VALUES ('left', 'eve', 9, 0);
                INSERT INTO file_bytes (file_id, place, bytes) VALUES \(pieces.joined(separator: ", "))
                """)

            let proof = try await store.proof(leavingOut: indistinctCount) { _, _ in }
            #expect(proof.remains.map(\.file) == ["copies.raw", "copies.the Content", "file_bytes.bytes"])
            #expect(proof.remains.allSatisfy { $0.count > 0 })
            #expect(try await !store.inspect("SELECT item FROM erasure_pieces").isEmpty)

            try connection.run("DROP TABLE copies; DELETE FROM arriving_files; DELETE FROM file_bytes")
            let second = try await store.proof(leavingOut: 0) { _, _ in }
            #expect(second.remains.isEmpty)
            #expect(try await store.inspect("SELECT item FROM erasure_pieces").isEmpty)
        }
    }
}
