import ChatCore
import Foundation
import Synchronization
import TestSupport
import Testing

/// An index with snapshot files answers as one without, whatever happens to the files; the same for both indexes.
@Suite struct SnapshotLifecycleTests {
    /// A file that was changed, by kind and place of the damage.
    static let damages: [(FileKind, String)] =
        FileKind.allCases.flatMap { kind in
            ["header", "table", "end", "empty", "missing"].map { (kind, $0) }
        } + [(FileKind.words, "blocks")]

    private let vectors = VectorBench()
    private let words = LexiconBench()

    private func bench(_ kind: FileKind) -> any SnapshotBench { kind == .vectors ? vectors : words }

    /// Fills a store and lets a first process write a file.
    private func written(
        _ bench: any SnapshotBench
    ) async throws -> (store: InMemoryStore, process: any SnapshotProcess) {
        let store = try await bench.filledStore()
        let process = bench.process(over: store)
        try await bench.writeFile(process, of: store)
        return (store, process)
    }

    @Test(arguments: FileKind.allCases) func anUnchangedFileIsNeitherReadTwiceNorWrittenAgain(
        kind: FileKind
    ) async throws {
        let bench = self.bench(kind)
        let (store, first) = try await written(bench)
        let files = bench.files

        await first.saveIfDue(atEnd: true)
        await first.finish()
        let next = bench.process(over: store)
        try await next.follow()
        await next.saveIfDue(atEnd: true)
        await next.finish()

        #expect(bench.files == files)
        #expect(next.readCount == 0)
        try await bench.requireSameAnswers(next)
    }

    @Test(arguments: FileKind.allCases) func aNewFileReplacesTheOld(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, first) = try await written(bench)
        let old = bench.files
        try await bench.post(40..<60, to: store)
        try await first.follow()

        await first.saveIfDue()

        #expect(bench.files.count == 1)
        #expect(bench.files != old)
        let mode = try FileManager.default.attributesOfItem(atPath: bench.folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try await bench.requireSameAnswers(first)
        let next = bench.process(over: store)
        try await next.follow()
        #expect(next.readCount == 0)
        try await bench.requireSameAnswers(next)
    }

    @Test(arguments: FileKind.allCases) func aCancelledTaskStillWritesItsFile(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, first) = try await written(bench)
        let old = bench.files
        try await bench.post(40..<60, to: store)
        try await first.follow()

        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await first.saveIfDue() }
        }

        #expect(bench.files.count == 1)
        #expect(bench.files != old)
        #expect(try await bench.record(of: store)?.name == bench.files.first?.lastPathComponent)
        let next = bench.process(over: store)
        try await next.follow()
        #expect(next.readCount == 0)
        try await bench.requireSameAnswers(next)
    }

    @Test(arguments: FileKind.allCases) func theFileOfAnotherStoreIsDeleted(kind: FileKind) async throws {
        let bench = self.bench(kind)
        _ = try await written(bench)
        let other = try await bench.filledStore()

        let process = bench.process(over: other)
        try await process.follow()

        #expect(process.readCount == 40)
        #expect(bench.files.isEmpty)
        try await bench.requireSameAnswers(process)
    }

    @Test(arguments: FileKind.allCases) func aNameThatAnotherFileBearsIsNotEnough(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, _) = try await written(bench)
        let file = try #require(bench.files.first)
        let other = file.deletingLastPathComponent().appending(path: kind.prefix + "other")
        try FileManager.default.moveItem(at: file, to: other)
        try await bench.setRecord(.named(kind.prefix + "other"), of: store)

        let process = bench.process(over: store)
        try await process.follow()

        #expect(process.readCount == 40)
        #expect(bench.files.isEmpty)
        #expect(try await bench.record(of: store) == nil)
        try await bench.requireSameAnswers(process)
    }

    @Test(
        arguments: [
            (.vectors, "vectors-1-../x"), (.vectors, "/etc/passwd"), (.vectors, ""), (.vectors, "vectors-0-x"),
            (.words, "words-2-../x"), (.words, "/etc/passwd"), (.words, ""), (.words, "words-1-x"),
            (.words, "vectors-1-x"),
        ] as [(FileKind, String)])
    func aNameThatIsNoneOfOursIsNotOpenedAndForgotten(kind: FileKind, name: String) async throws {
        let bench = self.bench(kind)
        let (store, _) = try await written(bench)
        try await bench.setRecord(.named(name), of: store)

        let process = bench.process(over: store)
        try await process.follow()

        #expect(process.readCount == 40)
        #expect(try await bench.record(of: store) == nil)
        #expect(bench.files.isEmpty)
        try await bench.requireSameAnswers(process)
    }

    @Test(arguments: damages)
    func aBrokenFileIsDroppedAndWrittenAgain(kind: FileKind, place: String) async throws {
        let bench = self.bench(kind)
        let (store, _) = try await written(bench)
        let old = bench.files
        switch place {
        case "missing": try FileManager.default.removeItem(at: old[0])
        case "empty": try bench.change { $0 = Data() }
        case "end": try bench.change { $0.removeLast(100) }
        case "header": try bench.change { $0[100] ^= 4 }
        case "table": try bench.change { $0[4_096] ^= 1 }
        default: try bench.change { $0[$0.count - 200] ^= 1 }
        }

        let process = bench.process(over: store)
        try await process.follow()
        #expect(process.readCount == 40)
        #expect(try await bench.record(of: store) == nil)
        #expect(bench.files.isEmpty)
        try await bench.requireSameAnswers(process)
        await process.saveIfDue()

        #expect(bench.files != old)
        try await bench.requireSameAnswers(process)
        let next = bench.process(over: store)
        try await next.follow()
        #expect(next.readCount == 0)
        try await bench.requireSameAnswers(next)
    }

    @Test(arguments: FileKind.allCases) func changesBeforeTheCensusAreFollowed(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, _) = try await written(bench)
        let process = bench.process(over: store)
        process.store.interfere(before: bench.moments.census) { try await bench.post(40..<44, to: store) }

        try await process.follow()

        #expect(process.readCount == 4)
        #expect(process.rowCount == 44)
        try await bench.requireSameAnswers(process)
    }

    @Test(arguments: FileKind.allCases)
    func aRestoredBackupOfTheTimeBeforeAFileIsReadFromTheStore(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, process) = try await written(bench)
        let backup = store.copied()
        try await bench.post(40..<50, to: store)
        try await process.follow()
        await process.saveIfDue()

        let restored = bench.process(over: backup)
        try await restored.follow()

        #expect(restored.readCount == 40)
        #expect(bench.files.isEmpty)
        try await bench.requireSameAnswers(restored)
    }

    /// Its next changes bear the numbers of others, which the file never saw.
    @Test(arguments: FileKind.allCases)
    func aRestoredBackupOfTheTimeAfterAFileUsesTheFile(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, process) = try await written(bench)
        let backup = store.copied()
        try await bench.post(40..<45, to: store)
        try await process.follow()
        try await bench.post(60..<62, to: backup)

        let restored = bench.process(over: backup)
        try await restored.follow()

        #expect(restored.readCount == 2)
        try await bench.requireSameAnswers(restored)
    }

    /// A crash can leave a file that is complete and not remembered, and one that is half written.
    @Test(arguments: FileKind.allCases) func filesThatAreNotRememberedAreDeleted(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, _) = try await written(bench)
        let file = try #require(bench.files.first)
        for name in ["new", "new2.partial"] {
            try FileManager.default.copyItem(at: file, to: bench.folder.appending(path: kind.prefix + name))
        }
        try Data("mine".utf8).write(to: bench.folder.appending(path: "note.txt"))

        let process = bench.process(over: store)
        try await process.follow()

        #expect(Set(bench.files.map(\.lastPathComponent)) == ["note.txt", file.lastPathComponent])
        #expect(process.readCount == 0)
    }

    /// A crash between the writing of a file and its registration.
    @Test(arguments: FileKind.allCases)
    func aFileThatIsNotRememberedIsSweptAndTheOldOneUsed(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, process) = try await written(bench)
        let old = bench.files
        try await bench.post(40..<44, to: store)
        try await process.follow()
        let crashed = bench.another()
        let kept = Mutex<InMemoryStore?>(nil)
        process.store.interfere(before: bench.moments.naming) {
            try FileManager.default.copyItem(at: bench.folder, to: crashed.folder)
            kept.withLock { $0 = store.copied() }
        }
        await process.saveIfDue()
        try #require(crashed.files.count == 2)
        try Data("half".utf8).write(to: crashed.folder.appending(path: kind.prefix + "half.partial"))

        let next = crashed.process(over: try #require(kept.withLock { $0 }))
        try await next.follow()

        #expect(crashed.files.map(\.lastPathComponent) == old.map(\.lastPathComponent))
        #expect(next.readCount == 4)
        try await crashed.requireSameAnswers(next)
    }

    @Test(arguments: FileKind.allCases) func aFileWhoseNameCannotBeRememberedIsNotUsed(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, process) = try await written(bench)
        let old = bench.files
        try await bench.post(40..<44, to: store)
        try await process.follow()
        process.store.failNaming(.storageFull)

        await process.saveIfDue()

        #expect(bench.files == old)
        try await bench.requireSameAnswers(process)
        process.store.failNaming(nil)
        await process.saveIfDue()
        #expect(bench.files == old, "the next file waits for the next change")
        try await bench.post(44..<45, to: store)
        try await process.follow()
        await process.saveIfDue()
        #expect(bench.files != old)
        try await bench.requireSameAnswers(process)
    }

    @Test(arguments: FileKind.allCases) func withoutAFolderToWriteToMessagesAreFound(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let store = try await bench.filledStore()
        try Data().write(to: bench.folder)

        let process = bench.process(over: store)
        try await process.follow()
        await process.saveIfDue()
        #expect(try await bench.record(of: store) == nil)
        try await bench.requireSameAnswers(process)
        try await bench.delete(3, from: store)

        try await bench.requireSameAnswers(process)
    }

    @Test(arguments: FileKind.allCases) func searchesFollowsAndFilesWorkTogether(kind: FileKind) async throws {
        let bench = self.bench(kind)
        let (store, process) = try await written(bench)
        let step = kind == .vectors ? 1 : 4
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<20 {
                    try await bench.post(40 + round * 5..<45 + round * 5, to: store)
                    if round % step == 0 { try await bench.delete(round, from: store) }
                    bench.wait(.seconds(11))
                }
            }
            group.addTask {
                for _ in 0..<40 {
                    try await process.follow()
                    await process.scrub()
                }
            }
            for atEnd in [true, false] {
                group.addTask { for _ in 0..<30 { await process.saveIfDue(atEnd: atEnd) } }
            }
            group.addTask { for _ in 0..<5 { _ = try await process.answers() } }
            try await group.waitForAll()
        }
        try await bench.requireSameAnswers(process)
        await process.finish()
        #expect(bench.files.count == 1)
        if kind == .words {
            #expect(try words.count(of: "word4") == 0)
            #expect(try words.count(of: "word5") == 1)
        }

        let next = bench.process(over: store)
        try await bench.requireSameAnswers(next)
        #expect(next.rowCount == 140 - 20 / step)
        #expect(next.readCount == 0)
    }
}
