import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Bytes of files in the database, with two nodes.
@Suite(.hangGuard) struct FileBytesTests {
    private struct BrokenOff: Error {}

    private static let words = Array("The marigold is kept behind the third pillar of the old harbor office.".utf8)

    /// Three pieces, in which no place looks like another.
    private static let long: [UInt8] = (0..<3 * 64 * 1024).flatMap { (number: Int) -> [UInt8] in
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), 7, UInt8(number >> 16)]
    }

    private func withTwoNodes(_ body: (SQLStore, SQLStore, LibpqConnection) async throws -> Void) async throws {
        try await PostgresServer.shared().withStore { first, address in
            _ = try await first.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await PostgresServer.shared().withNode(at: address) { second in
                let connection = try LibpqConnection(address)
                defer { connection.close() }
                try await body(first, second, connection)
            }
        }
    }

    private func upload(
        _ id: FileID, _ bytes: [UInt8] = words, by owner: UserID = "ada", limits: FileLimits = FileLimits(),
        at moment: Timestamp = .second(1), to store: SQLStore
    ) async throws -> StoredFile {
        let (content, end) = AsyncStream<[UInt8]>.makeStream()
        for start in stride(from: 0, to: bytes.count, by: 50_000) {
            end.yield(Array(bytes[start...].prefix(50_000)))
        }
        end.finish()
        return try await upload(id, content, by: owner, limits: limits, at: moment, to: store)
    }

    private func upload<Content: AsyncSequence & Sendable>(
        _ id: FileID, _ content: Content, by owner: UserID = "ada", limits: FileLimits = FileLimits(),
        at moment: Timestamp = .second(1), to store: SQLStore
    ) async throws -> StoredFile where Content.Element == [UInt8] {
        let draft = FileDraft(id: id, ownerID: owner, name: "plan.txt", moment: moment)
        return try await store.storeFile(draft, content: content, limits: limits)
    }

    private func post(_ id: MessageID, _ files: FileID..., to store: SQLStore) async throws {
        var message = Message.short("c", id, "")
        message.attachments = files.map { Message.Attachment(file: $0) }
        let outcomes = try await store.accept([message], source: "api", mode: .posting, at: .second(2))
        #expect(outcomes == [.inserted])
    }

    private func bytes(_ id: FileID, for user: UserID = "ada", at store: SQLStore) async throws -> [UInt8] {
        let (file, content) = try await store.file(id, for: user, at: .second(9))
        return try await content.bytes(from: 0, count: file.byteCount + 1)
    }

    /// The files that have bytes, and those that arrive.
    private func present(_ store: SQLStore) async throws -> [String] {
        let sql = "SELECT DISTINCT file_id FROM file_bytes UNION SELECT '+' || id FROM arriving_files"
        return try await store.inspect(sql).sorted()
    }

    /// Waits until as many pieces have arrived.
    private func waitForPieces(_ count: Int, of id: FileID, at store: SQLStore) async throws {
        let sql = "SELECT COUNT(*) FROM file_bytes WHERE file_id = '\(id)'"
        while try await store.inspect(sql) != ["\(count)"] { await shortPause() }
    }

    @Test func everyNodeReadsAFile() async throws {
        try await withTwoNodes { first, second, _ in
            let all = Self.long + Self.words
            let stored = try await upload("f", all, to: first)
            try await post("m", "f", to: first)

            let (file, content) = try await second.file("f", for: "bob", at: .second(9))
            #expect(file == stored)
            #expect(try await bytes("f", for: "bob", at: second) == all)
            #expect(try await first.inspect("SELECT COUNT(*) FROM file_bytes") == ["4"])
            let piece = 256 * 1024
            for range in [0..<1, 5..<105, piece - 3..<piece + 3, piece..<piece + 1, 1..<3 * piece + 9] {
                let found = try await content.bytes(from: range.lowerBound, count: range.count)
                #expect(found == Array(all[range]), "\(range)")
            }
            #expect(try await content.bytes(from: all.count - 2, count: 9) == all.suffix(2))
            #expect(try await content.bytes(from: all.count, count: 9).isEmpty)
            var audit = StoreAudit()
            audit.files = 1
            #expect(try await second.audit() == audit)
        }
    }

    @Test func missingBytesAreCounted() async throws {
        try await withTwoNodes { first, second, connection in
            _ = try await upload("f", Self.long, to: first)
            try connection.run("DELETE FROM file_bytes WHERE place > 0")

            #expect(try await second.audit().damagedFiles == 1)
            let (_, content) = try await second.file("f", for: "ada", at: .second(9))
            #expect(try await content.bytes(from: 300_000, count: 9).isEmpty)
        }
    }

    @Test func anEmptyFileHasNoBytes() async throws {
        try await withTwoNodes { first, second, _ in
            _ = try await upload("f", [], to: first)

            #expect(try await bytes("f", at: second).isEmpty)
            #expect(try await second.audit().damagedFiles == 0)
        }
    }

    @Test func bytesArriveWhileAnotherTransactionWrites() async throws {
        try await withTwoNodes { first, second, connection in
            try connection.run("SET idle_in_transaction_session_timeout = 0")
            try connection.run("BEGIN; SELECT 1 FROM change_lanes FOR UPDATE")
            let (content, end) = AsyncStream<[UInt8]>.makeStream()
            async let file = upload("f", content, to: first)
            end.yield(Self.long)
            try await waitForPieces(3, of: "f", at: second)
            #expect(try await present(second) == ["+f", "f"])
            end.finish()
            try connection.run("COMMIT")

            let byteCount = try await file.byteCount
            #expect(byteCount == Self.long.count)
            #expect(try await present(second) == ["f"])
        }
    }

    @Test func bytesGoWithTheirFileAtEveryNode() async throws {
        try await withTwoNodes { first, second, _ in
            for id in ["deleted", "edited", "own", "old", "kept"] as [FileID] {
                _ = try await upload(id, at: .second(id == "kept" ? 8 : 1), to: first)
            }
            try await post("m1", "deleted", to: first)
            try await post("m2", "edited", to: first)
            let (_, content) = try await first.file("deleted", for: "bob", at: .second(3))

            try await second.delete(.of("c", "m1"), at: .second(4))
            _ = try await second.edit(.of("c", "m2"), text: "without", files: [], at: .second(4))
            try await second.removeUnattachedFile("own", of: "ada")
            #expect(try await second.removeUnattachedFiles(before: .second(5)) == 1)

            #expect(try await present(first) == ["kept"])
            await #expect(throws: FileError.noSuchFile("deleted")) { try await content.bytes(from: 0, count: 3) }
            await #expect(throws: FileError.noSuchFile("edited")) { try await bytes("edited", at: first) }
            #expect(try await bytes("kept", at: second) == Self.words)
        }
    }

    @Test func nothingIsKeptOfARefusedOrBrokenUpload() async throws {
        try await withTwoNodes { first, second, _ in
            let (content, end) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            end.yield(Self.long)
            end.finish(throwing: BrokenOff())

            await #expect(throws: FileError.interrupted) { try await upload("f", content, to: first) }
            await #expect(throws: FileError.tooLarge(limit: 8)) {
                try await upload("f", limits: FileLimits(fileBytes: 8), to: first)
            }
            await #expect(throws: FileError.folderFull) {
                try await upload("f", Self.long, limits: FileLimits(totalBytes: 300_000), to: first)
            }
            _ = try await upload("f", to: first)
            await #expect(throws: RepositoryError.unavailable(reason: "a file with this id exists")) {
                try await upload("f", Self.long, to: second)
            }

            #expect(try await present(first) == ["f"])
            #expect(try await bytes("f", at: second) == Self.words)
        }
    }

    @Test func uploadsToAllNodesShareTheLimitOfFiles() async throws {
        try await withTwoNodes { first, second, _ in
            let limits = FileLimits(fileBytes: 100, unattachedCount: 3)
            let stored = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let id = FileID(rawValue: "f\(number)")
                        do {
                            _ = try await upload(id, limits: limits, to: number % 2 == 0 ? first : second)
                            return true
                        } catch {
                            #expect(error as? FileError == .tooManyUnattached(limits))
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            let kept = try await present(first)
            #expect(stored == 3 && kept.count == 3)
        }
    }

    @Test func bytesThatArriveAtAnotherNodeCount() async throws {
        try await withTwoNodes { first, second, _ in
            let limits = FileLimits(fileBytes: Self.long.count, unattachedBytes: Self.long.count + 10)
            let (content, end) = AsyncStream<[UInt8]>.makeStream()
            async let file = upload("f", content, limits: limits, to: first)
            end.yield(Self.long)
            try await waitForPieces(3, of: "f", at: second)

            await #expect(throws: FileError.tooManyUnattached(limits)) {
                try await upload("g", limits: limits, to: second)
            }
            await #expect(throws: FileError.folderFull) {
                try await upload("h", by: "bob", limits: FileLimits(totalBytes: Self.long.count), to: second)
            }
            _ = try await upload("i", by: "bob", limits: limits, to: second)
            end.finish()

            let byteCount = try await file.byteCount
            #expect(byteCount == Self.long.count)
            #expect(try await present(first) == ["f", "i"])
        }
    }

    @Test func piecesOfUploadsThatNeverEndedAreRemovedByAge() async throws {
        try await withTwoNodes { first, second, connection in
            let (content, end) = AsyncStream<[UInt8]>.makeStream()
            async let file = upload("slow", content, to: second)
            end.yield(Self.long)
            try await waitForPieces(3, of: "slow", at: first)
            // As if a node had ended, and the other one had heard nothing for long.
            try connection.run(
                """
                INSERT INTO arriving_files (id, owner_id, byte_count, heard_at) VALUES ('lost', 'ada', 3, 0);
                INSERT INTO file_bytes (file_id, place, bytes) VALUES ('lost', 0, 'abc');
                UPDATE arriving_files SET heard_at = 0
                """)
            #expect(try await present(first) == ["+lost", "+slow", "lost", "slow"])

            #expect(try await second.removeUnattachedFiles(before: .second(5)) == 0)
            #expect(try await present(first) == ["+slow", "slow"])
            #expect(try await first.removeUnattachedFiles(before: .second(5)) == 0)
            end.finish()

            let byteCount = try await file.byteCount
            #expect(byteCount == Self.long.count)
            #expect(try await bytes("slow", at: first) == Self.long)
        }
    }

    @Test func anUploadWhoseBeginningWasRemovedFails() async throws {
        try await withTwoNodes { first, second, connection in
            let (content, end) = AsyncStream<[UInt8]>.makeStream()
            let uploading = Task { try await upload("f", content, to: second) }
            end.yield(Self.long)
            try await waitForPieces(3, of: "f", at: first)
            try connection.run("UPDATE arriving_files SET heard_at = 0")

            _ = try await first.removeUnattachedFiles(before: .second(5))
            end.finish()

            await #expect(throws: FileError.interrupted) { try await uploading.value }
            #expect(try await present(first).isEmpty)
        }
    }
}
