import Archive
import Glibc
import TestSupport
import Testing

@Suite struct HostilePathTests {
    @Test(arguments: [
        "/etc/passwd", "//etc/passwd", "..", "../a", "a/../../b", "a/..", "a/b\\c", "..\\a", "C:/a", "c:a", "C:\\a",
        "a\u{7}b", "a\u{1B}[2J", "a\nb", "a\u{85}b",
    ]) func aPathThatLeadsElsewhereIsPassedOver(path: String) throws {
        let expected = [SkippedEntry(number: 1, reason: .unsafePath)]

        let zip = try ReadArchive(HandmadeZip(members: [.init(path, "x"), .init("good", "y")]).bytes())
        let tar = try ReadArchive(
            HandmadeTar.member(Array(path.utf8), "x") + HandmadeTar.member(Array("good".utf8), "y") + HandmadeTar.end)

        #expect(zip.skipped == expected)
        #expect(zip.paths == ["good"])
        #expect(zip.texts == ["y"])
        #expect(zip.error == nil)
        #expect(tar.skipped == expected)
        #expect(tar.paths == ["good"])
        #expect(tar.texts == ["y"])
        #expect(tar.error == nil)
    }

    @Test(arguments: [
        ("./a", "a"), ("a//b", "a/b"), ("a/./b", "a/b"), ("a..b/...", "a..b/..."), ("a:b", "a:b"), ("1:b", "1:b"),
        ("a\u{0}b", "a"), ("Café ☕", "Café ☕"),
    ]) func aPathHasOneForm(name: String, path: String) throws {
        let zip = try ReadArchive(HandmadeZip(members: [.init(name, "x")]).bytes())

        #expect(zip.paths == (path == "a:b" ? [] : [path]))
    }

    @Test func ofAZipWithoutSlashesBackslashesAreTaken() throws {
        let zip = try ReadArchive(HandmadeZip(members: [.init("a\\b", "x")]).bytes())
        let tar = try ReadArchive(HandmadeTar.member(Array("a\\b".utf8), "x") + HandmadeTar.end)

        #expect(zip.paths == ["a/b"])
        #expect(tar.paths == [])
        #expect(tar.skipped.map(\.reason) == [.unsafePath])
    }

    @Test func aNameInAnotherCharacterSetIsReadAsCodePage437() throws {
        var member = HandmadeZip.Member("", "x")
        member.name = [0x66, 0x81, 0x72, 0xE1, 0xFF]

        let zip = try ReadArchive(HandmadeZip(members: [member]).bytes())
        let tar = try ReadArchive(HandmadeTar.member([0x66, 0x81, 0x72], "x") + HandmadeTar.end)

        #expect(zip.paths == ["fürß\u{A0}"])
        #expect(tar.paths == ["für"])
    }

    @Test func aNameThatIsSaidToBeUTF8MustBe() throws {
        var good = HandmadeZip.Member("für", "x")
        good.flags = 1 << 11
        var bad = good
        bad.name = [0x66, 0x81, 0x72]

        let read = try withFile(HandmadeZip(members: [bad, good]).bytes()) { file in
            // What another call left on this thread must not be taken for the library's own.
            errno = ENOMEM
            return ReadArchive(file)
        }

        #expect(read.error == nil)
        #expect(read.paths == ["für"])
        #expect(read.skipped == [SkippedEntry(number: 1, reason: .unreadablePath)])
    }

    @Test func emptyAndLongNamesArePassedOver() throws {
        var limits = ArchiveLimits.standard
        limits.pathByteCount = 10
        let members = ["", ".", "0123456789", "0123456789a"].map { HandmadeZip.Member($0, "x") }

        let read = try ReadArchive(HandmadeZip(members: members).bytes(), limits: limits)

        #expect(read.paths == ["0123456789"])
        #expect(read.skipped.map(\.number) == [1, 2, 4])
        #expect(read.skipped.map(\.reason) == [.unreadablePath, .unreadablePath, .longPath])
    }

    @Test func ofEntriesOfOnePathTheFirstCounts() throws {
        let members = [HandmadeZip.Member("a/b", "1"), .init("./a//b", "2"), .init("a/b", "3"), .init("a/c", "4")]

        let read = try ReadArchive(HandmadeZip(members: members).bytes())

        #expect(read.paths == ["a/b", "a/c"])
        #expect(read.texts == ["1", "4"])
        #expect(read.skipped.map(\.reason) == [.duplicatePath, .duplicatePath])
    }

    @Test func theListOfWhatWasPassedOverIsBounded() throws {
        var limits = ArchiveLimits.standard
        limits.skippedEntryCount = 3
        let members = (0..<10).map { HandmadeZip.Member("../\($0)") }

        let read = try ReadArchive(HandmadeZip(members: members).bytes(), limits: limits)

        #expect(read.skipped.map(\.number) == [1, 2, 3])
        #expect(read.skippedCount == 10)
    }
}
