import ChatCore
import Foundation
import Retrieval
import TestSupport
import Testing
import TextAnalysis

/// Words that live in a file between starts are found as those that are read from the store.
@Suite struct LexiconFileTests {
    private let bench = LexiconBench()

    /// Fills a store and lets a first process write a file.
    private func written() async throws -> (store: InMemoryStore, process: LexiconBench.Process) {
        let store = try await bench.filledStore()
        let process = bench.start(store)
        try await bench.writeFile(process, of: store)
        return (store, process)
    }

    @Test func languagesAreThoseOfThePresentMessages() async throws {
        let (store, first) = try await written()
        #expect(first.lexicon.languages == [.english, .german])
        let next = bench.start(store)
        try await next.lexicon.follow()
        #expect(next.lexicon.languages == [.english, .german])
        for number in stride(from: 6, to: 30, by: 8) { try await bench.delete(number, from: store) }
        for number in stride(from: 30, to: 40, by: 8) {
            _ = try await store.edit(bench.key(number), text: "my cat is on the boat", at: bench.clock.now())
        }

        try await next.lexicon.follow()

        #expect(next.lexicon.languages == [.english])
        try await bench.requireSameAnswers(next)
    }

    /// What Ada may not see counts in none of her scores, be it in memory, in a file or read from the store.
    @Test func foreignMessagesChangeNoScore() async throws {
        let (store, first) = try await written()
        func found(_ process: LexiconBench.Process) async throws -> [[LexiconBench.Process.Found]] {
            var found: [[LexiconBench.Process.Found]] = []
            for question in ["pilot", "cat berth word7", "the Katze Boot", "money asks?"] {
                found.append(try await process.found(question))
            }
            return found
        }
        let before = try await found(first)
        #expect(before.allSatisfy { !$0.isEmpty })

        _ = try await store.store(
            [.sample("c9", members: ["zoe"])], source: "test", mode: .importing, at: bench.clock.now())
        for number in 0..<200 {
            let text = number % 3 == 0 ? "ネコ pilot word7" : "die Katze ist nicht auf dem Boot, pilot money"
            let foreign = Message.sample("c9", MessageID(rawValue: "f\(number)"), by: "zoe", text, at: number)
            _ = try await store.accept([foreign], source: "test", mode: .importing, at: bench.clock.now())
        }

        #expect(try await found(first) == before)
        await first.lexicon.saveIfDue()
        let next = bench.start(store)
        #expect(try await found(next) == before)
        #expect(next.store.messagesRead == 0)
        #expect(try await found(bench.start(store, hasFiles: false)) == before)
        try await store.delete(.of("c9", "f3"), at: bench.clock.now())
        #expect(try await found(next) == before)
    }

    @Test func aStartReadsOnlyWhatCameAfterTheFile() async throws {
        let (store, first) = try await written()
        #expect(first.store.messagesRead == 40)
        try await bench.post(40..<43, to: store)
        try await bench.delete(1, from: store)
        _ = try await store.edit(bench.key(0), text: "a berth for the cat", at: bench.clock.now())

        let next = bench.start(store)
        try await next.lexicon.follow()

        #expect(next.store.messagesRead == 3 + 1 + 1)
        #expect(next.lexicon.isLoaded)
        #expect(next.lexicon.messageCount == 42)
        #expect(try await next.lexicon.followed == store.latestChange())
        #expect(try await next.found("berths").contains { $0.id == "m0" })
        try await bench.requireSameAnswers(next)
        try await bench.requireSameAnswers(first)
    }

    @Test func rowsOfAnotherAnalysisAreNotRead() async throws {
        let (store, _) = try await written()

        let process = bench.start(store, fallback: .german)
        try await process.lexicon.follow()

        #expect(process.store.messagesRead == 40)
        #expect(bench.files.isEmpty)
    }

    /// The file of a store that is at the same change but holds another number of messages.
    @Test func aFileThatDoesNotFitTheStoreIsDropped() async throws {
        let (store, _) = try await written()
        let other = try await bench.filledStore(39)
        _ = try await other.edit(bench.key(5), text: "my dog", at: bench.clock.now())
        try await other.setWordSnapshot(try await store.wordSnapshot())
        try #require(try await other.latestChange() == store.latestChange())

        let process = bench.start(other)
        try await process.lexicon.follow()

        #expect(process.store.messagesRead == 39)
        #expect(try await other.wordSnapshot() == nil)
        #expect(bench.files.isEmpty)
        try await bench.requireSameAnswers(process)
    }

    @Test func aRestoredBackupFindsWhatWasErasedSince() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        try await bench.delete(7, from: store)
        try await process.lexicon.follow()

        let restored = bench.start(backup)

        #expect(try await restored.found("word7").first?.id == "m7")
        #expect(restored.store.messagesRead == 40)
        try await bench.requireSameAnswers(restored)
    }

    @Test func filesOfWordsAndOfVectorsLieInOneFolder() async throws {
        let vectors = VectorBench()
        let store = try await vectors.filledStore()
        for round in 0..<2 {
            let index = vectors.start(store)
            try await index.index.follow()
            await index.index.saveIfDue()
            await index.index.finish()
            let words = bench.start(store, in: vectors.folder)
            try await words.lexicon.follow()
            await words.lexicon.saveIfDue()
            await words.lexicon.finish()

            #expect(index.store.passagesRead == (round == 0 ? 40 : 0))
            #expect(words.store.messagesRead == (round == 0 ? 40 : 0))
        }

        #expect(vectors.files.map { $0.lastPathComponent.prefix(8) } == ["vectors-", "words-3-"])
        try await bench.start(store, in: vectors.folder).lexicon.follow()
        #expect(vectors.files.count == 2)
    }
}
