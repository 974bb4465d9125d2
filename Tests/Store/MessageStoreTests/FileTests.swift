import ChatCore
import Foundation
import GRDB
import MessageStore
import SQLiteStore
import TestSupport
import Testing

@Suite struct FileTests {
    private struct BrokenOff: Error {}

    private static let words = "The marigold is kept behind the third pillar of the old harbor office."

    /// Bytes in pieces of a size, then an error if it is wanted.
    private struct Pieces: AsyncSequence, Sendable {
        let bytes: [UInt8]
        var pieceByteCount = 7
        var breaksOff = false

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<UInt8>
            let pieceByteCount: Int
            let breaksOff: Bool

            mutating func next() async throws -> [UInt8]? {
                guard !rest.isEmpty else {
                    if breaksOff { throw BrokenOff() }
                    return nil
                }
                defer { rest = rest.dropFirst(pieceByteCount) }
                return Array(rest.prefix(pieceByteCount))
            }
        }

        func makeAsyncIterator() -> Iterator {
            Iterator(rest: bytes[...], pieceByteCount: pieceByteCount, breaksOff: breaksOff)
        }
    }

    private func upload(
        _ id: FileID, _ text: String = words, by owner: UserID = "ada", name: String = "plan.txt",
        limits: FileLimits = FileLimits(), at moment: Timestamp = .second(1), in store: SQLStore
    ) async throws -> StoredFile {
        try await store.storeFile(
            FileDraft(id: id, ownerID: owner, name: name, moment: moment), content: Pieces(bytes: Array(text.utf8)),
            limits: limits)
    }

    private func message(_ id: MessageID, _ files: FileID..., by sender: UserID = "ada") -> Message {
        var message = Message.short("c", id, by: sender, "")
        message.attachments = files.map { Message.Attachment(file: $0) }
        return message
    }

    private func post(_ message: Message, in store: SQLStore) async throws -> AcceptOutcome? {
        try await store.accept([message], source: "api", mode: .posting, at: .second(2)).first
    }

    private func text(_ id: FileID, for user: UserID, in store: SQLStore) async throws -> String {
        let (file, content) = try await store.file(id, for: user, at: .second(50))
        return String(decoding: try await content.bytes(from: 0, count: file.byteCount + 1), as: UTF8.self)
    }

    /// The names of the files in the folder, arriving ones included.
    private func names(_ folder: DataFolder) throws -> [String] {
        let files = folder.url.appending(path: "files")
        let arriving = try? FileManager.default.contentsOfDirectory(atPath: files.appending(path: "incoming").path)
        let kept = try? FileManager.default.contentsOfDirectory(atPath: files.path)
        return ((kept ?? []) + (arriving ?? [])).filter { $0 != "incoming" }.sorted()
    }

    private func withStore(_ body: (DataFolder, SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { folder, store in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await body(folder, store)
        }
    }

    private func expectHidden(_ id: FileID, from user: UserID, in store: SQLStore) async throws {
        await #expect(throws: FileError.noSuchFile(id)) { try await store.file(id, for: user, at: .second(50)) }
    }

    @Test func onePersonTakesOnlyAShareOfAllFiles() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            let limits = FileLimits(fileBytes: 40, totalBytes: 1_000, personBytes: 100)
            let text = String(repeating: "x", count: 40)
            for id in ["a", "b"] as [FileID] { _ = try await upload(id, text, limits: limits, in: store) }
            #expect(try await post(message("m", "a", "b"), in: store) == .inserted)

            await #expect(throws: FileError.shareFull(limit: 100)) {
                _ = try await upload("c", text, limits: limits, in: store)
            }
            _ = try await upload("d", String(repeating: "x", count: 20), limits: limits, in: store)
            await #expect(throws: FileError.shareFull(limit: 100)) {
                _ = try await upload("e", "x", limits: limits, in: store)
            }
            _ = try await upload("f", text, by: "bob", limits: limits, in: store)
            #expect(try await store.fileUse(of: "ada") == FileUse(count: 3, byteCount: 100))
            let uses = try await store.largestFileUses(limit: 1)
            #expect(uses.map(\.owner) == ["ada"] && uses.first?.use.byteCount == 100)

            // Who deletes a message gets its share back.
            try await store.delete(.of("c", "m"), at: .second(3))
            _ = try await upload("g", text, limits: limits, in: store)
            #expect(try await store.fileUse(of: "ada") == FileUse(count: 2, byteCount: 60))
        }
    }

    @Test func theShareOfAPersonIsATenthUnlessItIsSet() {
        #expect(FileLimits().personBytes == 1 << 30)
        #expect(FileLimits(fileBytes: 50, totalBytes: 100).personBytes == 50)
        #expect(FileLimits(totalBytes: 1 << 40, personBytes: 1 << 35).personBytes == 1 << 35)
    }

    @Test func aFileIsItsOwnersUntilAMessageTakesIt() async throws {
        try await withStore { _, store in
            let file = try await upload("f", in: store)

            #expect(file.mediaType == .text && file.byteCount == Self.words.utf8.count)
            #expect(try await text("f", for: "ada", in: store) == Self.words)
            try await expectHidden("f", from: "bob", in: store)

            #expect(try await post(message("m", "f"), in: store) == .inserted)

            #expect(try await text("f", for: "bob", in: store) == Self.words)
            try await expectHidden("f", from: "eve", in: store)
            let stored = try #require(try await store.stored([.of("c", "m")])[.of("c", "m")])
            #expect(stored.attachments == [Message.Attachment(file, content: Self.words)])
            #expect(stored.searchableText.contains("marigold") && !stored.shownText.contains("marigold"))
        }
    }

    @Test func aMemberWhoLeftReadsNoFile() async throws {
        try await withStore { _, store in
            _ = try await upload("f", in: store)
            _ = try await post(message("m", "f"), in: store)
            _ = try await text("f", for: "bob", in: store)
            try await store.removeMember("bob", from: "c", at: .second(40))

            try await expectHidden("f", from: "bob", in: store)
            #expect(try await text("f", for: "ada", in: store) == Self.words)
        }
    }

    @Test func onlyOwnUnusedFilesAreTaken() async throws {
        try await withStore { _, store in
            for id in ["own", "used", "foreign"] as [FileID] {
                _ = try await upload(id, by: id == "foreign" ? "bob" : "ada", in: store)
            }
            #expect(try await post(message("m1", "used"), in: store) == .inserted)

            for ids in [["used"], ["foreign"], ["none"], ["own", "own"], ["own", "foreign"]] as [[FileID]] {
                var refused = message("m2")
                refused.attachments = ids.map { Message.Attachment(file: $0) }
                guard case .invalid(field: "attachments", _) = try await post(refused, in: store) else {
                    Issue.record("\(ids) were taken")
                    continue
                }
            }
            #expect(try await post(message("m2", "own"), in: store) == .inserted)
            // Sent again, it is the same message.
            #expect(try await post(message("m2", "own"), in: store) == .unchanged("m2"))
        }
    }

    @Test func aFileGoesWithItsMessage() async throws {
        try await withStore { folder, store in
            _ = try await upload("f", in: store)
            _ = try await post(message("m", "f"), in: store)
            let (_, content) = try await store.file("f", for: "bob", at: .second(3))

            try await store.delete(.of("c", "m"), at: .second(9))

            #expect(try names(folder).isEmpty)
            try await expectHidden("f", from: "ada", in: store)
            // Who reads it already reads it to the end.
            #expect(try await content.bytes(from: 0, count: 3) == Array("The".utf8))
            #expect(try await store.audit() == StoreAudit())
        }
    }

    @Test func anEditReplacesFiles() async throws {
        try await withStore { folder, store in
            for id in ["a", "b", "d"] as [FileID] { _ = try await upload(id, in: store) }
            _ = try await post(message("m", "a", "b"), in: store)

            let edited = try await store.edit(.of("c", "m"), text: "new", files: ["b", "d"], at: .second(9))

            #expect(edited.text == "new" && edited.fileIDs == ["b", "d"])
            #expect(try names(folder) == ["b", "d"])
            #expect(try await text("d", for: "bob", in: store) == Self.words)
            await #expect(throws: RepositoryError.self) {
                try await store.edit(.of("c", "m"), text: "", files: [], at: .second(9))
            }
            let plain = try await store.edit(.of("c", "m"), text: nil, files: [], at: .second(9))
            #expect(plain.text == "new" && plain.attachments.isEmpty)
            #expect(try names(folder).isEmpty)
        }
    }

    @Test func aBrokenUploadLeavesNothing() async throws {
        try await withStore { folder, store in
            let draft = FileDraft(id: "f", ownerID: "ada", name: nil, moment: .second(1))
            let broken = Pieces(bytes: Array(Self.words.utf8), breaksOff: true)

            await #expect(throws: FileError.interrupted) {
                try await store.storeFile(draft, content: broken, limits: FileLimits())
            }
            await #expect(throws: FileError.tooLarge(limit: 8)) {
                try await upload("f", limits: FileLimits(fileBytes: 8), in: store)
            }
            await #expect(throws: FileError.folderFull) {
                try await upload("f", limits: FileLimits(totalBytes: 8), in: store)
            }
            await #expect(throws: RepositoryError.self) { try await upload("../f", in: store) }

            #expect(try names(folder).isEmpty)
            #expect(try await store.audit().files == 0)
            // What did not arrive takes no room.
            _ = try await upload("f", limits: FileLimits(totalBytes: Self.words.utf8.count), in: store)
            #expect(try names(folder) == ["f"])
        }
    }

    @Test func aPersonHasFewFilesWithoutAMessage() async throws {
        try await withStore { folder, store in
            let limits = FileLimits(fileBytes: 100, unattachedCount: 2)
            for id in ["a", "b"] as [FileID] { _ = try await upload(id, limits: limits, in: store) }

            await #expect(throws: FileError.tooManyUnattached(limits)) {
                try await upload("c", limits: limits, in: store)
            }
            #expect(try names(folder) == ["a", "b"])

            // Others have their own, and a message or a day makes room.
            _ = try await upload("other", by: "bob", limits: limits, in: store)
            _ = try await post(message("m", "a"), in: store)
            _ = try await upload("c", limits: limits, at: .second(9), in: store)
            await #expect(throws: FileError.tooManyUnattached(limits)) {
                try await upload("d", limits: limits, in: store)
            }
            #expect(try await store.removeUnattachedFiles(before: .second(5)) == 2)
            _ = try await upload("d", limits: limits, in: store)
            #expect(try names(folder) == ["a", "c", "d"])
        }
    }

    @Test func theFilesOfAPersonWithoutAMessageHaveFewBytes() async throws {
        try await withStore { folder, store in
            let count = Self.words.utf8.count
            let limits = FileLimits(fileBytes: count, unattachedBytes: 2 * count - 1)
            _ = try await upload("a", limits: limits, in: store)

            await #expect(throws: FileError.tooManyUnattached(limits)) {
                try await upload("b", limits: limits, in: store)
            }
            _ = try await upload("b", String(Self.words.dropLast()), limits: limits, in: store)

            #expect(try names(folder) == ["a", "b"])
            // One file of the largest size is always possible.
            #expect(FileLimits(fileBytes: 10, unattachedBytes: 3).unattachedBytes == 10)
            #expect(FileLimits(fileBytes: 10).unattachedBytes == 100)
        }
    }

    /// Uploads that arrive at the same time count together, and leave nothing of those that are refused.
    @Test func uploadsAtTheSameTimeShareTheLimit() async throws {
        try await withStore { folder, store in
            let limits = FileLimits(fileBytes: 100, unattachedCount: 3)
            let stored = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        do {
                            _ = try await upload(FileID(rawValue: "f\(number)"), limits: limits, in: store)
                            return true
                        } catch {
                            #expect(error as? FileError == .tooManyUnattached(limits))
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            let kept = try names(folder)
            #expect(stored == 3 && kept.count == 3)
        }
    }

    @Test func aFullDatabaseKeepsNoBytes() async throws {
        try await withStore { folder, store in
            _ = try await upload("first", in: store)
            try await store.setPageLimit(1)
            let long = String(repeating: "many words that need pages of the database. ", count: 4_000)

            await #expect(throws: RepositoryError.storageFull) { try await upload("f", long, in: store) }

            #expect(try names(folder) == ["first"])
        }
    }

    @Test func leftoversGoAtTheStart() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let store = try await folder.open()
        _ = try await upload("kept", in: store)
        await store.close()
        let files = folder.url.appending(path: "files")
        try Data("x".utf8).write(to: files.appending(path: "unknown"))
        try Data("x".utf8).write(to: files.appending(path: "incoming/part"))

        let opened = try await folder.open()

        #expect(try names(folder) == ["kept"])
        #expect(try await text("kept", for: "ada", in: opened) == Self.words)
        await opened.close()
    }

    @Test func anOwnFileWithoutAMessageCanBeDeleted() async throws {
        try await withStore { folder, store in
            for id in ["own", "used"] as [FileID] { _ = try await upload(id, in: store) }
            _ = try await upload("other", by: "bob", in: store)
            _ = try await post(message("m", "used"), in: store)

            try await store.removeUnattachedFile("own", of: "ada")
            for id in ["own", "used", "other", "none"] as [FileID] {
                await #expect(throws: FileError.noSuchFile(id)) {
                    try await store.removeUnattachedFile(id, of: "ada")
                }
            }

            #expect(try names(folder) == ["other", "used"])
        }
    }

    @Test func filesWithoutAMessageGoAfterADay() async throws {
        try await withStore { folder, store in
            _ = try await upload("old", at: .second(1), in: store)
            _ = try await upload("used", at: .second(1), in: store)
            _ = try await upload("new", at: .second(9), in: store)
            _ = try await post(message("m", "used"), in: store)

            #expect(try await store.removeUnattachedFiles(before: .second(5)) == 1)

            #expect(try names(folder) == ["new", "used"])
        }
    }

    @Test(arguments: [ErasureSubject.user("ada"), .conversation("c")])
    func nothingOfErasedFilesRemains(subject: ErasureSubject) async throws {
        try await withStore { folder, store in
            _ = try await upload("f", name: "marigold-plan.txt", in: store)
            _ = try await post(message("m", "f"), in: store)
            _ = try await upload("other", "A list of berths that Bob keeps for himself.", by: "bob", in: store)
            if case .user = subject { _ = try await upload("loose", Self.words + " Again.", in: store) }
            let fileCount = try await store.erasureCounts(of: subject).files
            let indistinct = try await store.recordEvidence(of: subject)

            let counts = try await store.erase(subject, at: .second(30))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))
            try await store.rewrite()
            let proof = try await store.proof(leavingOut: indistinct) { _, _ in }

            #expect(counts.files == fileCount)
            #expect(try names(folder) == ["other"])
            #expect(proof.remains.isEmpty && proof.searchedCount > 0)
            #expect(try Data(contentsOf: folder.database).range(of: Data("marigold".utf8)) == nil)
            #expect(try await text("other", for: "bob", in: store).hasPrefix("A list"))
        }
    }

    @Test func erasedBytesThatAreLeftSomewhereAreFound() async throws {
        try await withStore { folder, store in
            _ = try await upload("f", in: store)
            _ = try await post(message("m", "f"), in: store)
            let path = folder.url.appending(path: "files/f")
            let copy = folder.url.appending(path: "left")
            try FileManager.default.copyItem(at: path, to: copy)
            let indistinct = try await store.recordEvidence(of: .conversation("c"))
            _ = try await store.erase(.conversation("c"), at: .second(30))
            _ = try await store.finishErasing(.conversation("c"), at: .second(1_000))
            try await store.rewrite()

            let proof = try await store.proof(leavingOut: indistinct) { _, _ in }

            #expect(proof.remains.map(\.file) == ["left"])
        }
    }

    @Test func aBackupHoldsTheFiles() async throws {
        try await withStore { folder, store in
            _ = try await upload("f", in: store)
            _ = try await upload("lost", in: store)
            _ = try await post(message("m", "f"), in: store)
            try FileManager.default.removeItem(at: folder.url.appending(path: "files/lost"))
            #expect(try await store.audit().damagedFiles == 1)
            let backup = DataFolder()
            let target = DataFolder()
            defer {
                backup.remove()
                target.remove()
            }

            let manifest = try await store.backup(to: backup.url, program: "7", at: .second(9))
            try await store.delete(.of("c", "m"), at: .second(20))

            #expect(manifest.counts.files == 2 && manifest.missingFiles == ["lost"])
            #expect(try names(backup) == ["f"])
            #expect(try BackupRestore.run(from: backup.url, to: target.url, replacing: false) == manifest)
            let restored = try await target.open()
            #expect(try await text("f", for: "bob", in: restored) == Self.words)
            await restored.close()

            // A damaged copy is noticed before anything is replaced.
            try Data("other".utf8).write(to: backup.url.appending(path: "files/f"))
            #expect(throws: BackupError.notAsMade(field: "files")) {
                try BackupRestore.run(from: backup.url, to: target.url, replacing: true)
            }
            #expect(try names(target) == ["f"])
        }
    }

    @Test func aRestoreThatWasInterruptedIsCompletedWithItsFiles() async throws {
        try await withStore { _, store in
            _ = try await upload("f", in: store)
            let backup = DataFolder()
            let target = DataFolder()
            defer {
                backup.remove()
                target.remove()
            }
            _ = try await store.backup(to: backup.url, program: "7", at: .second(9))
            let old = try await target.open()
            _ = try await upload("old", in: old)
            await old.close()

            #expect(throws: BrokenOff.self) {
                try BackupRestore.run(from: backup.url, to: target.url, replacing: true) { throw BrokenOff() }
            }
            let opened = try await target.open()

            #expect(try names(target) == ["f"])
            #expect(try await text("f", for: "ada", in: opened) == Self.words)
            await opened.close()
        }
    }
}
