import ChatCore
import Foundation
import Retrieval
import TestSupport
import Testing

/// Words that were erased from the store are in no file, not even as hashes.
@Suite struct LexiconErasureTests {
    private let bench = LexiconBench()

    private func written() async throws -> (store: InMemoryStore, process: LexiconBench.Process) {
        let store = try await bench.filledStore()
        let process = bench.start(store)
        try await process.lexicon.follow()
        await process.lexicon.saveIfDue()
        try #require(try bench.count(of: "word7") == 1)
        return (store, process)
    }

    @Test(arguments: [true, false]) func whatIsDeletedOrEditedIsInNoFile(isDeleted: Bool) async throws {
        let (store, process) = try await written()
        if isDeleted {
            try await bench.delete(7, from: store)
        } else {
            _ = try await store.edit(bench.key(7), text: "a berth for two", at: bench.clock.now())
        }

        try await process.lexicon.follow()

        #expect(bench.files.isEmpty)
        #expect(try await store.wordSnapshot() == nil)
        #expect(try await process.found("word7").isEmpty)
        #expect(process.lexicon.messageCount == (isDeleted ? 39 : 40))
    }

    @Test func whatWasErasedBetweenTwoProcessesIsErasedByTheNext() async throws {
        let (store, _) = try await written()
        try await bench.delete(7, from: store)
        #expect(try bench.count(of: "word7") == 1)

        let process = bench.start(store)
        try await process.lexicon.follow()

        #expect(bench.files.isEmpty)
        #expect(process.store.messagesRead == 1, "what is in memory is good")
        await process.lexicon.finish()
        #expect(bench.files.count == 1)
        #expect(try bench.count(of: "word7") == 0)
        #expect(try bench.count(of: "word8") == 1)
    }

    @Test func theNextFileWaitsUntilNothingWasErasedForAWhile() async throws {
        let (store, process) = try await written()
        try await bench.delete(7, from: store)
        try await process.lexicon.follow()

        bench.wait(.seconds(29))
        await process.lexicon.saveIfDue()
        #expect(bench.files.isEmpty)
        bench.wait(.seconds(1))
        await process.lexicon.saveIfDue()

        #expect(bench.files.count == 1)
        #expect(try bench.count(of: "word7") == 0)
        let next = bench.start(store)
        try await next.lexicon.follow()
        #expect(next.store.messagesRead == 0)
        #expect(next.lexicon.messageCount == 39)
    }

    @Test func everyErasureMakesTheNextFileWaitAgain() async throws {
        let (store, process) = try await written()
        for number in 7..<9 {
            try await bench.delete(number, from: store)
            try await process.lexicon.follow()
            bench.wait(.seconds(29))
        }

        await process.lexicon.saveIfDue()
        #expect(bench.files.isEmpty)
        bench.wait(.seconds(1))
        await process.lexicon.saveIfDue()

        #expect(bench.files.count == 1)
    }

    /// However little was erased, without a file the next start would read everything.
    @Test func afterAnErasureAllRowsCountAsChanged() async throws {
        let (store, _) = try await written()
        let process = bench.start(store, changedPart: 0.9)
        try await process.lexicon.follow()
        try await bench.delete(7, from: store)
        try await process.lexicon.follow()
        bench.wait(.seconds(30))

        await process.lexicon.saveIfDue()

        #expect(bench.files.count == 1)
    }

    @Test func theEndDoesNotWait() async throws {
        let (store, process) = try await written()
        try await bench.delete(7, from: store)
        try await process.lexicon.follow()

        await process.lexicon.finish()

        #expect(bench.files.count == 1)
        #expect(try bench.count(of: "word7") == 0)
    }

    /// A reaction changes a message and none of its words; and what no file holds needs not be erased from one.
    @Test func aFileStaysWhenNothingInItIsErased() async throws {
        let (store, process) = try await written()
        let files = bench.files
        let liked = bench.message(7, reactions: [Message.Reaction(emoji: "👍", userIDs: ["bob"])])
        #expect(
            try await store.accept([liked], source: "test", mode: .importing, at: bench.clock.now()) == [.updated])
        try await bench.post(40..<42, to: store)
        try await process.lexicon.follow()
        try await bench.delete(41, from: store)

        try await process.lexicon.follow()

        #expect(process.store.messagesRead == 40 + 3 + 1)
        #expect(bench.files == files)
        await process.lexicon.saveIfDue()
        #expect(bench.files.count == 1)
        #expect(bench.files != files)
        #expect(try bench.count(of: "word40") == 1)
        #expect(try bench.count(of: "word41") == 0)
    }

    /// The file is half written when a word that is in it is erased.
    @Test func aFileThatIsBeingWrittenIsDroppedWhenAWordInItIsErased() async throws {
        let store = try await bench.filledStore()
        let mayGoOn = DispatchSemaphore(value: 0)
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        // Called on the writer's own thread, once its rows are chosen.
        let process = bench.start(store) {
            begins.finish()
            mayGoOn.wait()
            return UUID().uuidString.lowercased()
        }
        try await process.lexicon.follow()
        async let isSaved: Void = process.lexicon.saveIfDue()
        for await _ in begun {}

        try await bench.delete(7, from: store)
        try await process.lexicon.follow()
        mayGoOn.signal()
        await isSaved

        #expect(bench.files.isEmpty)
        #expect(try await store.wordSnapshot() == nil)
        mayGoOn.signal()
        await process.lexicon.finish()
        #expect(bench.files.count == 1)
        #expect(try bench.count(of: "word7") == 0)
        #expect(try bench.count(of: "word8") == 1)
    }

    /// What is deleted after the file is complete is found by the next follow.
    @Test func whatIsDeletedWhileAFileIsRegisteredIsErased() async throws {
        let (store, process) = try await written()
        try await bench.post(40..<44, to: store)
        try await process.lexicon.follow()
        let bench = bench
        process.store.interfere(before: .wordNaming) { try await bench.delete(42, from: store) }

        await process.lexicon.saveIfDue()
        #expect(try bench.count(of: "word42") == 1)
        try await process.lexicon.follow()

        #expect(bench.files.isEmpty)
        #expect(try await store.wordSnapshot() == nil)
    }

    @Test func aFullDiskKeepsNoFile() async throws {
        let (store, process) = try await written()
        try await bench.delete(7, from: store)
        process.store.failNaming(.storageFull)

        try await process.lexicon.follow()
        #expect(bench.files.isEmpty)
        #expect(try await process.found("word7").isEmpty)
        bench.wait(.seconds(30))
        await process.lexicon.saveIfDue()
        #expect(bench.files.isEmpty)
        process.store.failNaming(nil)
        await process.lexicon.saveIfDue()

        #expect(bench.files.count == 1)
        #expect(try await store.wordSnapshot()?.name == bench.files.first?.lastPathComponent)
        #expect(try bench.count(of: "word7") == 0)
    }

    @Test(arguments: [(nil, true), (0, false), (29, false), (30, true)] as [(Int?, Bool)])
    func anErasureIsRecentForHalfAMinute(age: Int?, isQuiet: Bool) {
        #expect(SnapshotPolicy().isQuiet(sinceErasure: age.map { .seconds($0) }) == isQuiet)
    }
}
