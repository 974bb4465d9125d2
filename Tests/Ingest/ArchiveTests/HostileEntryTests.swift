import Archive
import TestSupport
import Testing

@Suite struct HostileEntryTests {
    private typealias Member = PackedArchive.Member

    private static let target = "/etc/passwd"

    @Test func linksAndDevicesInATarArePassedOver() throws {
        let members: [(Character, SkippedEntry.Reason)] = [
            ("1", .link), ("2", .link), ("3", .specialFile), ("4", .specialFile), ("6", .specialFile),
        ]
        let bytes = members.flatMap {
            HandmadeTar.member(Array("bad-\($0.0)".utf8), type: $0.0, link: Self.target)
        }

        let read = try ReadArchive(bytes + HandmadeTar.member(Array("good".utf8), "x") + HandmadeTar.end)

        #expect(read.skipped == members.indices.map { SkippedEntry(number: $0 + 1, reason: members[$0].1) })
        #expect(read.paths == ["good"])
        #expect(read.error == nil)
    }

    @Test func aFileWithHolesIsPassedOver() throws {
        let sparse = Member(path: "sparse", bytes: [UInt8](repeating: 0, count: 1 << 20), isSparse: true)

        let read = try ReadArchive(PackedArchive.bytes(.pax, [sparse, Member(path: "good", bytes: [1])]))

        #expect(read.skipped.map(\.reason) == [.sparse])
        #expect(read.paths == ["good"])
        #expect(read.error == nil)
    }

    @Test func linksDevicesAndEncryptedEntriesInAZipArePassedOver() throws {
        var link = HandmadeZip.Member("link", Self.target)
        link.mode = 0o120777
        var device = HandmadeZip.Member("device")
        device.mode = 0o020644
        var encrypted = HandmadeZip.Member("encrypted", "0123456789abcdef")
        encrypted.flags = 1
        var compressed = HandmadeZip.Member("compressed", "0123456789abcdef")
        compressed.method = 14
        let members = [link, device, encrypted, compressed, HandmadeZip.Member("good", "x")]

        let read = try ReadArchive(HandmadeZip(members: members).bytes())

        #expect(read.skipped.map(\.reason) == [.link, .specialFile, .encrypted, .compression])
        #expect(read.skipped.map(\.number) == [1, 2, 3, 4])
        #expect(read.paths == ["good"])
        #expect(read.texts == ["x"])
        #expect(read.error == nil)
    }

    @Test func aWrongChecksumIsDamage() throws {
        var bad = HandmadeZip.Member("bad", "text")
        bad.checksum = 1

        let read = try ReadArchive(HandmadeZip(members: [.init("good", "x"), bad, .init("after", "y")]).bytes())

        #expect(read.error == .damaged(entry: 2))
        #expect(read.paths == ["good", "bad"])
        #expect(read.texts == ["x"])
    }

    @Test(arguments: [1, 5, 1_000_000]) func aSizeThatLiesIsDamage(byteCount: Int) throws {
        var bad = HandmadeZip.Member("bad", "text")
        bad.byteCount = byteCount

        let read = try ReadArchive(HandmadeZip(members: [bad]).bytes())

        #expect(read.error == .damaged(entry: 1))
        #expect(read.contents == [])
    }

    @Test func anErrorStays() throws {
        var bad = HandmadeZip.Member("bad", "text")
        bad.checksum = 1

        let read = try ReadArchive(HandmadeZip(members: [bad, .init("good", "x")]).bytes())

        #expect(read.error == .damaged(entry: 1))
        #expect(read.laterErrors == [.damaged(entry: 1), .damaged(entry: 1)])
    }

    @Test(arguments: [PackedArchive.Format.zip, .ustar, .pax, .gzippedTar])
    func whatIsCutOffIsNeverTakenForWhole(format: PackedArchive.Format) throws {
        let text = Array("some text that is read ".utf8)
        let whole = PackedArchive.bytes(
            format, (1...3).map { Member(path: "file-\($0)", bytes: Array(repeatElement(text, count: 40).joined())) })
        let all = try ReadArchive(whole)
        #expect(all.paths.count == 3)

        for length in stride(from: 0, to: whole.count, by: 37) {
            let read = try ReadArchive(Array(whole.prefix(length)))
            let isWhole = read.contents == Array(all.contents.prefix(read.contents.count))
            #expect(isWhole, "\(length)")
            if format == .zip { #expect(read.contents.count == 3 || read.error != nil, "\(length)") }
            if format == .gzippedTar { #expect(read.error != nil, "\(length)") }
        }
    }

    @Test func aTarThatEndsWithinAnUnreadEntryIsDamage() throws {
        let bytes = PackedArchive.bytes(.ustar, [Member(path: "a", bytes: Array(repeating: 0x61, count: 200_000))])

        let read = try ReadArchive(Array(bytes.prefix(150_000)), readsContents: false)

        #expect(read.error == .damaged(entry: 2))
    }

    @Test(arguments: [PackedArchive.Format.zip, .gzippedTar, .pax])
    func changedBytesNeverCrash(format: PackedArchive.Format) throws {
        let text = Array(repeatElement(Array("words and words ".utf8), count: 60).joined())
        let whole = PackedArchive.bytes(
            format, [Member(path: "one", bytes: text), Member(path: "two", bytes: text), Member(path: "three")])
        var state: UInt64 = 11

        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            let read = try ReadArchive(bytes)
            if format == .zip { #expect(read.contents.allSatisfy { $0.isEmpty || $0 == text }) }
            if format == .gzippedTar, read.error == nil { #expect(read.contents == [text, text, []]) }
        }
    }
}
