import Glibc
import IndexCore
import IndexTestSupport
import LexicalIndex
import Testing

@Suite struct SnapshotFileTests {
    private let identity = "store-7"

    /// Some groups of several blocks, with edits and removals behind them.
    private func index() -> BM25Index {
        let index = BM25Index(blockRowCount: 16)
        index.upsert(
            (0..<120).map {
                LexicalRow(
                    $0 * 7 % 120, in: $0 % 3, thread: $0 % 2, at: $0 * 60, sender: "ann b\($0 % 4)", date: "may",
                    flags: UInt16($0 % 5), "word\($0 % 11) word\($0 % 7) tea")
            })
        index.upsert([LexicalRow(5, in: 1, at: 30, "late word3")])
        index.remove([RowKey(rawValue: 8), RowKey(rawValue: 77)])
        return index
    }

    private func write(_ index: BM25Index, to folder: SnapshotFolder) throws -> WrittenSnapshot {
        try index.writeSnapshot(to: folder.file(), identity: identity, analysisVersion: 3)
    }

    private func open(_ folder: SnapshotFolder, identity: String = "store-7", analysisVersion: Int = 3) throws
        -> BM25Index
    {
        try BM25Index.open(snapshotAt: folder.file(), identity: identity, analysisVersion: analysisVersion)
    }

    private func expectEqual(_ left: BM25Index, _ right: BM25Index) throws {
        #expect(left.count == right.count)
        #expect(left.groupCounts() == right.groupCounts())
        #expect(left.snapshot().figures(in: .all) == right.snapshot().figures(in: .all))
        for words in ["word1", "tea", "word3 ann may", "b2 word5 late"] {
            for scope in [.all, groups(1), groups(0, 2)] as [GroupSelection] {
                let hits = try left.search(LexicalQuery(words), k: 200, in: scope)
                #expect(try right.search(LexicalQuery(words), k: 200, in: scope) == hits)
            }
        }
    }

    @Test func whatIsWrittenIsRead() throws {
        let (folder, index) = (try SnapshotFolder(), index())

        let written = try write(index, to: folder)
        let copy = try open(folder)

        #expect(written.rowCount == 118)
        #expect(try folder.read().count == written.byteCount)
        #expect(folder.names() == ["index"])
        try expectEqual(index, copy)
    }

    @Test func aReadIndexGoesOnAsTheWrittenOneDoes() throws {
        let (folder, index) = (try SnapshotFolder(), index())
        _ = try write(index, to: folder)
        let copy = try open(folder)

        for index in [index, copy] {
            index.upsert((0..<40).map { LexicalRow($0 * 3, in: $0 % 5, at: $0 * 77, "word3 new\($0 % 3) tea") })
            index.remove((50..<70).map { RowKey(rawValue: $0) })
            index.removeGroup(GroupKey(rawValue: 2))
        }

        try expectEqual(index, copy)
        #expect(copy.snapshot().rowCount(holding: term("new1")) == index.snapshot().rowCount(holding: term("new1")))
    }

    @Test func anEmptyIndexIsWrittenAndRead() throws {
        let folder = try SnapshotFolder()

        _ = try write(BM25Index(), to: folder)

        #expect(try open(folder).count == 0)
        #expect(try folder.read().count == 4096)
    }

    @Test func aNewFileReplacesTheOldOne() throws {
        let (folder, index) = (try SnapshotFolder(), index())
        _ = try write(index, to: folder)
        let secret = term("late")
        index.remove([RowKey(rawValue: 5)])

        _ = try write(index, to: folder)

        #expect(try open(folder).count == 117)
        let bytes = try folder.read()
        let key = withUnsafeBytes(of: secret.rawValue) { Array($0) }
        let places = (0...bytes.count - 8).filter { Array(bytes[$0..<$0 + 8]) == key }
        #expect(places.isEmpty)
    }

    @Test func onlyTheOwnerMayRead() throws {
        let folder = try SnapshotFolder()
        _ = try write(index(), to: folder)
        var status = stat()

        #expect(stat(folder.file(), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func aMissingFileIsMissing() throws {
        let folder = try SnapshotFolder()

        #expect(throws: SnapshotError.missing) { try open(folder) }
    }

    @Test func otherRowsAreRefused() throws {
        let folder = try SnapshotFolder()
        _ = try write(index(), to: folder)

        #expect(throws: SnapshotError.identity) { try open(folder, identity: "store-8") }
        #expect(throws: SnapshotError.identity) { try open(folder, identity: String(repeating: "s", count: 300)) }
        #expect(throws: SnapshotError.mismatch(field: "analysis")) { try open(folder, analysisVersion: 4) }
    }

    @Test(arguments: [0, 100, 4096, 9000])
    func aFullDiskLeavesTheOldFile(byteLimit: Int) throws {
        let (folder, index) = (try SnapshotFolder(), index())
        _ = try write(index, to: folder)
        let before = try folder.read()

        #expect(throws: SnapshotError.io(operation: "write", code: ENOSPC)) {
            try index.writeSnapshot(to: folder.file(), identity: identity, analysisVersion: 3, byteLimit: byteLimit)
        }

        #expect(try folder.read() == before)
        #expect(folder.names() == ["index"])
    }

    @Test func aFolderThatIsNotThereIsAnError() throws {
        #expect(throws: SnapshotError.io(operation: "create", code: ENOENT)) {
            try BM25Index().writeSnapshot(to: "/nowhere/at/all", identity: identity, analysisVersion: 1)
        }
    }
}
