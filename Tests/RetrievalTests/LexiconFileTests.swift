import ChatCore
import Foundation
import Retrieval
import Synchronization
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
        try await process.lexicon.follow()
        await process.lexicon.saveIfDue()
        try #require(bench.files.count == 1)
        try #require(try await store.wordSnapshot()?.name == bench.files[0].lastPathComponent)
        return (store, process)
    }

    /// Compares a process with one that reads everything from the same store.
    private func requireSameAnswers(
        _ process: LexiconBench.Process, location: SourceLocation = #_sourceLocation
    ) async throws {
        let plain = bench.start(process.store.base, hasFiles: false)
        // "berths" is found by its stem only, so the languages must be known.
        for question in ["berths", "the pilot", "word7 word41", "what does the cat do in may?", "bob money"] {
            for sender in [nil, "ada", "robert"] as [UserID?] {
                let found = try await process.found(question, sender: sender)
                let wanted = try await plain.found(question, sender: sender)
                try #require(found == wanted, sourceLocation: location)
            }
        }
        #expect(process.lexicon.messageCount == plain.lexicon.messageCount, sourceLocation: location)
        #expect(process.lexicon.languages == plain.lexicon.languages, sourceLocation: location)
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
        try await requireSameAnswers(next)
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
        try await requireSameAnswers(next)
        try await requireSameAnswers(first)
    }

    @Test func anUnchangedFileIsNeitherReadTwiceNorWrittenAgain() async throws {
        let (store, first) = try await written()
        let files = bench.files

        await first.lexicon.finish()
        let next = bench.start(store)
        try await next.lexicon.follow()
        await next.lexicon.finish()

        #expect(bench.files == files)
        #expect(next.store.messagesRead == 0)
        try await requireSameAnswers(next)
    }

    @Test func aNewFileTakesThePlaceOfTheOld() async throws {
        let (store, process) = try await written()
        let old = bench.files
        try await bench.post(40..<60, to: store)
        try await process.lexicon.follow()

        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await process.lexicon.saveIfDue() }
        }

        #expect(bench.files.count == 1)
        #expect(bench.files != old)
        let next = bench.start(store)
        try await next.lexicon.follow()
        #expect(next.store.messagesRead == 0)
        try await requireSameAnswers(next)
    }

    @Test(arguments: ["header", "table", "blocks", "end", "empty", "missing"])
    func aBrokenFileIsDroppedAndWrittenAnew(place: String) async throws {
        let (store, _) = try await written()
        let old = bench.files
        switch place {
        case "missing": try FileManager.default.removeItem(at: old[0])
        case "empty": try bench.change { $0 = Data() }
        case "end": try bench.change { $0.removeLast(100) }
        case "header": try bench.change { $0[100] ^= 4 }
        case "table": try bench.change { $0[4_096] ^= 1 }
        default: try bench.change { $0[$0.count - 200] ^= 1 }
        }

        let process = bench.start(store)
        try await process.lexicon.follow()
        #expect(process.store.messagesRead == 40)
        #expect(try await store.wordSnapshot() == nil)
        #expect(bench.files.isEmpty)
        try await requireSameAnswers(process)
        await process.lexicon.saveIfDue()

        #expect(bench.files != old)
        let next = bench.start(store)
        try await next.lexicon.follow()
        #expect(next.store.messagesRead == 0)
        try await requireSameAnswers(next)
    }

    @Test(arguments: ["words-2-../x", "/etc/passwd", "", "words-1-x", "vectors-1-x"])
    func aNameThatIsNoneOfOursIsForgotten(name: String) async throws {
        let (store, _) = try await written()
        try await store.setWordSnapshot(.named(name))

        let process = bench.start(store)
        try await process.lexicon.follow()

        #expect(process.store.messagesRead == 40)
        #expect(try await store.wordSnapshot() == nil)
        #expect(bench.files.isEmpty)
        try await requireSameAnswers(process)
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
        try await requireSameAnswers(process)
    }

    @Test func whatArrivesBeforeTheCensusIsFollowed() async throws {
        let (store, _) = try await written()
        let process = bench.start(store)
        let bench = bench
        process.store.interfere(before: .messageCensus) { try await bench.post(40..<44, to: store) }

        try await process.lexicon.follow()

        #expect(process.store.messagesRead == 4)
        #expect(process.lexicon.messageCount == 44)
        try await requireSameAnswers(process)
    }

    @Test func aRestoredBackupOfTheTimeBeforeAFileIsReadFromTheStore() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        try await bench.post(40..<50, to: store)
        try await process.lexicon.follow()
        await process.lexicon.saveIfDue()

        let restored = bench.start(backup)
        try await restored.lexicon.follow()

        #expect(restored.store.messagesRead == 40)
        #expect(bench.files.isEmpty)
        try await requireSameAnswers(restored)
    }

    /// Its next changes bear the numbers of others, which the file never saw.
    @Test func aRestoredBackupOfTheTimeAfterAFileGoesOnFromIt() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        try await bench.post(40..<45, to: store)
        try await process.lexicon.follow()
        try await bench.post(60..<62, to: backup)

        let restored = bench.start(backup)
        try await restored.lexicon.follow()

        #expect(restored.store.messagesRead == 2)
        try await requireSameAnswers(restored)
    }

    @Test func aRestoredBackupFindsWhatWasErasedSince() async throws {
        let (store, process) = try await written()
        let backup = store.copied()
        try await bench.delete(7, from: store)
        try await process.lexicon.follow()

        let restored = bench.start(backup)

        #expect(try await restored.found("word7").first?.id == "m7")
        #expect(restored.store.messagesRead == 40)
        try await requireSameAnswers(restored)
    }

    /// What a crash leaves between the writing of a file and its registration.
    @Test func aFileThatIsNotRememberedIsSweptAndTheOldOneUsed() async throws {
        let (store, process) = try await written()
        let old = bench.files
        try await bench.post(40..<44, to: store)
        try await process.lexicon.follow()
        let crashed = LexiconBench()
        let kept = Mutex<InMemoryStore?>(nil)
        let bench = bench
        process.store.interfere(before: .wordNaming) {
            try FileManager.default.copyItem(at: bench.folder, to: crashed.folder)
            kept.withLock { $0 = store.copied() }
        }
        await process.lexicon.saveIfDue()
        try #require(crashed.files.count == 2)
        let half = crashed.folder.appending(path: "words-2-half.partial")
        try Data("half".utf8).write(to: half)

        let next = crashed.start(try #require(kept.withLock { $0 }))
        try await next.lexicon.follow()

        #expect(crashed.files.map(\.lastPathComponent) == old.map(\.lastPathComponent))
        #expect(next.store.messagesRead == 4)
        try await requireSameAnswers(next)
    }

    @Test func aFileWhoseNameCannotBeRememberedIsNotUsed() async throws {
        let (store, process) = try await written()
        let old = bench.files
        try await bench.post(40..<44, to: store)
        try await process.lexicon.follow()
        process.store.failNaming(.storageFull)

        await process.lexicon.saveIfDue()

        #expect(bench.files == old)
        process.store.failNaming(nil)
        await process.lexicon.saveIfDue()
        #expect(bench.files == old, "the next file waits for the next change")
        try await bench.post(44..<45, to: store)
        try await process.lexicon.follow()
        await process.lexicon.saveIfDue()
        #expect(bench.files != old)
        try await requireSameAnswers(process)
    }

    @Test func withoutAFolderToWriteToTheWordsAreFound() async throws {
        let store = try await bench.filledStore()
        try Data().write(to: bench.folder)

        let process = bench.start(store)
        try await process.lexicon.follow()
        await process.lexicon.saveIfDue()
        try await bench.delete(3, from: store)

        #expect(try await store.wordSnapshot() == nil)
        try await requireSameAnswers(process)
    }

    @Test func filesOfWordsAndOfVectorsLieInOneFolder() async throws {
        let vectors = SnapshotBench()
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

        #expect(vectors.files.map { $0.lastPathComponent.prefix(8) } == ["vectors-", "words-2-"])
        try await bench.start(store, in: vectors.folder).lexicon.follow()
        #expect(vectors.files.count == 2)
    }

    @Test func searchesFollowsAndFilesGoOnTogether() async throws {
        let (store, process) = try await written()
        let bench = bench
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<20 {
                    try await bench.post(40 + round * 5..<45 + round * 5, to: store)
                    if round % 4 == 0 { try await bench.delete(round, from: store) }
                    bench.wait(.seconds(11))
                }
            }
            group.addTask { for _ in 0..<40 { try await process.lexicon.follow() } }
            for atEnd in [true, false] {
                group.addTask { for _ in 0..<30 { await process.lexicon.saveIfDue(atEnd: atEnd) } }
            }
            group.addTask { for _ in 0..<60 { _ = try await process.found("a berth") } }
            try await group.waitForAll()
        }
        try await requireSameAnswers(process)
        await process.lexicon.finish()
        #expect(bench.files.count == 1)
        #expect(try bench.count(of: "word4") == 0)
        #expect(try bench.count(of: "word5") == 1)

        let next = bench.start(store)
        try await requireSameAnswers(next)
        #expect(next.lexicon.messageCount == 135)
        #expect(next.store.messagesRead == 0)
    }
}
