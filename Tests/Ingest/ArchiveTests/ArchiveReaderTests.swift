import Archive
import Foundation
import TestSupport
import Testing

@Suite struct ArchiveReaderTests {
    private typealias Member = PackedArchive.Member

    /// Bytes that deflate cannot shorten, the same in each run.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test(arguments: [
        PackedArchive.Format.zip, .storedZip, .zip64, .ustar, .pax, .gnuTar, .gzippedTar,
    ]) func returnsTheFilesOfEveryFormat(format: PackedArchive.Format) throws {
        let large = Self.noise(300_000)
        let bytes = PackedArchive.bytes(
            format,
            [
                Member(path: "users.json", bytes: Array("[]".utf8)), Member(path: "general/", type: S_IFDIR),
                Member(path: "general/2025-10-23.json", bytes: large), Member(path: "Büro/日本.json", bytes: []),
            ])

        let read = try ReadArchive(bytes)

        #expect(read.error == nil)
        #expect(read.paths == ["users.json", "general/2025-10-23.json", "Büro/日本.json"])
        #expect(read.numbers == [1, 3, 4])
        #expect(read.contents == [Array("[]".utf8), large, []])
        #expect(read.longestChunk == 65_536)
        #expect(read.skippedCount == 0)
    }

    @Test(arguments: [PackedArchive.Format.zip, .storedZip, .ustar, .gzippedTar])
    func passesOverWhatIsNotRead(format: PackedArchive.Format) throws {
        let bytes = PackedArchive.bytes(
            format, [Member(path: "a", bytes: Self.noise(200_000)), Member(path: "b", bytes: Array("end".utf8))])

        try withFile(bytes) { file in
            var reader = try ArchiveReader(file)
            let before = try reader.read()
            let first = try reader.next()?.path
            let chunkCount = try reader.read()?.count
            let second = try reader.next()?.path
            let text = try reader.read()
            let after = try reader.read()
            let end = try reader.next()

            #expect(before == nil)
            #expect(first == "a")
            #expect(chunkCount == 65_536)
            #expect(second == "b")
            #expect(text == Array("end".utf8))
            #expect(after == nil)
            #expect(end == nil)
        }
    }

    @Test func tellsTheSizeThatTheArchiveTells() throws {
        let known = try ReadArchive(HandmadeZip(members: [.init("a", "four")]).bytes())
        let tar = try ReadArchive(HandmadeTar.member(Array("a".utf8), "four") + HandmadeTar.end)

        #expect(known.byteCounts == [4])
        #expect(tar.byteCounts == [4])
    }

    @Test func aTarMayBeEmptyAndAZipMayNot() throws {
        let tar = try ReadArchive(HandmadeTar.end)
        let zip = try ReadArchive(HandmadeZip(members: []).bytes())

        #expect(tar.error == nil)
        #expect(tar.paths == [])
        #expect(zip.error == .notAnArchive)
    }

    @Test func whatIsNoArchiveIsRefused() throws {
        #expect(try ReadArchive(Array("23.10.25, 10:30 - Ada: hi\n".utf8)).error == .notAnArchive)
        #expect(try ReadArchive(Array(repeating: 0x41, count: 4_096)).error == .notAnArchive)
        #expect(try ReadArchive(Array("PK".utf8)).error == .notAnArchive)
        #expect(try ReadArchive([0x1F, 0x8B, 8, 0]).error == .damaged(entry: 1))
        #expect(try ReadArchive([]).error == .notAnArchive)
    }

    @Test func whatIsNoFileIsUnreadable() throws {
        let folder = FileManager.default.temporaryDirectory
        let pipe = folder.appending(path: "archive-\(UUID().uuidString)")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: pipe) }

        #expect(ReadArchive(folder).error == .unreadable)
        #expect(ReadArchive(folder.appending(path: "there-is-none")).error == .unreadable)
        #expect(ReadArchive(pipe).error == .unreadable)
    }
}
