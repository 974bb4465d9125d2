import ChatCore
import Foundation
import Ingest
import Retrieval
import TestSupport
import Testing

/// An index with snapshot files answers as one without, whatever becomes of the files.
@Suite struct SnapshotTests {
    private let bench = SnapshotBench()
    private let questions = ["the pilot", "a pilot costs money", "my cat", "a berth"]

    /// Fills a store and lets a first process write a file.
    private func written() async throws -> (store: InMemoryStore, process: SnapshotBench.Process) {
        let store = try await bench.filledStore()
        let process = bench.start(store)
        try await process.index.follow()
        await process.index.saveIfDue()
        try #require(bench.files.count == 1)
        try #require(try await store.snapshots().values.map(\.name) == bench.files.map(\.lastPathComponent))
        return (store, process)
    }

    /// Compares a process with one that reads everything from the same store.
    private func requireSameAnswers(
        _ process: SnapshotBench.Process, location: SourceLocation = #_sourceLocation
    ) async throws {
        let plain = bench.start(process.store.base, hasFiles: false)
        for question in questions {
            for sender in [nil, "ada", "bob", "robert"] as [UserID?] {
                let found = try await process.found(question, sender: sender)
                let wanted = try await plain.found(question, sender: sender)
                try #require(found == wanted, sourceLocation: location)
            }
        }
        #expect(process.index.passageCount == plain.index.passageCount, sourceLocation: location)
    }

    @Test func aStartMapsTheFileAndFollowsWhatCameAfter() async throws {
        let (store, first) = try await written()
        #expect(first.store.passagesRead == 40)
        try await bench.post(40..<43, to: store)
        try await store.delete(.of("c1", "m1"), at: bench.clock.now())
        _ = try await store.edit(.of("c0", "m0"), text: "a berth for the cat", at: bench.clock.now())
        try await bench.worker(store).drain { _ in }
        _ = try await store.map(
            Identity(source: "test", externalID: "bob", userID: "robert"), at: bench.clock.now())

        let next = bench.start(store)
        try await next.index.follow()

        // Three new ones, one edited, and bob's, of which one is new and one deleted.
        #expect(next.store.passagesRead == 3 + 1 + 19)
        #expect(next.index.isLoaded)
        try await requireSameAnswers(next)
        try await requireSameAnswers(first)
    }

    @Test func anUnchangedIndexIsNotWrittenAgain() async throws {
        let (store, first) = try await written()
        let file = bench.files

        await first.index.saveIfDue(atEnd: true)
        let next = bench.start(store)
        try await next.index.follow()
        await next.index.saveIfDue(atEnd: true)

        #expect(bench.files == file)
        #expect(next.store.passagesRead == 0)
        try await requireSameAnswers(next)
    }

    @Test func aCancelledTaskStillWritesItsFile() async throws {
        let (store, first) = try await written()
        let old = bench.files
        try await bench.post(40..<60, to: store)
        try await first.index.follow()

        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await first.index.saveIfDue() }
        }

        #expect(bench.files != old)
        #expect(try await store.snapshots().values.map(\.name) == bench.files.map(\.lastPathComponent))
    }

    @Test func aNewFileTakesThePlaceOfTheOld() async throws {
        let (store, first) = try await written()
        let old = bench.files
        try await bench.post(40..<60, to: store)
        try await first.index.follow()

        await first.index.saveIfDue()

        #expect(bench.files.count == 1)
        #expect(bench.files != old)
        let mode = try FileManager.default.attributesOfItem(atPath: bench.folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try await requireSameAnswers(first)
        let next = bench.start(store)
        try await next.index.follow()
        #expect(next.store.passagesRead == 0)
        try await requireSameAnswers(next)
    }

    @Test func theFileOfAnotherStoreIsDeleted() async throws {
        _ = try await written()
        let other = try await bench.filledStore()

        let process = bench.start(other)
        try await process.index.follow()

        #expect(process.store.passagesRead == 40)
        #expect(bench.files.isEmpty)
        try await requireSameAnswers(process)
    }

    @Test func aNameThatAnotherFileBearsIsNotEnough() async throws {
        let (store, _) = try await written()
        let file = try #require(bench.files.first)
        let other = file.deletingLastPathComponent().appending(path: "vectors-1-other")
        try FileManager.default.moveItem(at: file, to: other)
        _ = try await store.setSnapshot(.named("vectors-1-other"), of: GenerationNumber(rawValue: 1))

        let process = bench.start(store)
        try await process.index.follow()

        #expect(process.store.passagesRead == 40)
        #expect(bench.files.isEmpty)
        #expect(try await store.snapshots().isEmpty)
        try await requireSameAnswers(process)
    }

    @Test(arguments: ["vectors-1-../x", "/etc/passwd", "", "vectors-0-x"])
    func aNameThatIsNoneOfOursIsNotOpened(name: String) async throws {
        let (store, _) = try await written()
        _ = try await store.setSnapshot(.named(name), of: GenerationNumber(rawValue: 1))

        let process = bench.start(store)
        try await process.index.follow()

        #expect(process.store.passagesRead == 40)
        try await requireSameAnswers(process)
    }

    @Test(arguments: ["header", "end", "empty", "missing", "table"])
    func aBrokenFileIsDroppedAndWrittenAnew(place: String) async throws {
        let (store, _) = try await written()
        let file = try #require(bench.files.first)
        switch place {
        case "missing": try FileManager.default.removeItem(at: file)
        case "empty": try bench.change { $0 = Data() }
        case "end": try bench.change { $0.removeLast(100) }
        case "header": try bench.change { $0[100] ^= 4 }
        default: try bench.change { $0[4_096] ^= 1 }
        }

        let process = bench.start(store)
        try await process.index.follow()
        #expect(process.store.passagesRead == 40)
        #expect(try await store.snapshots().isEmpty)
        #expect(bench.files.isEmpty)
        await process.index.saveIfDue()

        try await requireSameAnswers(process)
        let next = bench.start(store)
        try await next.index.follow()
        #expect(next.store.passagesRead == 0)
        try await requireSameAnswers(next)
    }

    @Test(arguments: [true, false])
    func aDamagedBlockIsMendedFromTheStore(isVerified: Bool) async throws {
        let (store, _) = try await written()
        let row = try #require(try bench.bytes(of: 1))
        try bench.change { content in
            let range = try #require(content.range(of: row))
            content[range.lowerBound + 2] ^= 16
        }

        let process = bench.start(store)
        try await process.index.follow()
        #expect(process.store.passagesRead == 0)
        if isVerified { await process.index.verify() }
        try await requireSameAnswers(process)

        #expect(process.store.passagesRead == 10, "the rows of one conversation")
        // Nothing else changed: the damage is reason enough for another file.
        await process.index.saveIfDue()
        let next = bench.start(store)
        try await next.index.follow()
        await next.index.verify()
        try await requireSameAnswers(next)
        #expect(next.store.passagesRead == 0)
    }

    @Test func whatIsDeletedIsErasedFromTheFile() async throws {
        let (store, process) = try await written()
        let items = try await store.passages(of: [.of("c1", "m1")], in: GenerationNumber(rawValue: 1))
        let row = try #require(try bench.bytes(of: items[0].rawValue))
        // Ten messages say the same.
        #expect(try bench.count(of: row) == 10)

        for number in stride(from: 1, to: 40, by: 4) {
            try await store.delete(.of("c1", MessageID(rawValue: "m\(number)")), at: bench.clock.now())
        }
        try await process.index.follow()
        await process.index.scrub()

        #expect(try bench.count(of: row) == 0)
        try await requireSameAnswers(process)
        let next = bench.start(store)
        try await requireSameAnswers(next)
        #expect(next.store.passagesRead == 0)
    }

    @Test func whatWasDeletedBetweenTwoProcessesIsErasedByTheNext() async throws {
        let (store, _) = try await written()
        let row = try #require(try bench.bytes(of: 40))
        for number in 0..<40 {
            let id = MessageID(rawValue: "m\(number)")
            try await store.delete(.of(ConversationID(rawValue: "c\(number % 4)"), id), at: bench.clock.now())
        }
        #expect(try bench.count(of: row) == 10)

        let process = bench.start(store)
        try await process.index.follow()
        await process.index.scrub()

        #expect(process.index.passageCount == 0)
        #expect(try bench.count(of: row) == 0)
    }

    @Test func aRestoredBackupOfTheTimeBeforeAFileIsReadFromTheStore() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        try await bench.post(40..<50, to: store)
        try await process.index.follow()
        await process.index.saveIfDue()

        let restored = bench.start(backup)
        try await restored.index.follow()

        #expect(restored.store.passagesRead == 40)
        #expect(bench.files.isEmpty)
        try await requireSameAnswers(restored)
    }

    /// The backup still has what was erased from the file that it knows, and its own next changes bear the numbers of
    /// others.
    @Test func aRestoredBackupFindsWhatWasErasedFromTheFileSince() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        try await store.delete(.of("c1", "m1"), at: bench.clock.now())
        try await process.index.follow()
        await process.index.scrub()
        try await bench.post(40..<43, to: backup)

        let restored = bench.start(backup)

        try await requireSameAnswers(restored)
        #expect(try await restored.found("a pilot costs money").contains("m1"))
        #expect(restored.store.passagesRead >= 43)
    }

    @Test func aRetiredGenerationsFileIsDeleted() async throws {
        let (store, process) = try await written()
        let old = bench.files
        let other = FakeEmbedder(words: ["cat"], model: "other")
        let worker = bench.worker(store, embedder: other)
        _ = try await worker.reembed()
        try await worker.drain { _ in }
        let searching = bench.start(store, embedder: other)

        try await process.index.follow()
        #expect(bench.files.isEmpty)
        await process.index.saveIfDue()
        #expect(bench.files.count == 1)
        #expect(bench.files != old)

        #expect(
            try await searching.found("cat").prefix(10).allSatisfy {
                ["m2", "m6"].contains($0) || $0.rawValue.count == 3
            })
        #expect(searching.store.passagesRead == 0)
        #expect(searching.index.passageCount == 40)
    }

    @Test func aSwitchWhileTheFileIsOpenedIsSeen() async throws {
        let (store, _) = try await written()
        let worker = bench.worker(store, embedder: FakeEmbedder(words: ["cat"], model: "other"))
        let process = bench.start(store, embedder: FakeEmbedder(words: ["cat"], model: "other"))
        process.store.interfere(before: .census) {
            _ = try await worker.reembed()
            try await worker.drain { _ in }
        }

        try await process.index.follow()

        let result = try await process.searcher.search(
            SearchRequest(question: "cat", scope: SearchScope(asker: "ada", conversations: .all), limit: 2))
        #expect(result.generation == GenerationNumber(rawValue: 2))
        #expect(process.index.passageCount == 40)
        #expect(bench.files.isEmpty)
    }

    @Test func aFileOfAGenerationThatIsRetiredMeanwhileIsDeleted() async throws {
        let (store, process) = try await written()
        try await bench.post(40..<44, to: store)
        try await process.index.follow()
        let worker = bench.worker(store, embedder: FakeEmbedder(words: ["cat"], model: "other"))
        process.store.interfere(before: .naming) {
            _ = try await worker.reembed()
            try await worker.drain { _ in }
        }

        await process.index.saveIfDue()

        #expect(bench.files.isEmpty)
        #expect(try await store.snapshots().isEmpty)
        try await process.index.follow()
        #expect(process.index.passageCount == 44)
        await process.index.saveIfDue()
        #expect(bench.files.count == 1)
    }

    /// What was deleted while the file was written is in it, and goes with the next scrubbing.
    @Test func whatIsDeletedWhileAFileIsWrittenIsErasedFromIt() async throws {
        let (store, process) = try await written()
        let row = try #require(try bench.bytes(of: 40))
        try await bench.post(40..<44, to: store)
        try await process.index.follow()
        let bench = bench
        process.store.interfere(before: .naming) {
            for number in 0..<44 {
                let id = MessageID(rawValue: "m\(number)")
                try await store.delete(.of(ConversationID(rawValue: "c\(number % 4)"), id), at: bench.clock.now())
            }
        }

        await process.index.saveIfDue()
        #expect(try bench.count(of: row) == 11)
        try await process.index.follow()
        await process.index.finish()

        #expect(process.index.passageCount == 0)
        #expect(try bench.count(of: row) == 0)
    }

    /// What a crash leaves: a file that is complete and not remembered, and one that is half written.
    @Test func filesThatAreNotRememberedAreDeleted() async throws {
        let (store, _) = try await written()
        let file = try #require(bench.files.first)
        for name in ["vectors-1-new", "vectors-1-new2.partial"] {
            try FileManager.default.copyItem(at: file, to: bench.folder.appending(path: name))
        }
        try Data("mine".utf8).write(to: bench.folder.appending(path: "note.txt"))

        let process = bench.start(store)
        try await process.index.follow()

        #expect(Set(bench.files.map(\.lastPathComponent)) == ["note.txt", file.lastPathComponent])
        #expect(process.store.passagesRead == 0)
    }

    @Test func aFileWhoseNameCannotBeRememberedIsNotUsed() async throws {
        let (store, process) = try await written()
        let old = bench.files
        try await bench.post(40..<44, to: store)
        try await process.index.follow()
        process.store.failNaming(.storageFull)

        await process.index.saveIfDue()

        #expect(bench.files == old)
        try await requireSameAnswers(process)
        process.store.failNaming(nil)
        await process.index.saveIfDue()
        #expect(bench.files == old, "the next file waits for the next change")
        try await bench.post(44..<45, to: store)
        try await process.index.follow()
        await process.index.saveIfDue()
        #expect(bench.files != old)
        try await requireSameAnswers(process)
    }

    @Test func withoutAFolderToWriteToTheIndexGoesOn() async throws {
        let store = try await bench.filledStore()
        try Data().write(to: bench.folder)

        let process = bench.start(store)
        try await process.index.follow()
        await process.index.saveIfDue()

        #expect(try await store.snapshots().isEmpty)
        try await requireSameAnswers(process)
    }

    @Test func searchesFollowsAndFilesGoOnTogether() async throws {
        let (store, process) = try await written()
        let bench = bench
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<20 {
                    try await bench.post(40 + round * 5..<45 + round * 5, to: store)
                    let id = MessageID(rawValue: "m\(round)")
                    try await store.delete(
                        .of(ConversationID(rawValue: "c\(round % 4)"), id), at: bench.clock.now())
                }
            }
            group.addTask {
                for _ in 0..<40 {
                    try await process.index.follow()
                    await process.index.scrub()
                }
            }
            for atEnd in [true, false] {
                group.addTask { for _ in 0..<30 { await process.index.saveIfDue(atEnd: atEnd) } }
            }
            group.addTask { for _ in 0..<60 { _ = try await process.found("a berth") } }
            try await group.waitForAll()
        }
        try await requireSameAnswers(process)
        await process.index.saveIfDue()
        #expect(bench.files.count == 1)

        let next = bench.start(store)
        try await requireSameAnswers(next)
        #expect(next.index.passageCount == 120)
        #expect(next.store.passagesRead == 0)
    }

    @Test(arguments: [
        (0, 0, false, false), (9_999, 9_999, false, false), (10_000, 999, false, false), (10_000, 1_000, false, true),
        (10_000, 99, true, false), (10_000, 100, true, true), (1_000_000, 99_999, false, false),
        (1_000_000, 0, true, false),
    ])
    func aFileIsDueWhenAPartOfTheRowsChanged(rows: Int, changed: Int, atEnd: Bool, isDue: Bool) {
        #expect(SnapshotPolicy().isDue(rowCount: rows, changedCount: changed, atEnd: atEnd) == isDue)
    }
}
