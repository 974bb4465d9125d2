import Archive
import Foundation
import TestSupport
import Testing

@Suite struct GzipTests {
    private static let text = Array(repeatElement(Array("a line of some length\n".utf8), count: 20_000).joined())

    private func read(_ bytes: [UInt8], name: String = "talk.jsonl.gz") throws -> ReadArchive {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gzip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        return ReadArchive(file)
    }

    @Test func aSingleFileIsReadUnderItsOwnName() throws {
        let read = try read(HandmadeGzip.bytes(Self.text))

        #expect(read.error == nil)
        #expect(read.paths == ["talk.jsonl"])
        #expect(read.contents == [Self.text])
    }

    @Test(arguments: [1, 511, 512, 513]) func aShortFileIsReadWhole(byteCount: Int) throws {
        let text = [UInt8](repeating: 0x61, count: byteCount)

        let read = try read(HandmadeGzip.bytes(text))

        #expect(read.error == nil)
        #expect(read.contents == [text])
    }

    @Test func membersFollowOneAnotherAndZerosMayFollow() throws {
        let members = [Self.text, [], Array("end".utf8)].flatMap { HandmadeGzip.bytes($0) }

        let read = try read(members + [UInt8](repeating: 0, count: 100_000))

        #expect(read.error == nil)
        #expect(read.contents == [Self.text + Array("end".utf8)])
    }

    private static let damaged = [
        HandmadeGzip.bytes(text, checksum: 1), HandmadeGzip.bytes(text, byteCount: 1),
        HandmadeGzip.bytes([1], checksum: 1) + HandmadeGzip.bytes(text), HandmadeGzip.bytes(text) + [7],
        HandmadeGzip.bytes(text) + [0x1F, 0x8B], HandmadeGzip.bytes(text).dropLast(),
        Array(HandmadeGzip.bytes(text).prefix(5)),
    ]

    @Test(arguments: damaged.indices) func damageIsAnErrorThatNamesTheEntry(index: Int) throws {
        let read = try read(Self.damaged[index])

        #expect(read.error == .damaged(entry: 1))
    }
}
