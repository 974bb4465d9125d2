import ChatCore
import Foundation
import Ingest
import Retrieval
import TestSupport
import Testing

/// Files of vectors: rows are erased in place, and damaged rows are read from the store.
@Suite(.hangGuard) struct VectorFileTests {
    private let bench = VectorBench()

    /// Fills a store and lets a first process write a file.
    private func written() async throws -> (store: InMemoryStore, process: VectorBench.Process) {
        let store = try await bench.filledStore()
        let process = bench.start(store)
        try await bench.writeFile(process, of: store)
        return (store, process)
    }

    /// Erases rows from the file until as many as wanted are left: as long as a search holds them, they stay.
    private func scrub(_ process: VectorBench.Process, leaving count: Int, of row: Data) async throws {
        repeat { await process.index.scrub() } while try bench.count(of: row) != count
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
        try await bench.requireSameAnswers(next)
        try await bench.requireSameAnswers(first)
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
        try await bench.requireSameAnswers(process)

        #expect(process.store.passagesRead == 10, "the rows of one conversation")
        // Nothing else changed: the damage is reason enough for another file.
        await process.index.saveIfDue()
        let next = bench.start(store)
        try await next.index.follow()
        await next.index.verify()
        try await bench.requireSameAnswers(next)
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
        try await scrub(process, leaving: 0, of: row)

        try await bench.requireSameAnswers(process)
        let next = bench.start(store)
        try await bench.requireSameAnswers(next)
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
        try await scrub(process, leaving: 0, of: row)

        #expect(process.index.passageCount == 0)
    }

    /// The backup still has what was erased from the file that it knows, and its own next changes bear the numbers of
    /// others.
    @Test func aRestoredBackupFindsWhatWasErasedFromTheFileSince() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        let items = try await store.passages(of: [.of("c1", "m1")], in: GenerationNumber(rawValue: 1))
        let row = try #require(try bench.bytes(of: items[0].rawValue))
        try await store.delete(.of("c1", "m1"), at: bench.clock.now())
        try await process.index.follow()
        // Ten messages say the same.
        try await scrub(process, leaving: 9, of: row)
        try await bench.post(40..<43, to: backup)

        let restored = bench.start(backup)

        try await bench.requireSameAnswers(restored)
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

    @Test(arguments: [
        (0, 0, false, false), (9_999, 9_999, false, false), (10_000, 999, false, false), (10_000, 1_000, false, true),
        (10_000, 99, true, false), (10_000, 100, true, true), (1_000_000, 99_999, false, false),
        (1_000_000, 0, true, false),
    ])
    func aFileIsDueWhenAPartOfTheRowsChanged(rows: Int, changed: Int, atEnd: Bool, isDue: Bool) {
        #expect(SnapshotPolicy().isDue(rowCount: rows, changedCount: changed, atEnd: atEnd) == isDue)
    }
}
