import Archive
import TestSupport
import Testing

@Suite struct ArchiveLimitTests {
    private typealias Member = PackedArchive.Member

    private static func zeros(_ path: String, _ count: Int) -> Member {
        Member(path: path, bytes: [UInt8](repeating: 0, count: count))
    }

    @Test func aBombEndsInAnError() throws {
        let bytes = PackedArchive.bytes(.zip, [Member(path: "good", bytes: [1]), Self.zeros("bomb", 64 << 20)])
        #expect(bytes.count < 100_000)

        let read = try ReadArchive(bytes)

        #expect(read.error == .ratioTooHigh(entry: 2, limit: 200))
        #expect(read.paths == ["good", "bomb"])
    }

    @Test func theRatioCountsOverAllEntries() throws {
        var limits = ArchiveLimits.standard
        limits.ratioFreeByteCount = 1 << 20
        let bytes = PackedArchive.bytes(.zip, (0..<100).map { Self.zeros("small-\($0)", 500_000) })

        let read = try ReadArchive(bytes, limits: limits)

        // About 550 bytes of the file for each entry, so that the whole may be 22 of them at a ratio of 200.
        #expect(read.error == .ratioTooHigh(entry: read.paths.count, limit: 200))
        #expect((10...40).contains(read.paths.count))
    }

    @Test(arguments: [true, false]) func aBombInGzipEndsInAnErrorReadOrNot(readsContents: Bool) throws {
        let bytes = PackedArchive.bytes(.gzippedTar, [Self.zeros("bomb", 64 << 20), Member(path: "after", bytes: [1])])

        let read = try ReadArchive(bytes, readsContents: readsContents)

        #expect(read.error == .ratioTooHigh(entry: readsContents ? 1 : 2, limit: 200))
        #expect(read.paths == ["bomb"])
    }

    @Test func aHighRatioIsTakenWhereItIsAllowed() throws {
        var limits = ArchiveLimits.standard
        limits.ratio = 2_000

        let read = try ReadArchive(PackedArchive.bytes(.zip, [Self.zeros("a", 64 << 20)]), limits: limits)

        #expect(read.error == nil)
        #expect(read.contents.map(\.count) == [64 << 20])
    }

    @Test(arguments: [PackedArchive.Format.zip, .ustar, .gzippedTar])
    func tooManyEntriesEndInAnError(format: PackedArchive.Format) throws {
        var limits = ArchiveLimits.standard
        limits.entryCount = 10
        let members = (0..<11).map { Member(path: "\($0)", bytes: [1]) }

        let enough = try ReadArchive(PackedArchive.bytes(format, Array(members.dropLast())), limits: limits)
        let tooMany = try ReadArchive(PackedArchive.bytes(format, members), limits: limits)

        #expect(enough.error == nil)
        #expect(enough.paths.count == 10)
        #expect(tooMany.error == .tooManyEntries(limit: 10))
    }

    @Test func aLongDirectoryIsRefusedBeforeItIsInMemory() throws {
        var limits = ArchiveLimits.standard
        limits.entryCount = 5_000
        let bytes = HandmadeZip(members: (0..<20_000).map { HandmadeZip.Member("\($0)") }).bytes()

        let read = try ReadArchive(bytes, limits: limits)

        #expect(read.error == .tooManyEntries(limit: 5_000))
        #expect(read.paths == [])
        #expect(try ReadArchive(bytes, readsContents: false).paths.count == 20_000)
    }

    @Test func aLongHeaderEndsInAnError() throws {
        var limits = ArchiveLimits.standard
        limits.headerByteCount = 200_000
        let name = String(repeating: "n", count: 500_000)
        let bytes = PackedArchive.bytes(.pax, [Member(path: "a", bytes: [1]), Member(path: name, bytes: [2])])

        let read = try ReadArchive(bytes, limits: limits)
        let standard = try ReadArchive(bytes)

        #expect(read.error == .headerTooLong(entry: 2, limit: 200_000))
        #expect(read.paths == ["a"])
        #expect(standard.error == nil)
        #expect(standard.skipped == [SkippedEntry(number: 2, reason: .longPath)])
    }

    @Test func manyBytesEndInAnError() throws {
        var limits = ArchiveLimits.standard
        limits.entryByteCount = 100_000
        limits.totalByteCount = 150_000
        let large = PackedArchive.bytes(.storedZip, [Self.zeros("a", 100_000), Self.zeros("b", 100_001)])
        let long = PackedArchive.bytes(.ustar, [Self.zeros("a", 100_000), Self.zeros("b", 50_001)])
        let within = PackedArchive.bytes(.ustar, [Self.zeros("a", 100_000), Self.zeros("b", 50_000)])

        #expect(try ReadArchive(large, limits: limits).error == .archiveTooLarge(limit: 150_000))
        #expect(try ReadArchive(long, limits: limits).error == .archiveTooLarge(limit: 150_000))
        #expect(try ReadArchive(within, limits: limits).error == nil)
        limits.totalByteCount = 1_000_000
        #expect(try ReadArchive(large, limits: limits).error == .entryTooLarge(entry: 2, limit: 100_000))
    }
}
