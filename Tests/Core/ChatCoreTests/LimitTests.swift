import ChatCore
import Foundation
import Glibc
import Testing

@Suite struct LimitTests {
    private static let tower = "a" + String(repeating: "\u{301}", count: 600)

    @Test func oneCharacterOfManyBytesIsTooLong() {
        #expect(TextLimit.name.fault(of: Self.tower) == "must have at most 1024 bytes")
        #expect(TextLimit.name.fault(of: String(repeating: "x", count: 257)) == "must have at most 256 characters")
        #expect(TextLimit.name.fault(of: String(repeating: "x", count: 256)) == nil)
        #expect(TextLimit.name.fault(of: String(repeating: "語", count: 256)) == nil)
        #expect(TextLimit.name.fault(of: "", mayBeEmpty: false) == "must have 1 to 256 characters")
        #expect(TextLimit.name.fault(of: "") == nil)
    }

    @Test(arguments: [tower, String(repeating: "語", count: 400), String(repeating: "👩‍👩‍👧‍👦", count: 300), "short"])
    func whatIsCutIsShortEnoughAndABeginning(text: String) {
        let cut = TextLimit.name.cut(text)

        #expect(TextLimit.name.admits(cut))
        #expect(text.utf8.starts(with: cut.utf8))
        #expect(TextLimit.name.cut(cut) == cut)
    }

    @Test func aTitleThatIsMadeIsShortInBytes() {
        let thread = AssistantThread(
            id: "t", ownerID: "ada", firstQuestion: Self.tower, createdAt: Timestamp(microseconds: 0))

        #expect(thread.title.utf8.count <= 250)
    }

    @Test func aMessageIsCutToItsLimits() {
        var message = Message(
            key: MessageKey(conversationID: "c", messageID: "m"), senderID: "ada", senderName: Self.tower,
            text: String(repeating: "x", count: 200_000), timestamp: Timestamp(microseconds: 0))
        let people = (0..<5_000).map { UserID(rawValue: "user \($0)" + String(repeating: "x", count: 200)) }
        message.reactions = (0..<200).map { Message.Reaction(emoji: "\($0)", userIDs: people) }
        message.attachments = (0..<200).map {
            Message.Attachment(
                name: Self.tower + "\($0)", type: Self.tower, caption: String(repeating: "y", count: 50_000))
        }
        message.extra = String(repeating: "z", count: 100_000)

        let cut = message.cutToLimits()

        #expect(message.limitFault != nil)
        #expect(cut.limitFault == nil)
        #expect(cut.cutToLimits() == cut)
        #expect(cut.text == message.text)
        #expect(cut.searchableText.utf8.count > 250_000)
        #expect(cut.attachments.count == 100)
        #expect(cut.reactions.first?.userIDs.isEmpty == false)
    }

    @Test(arguments: [
        "UTC\0", "", " ", "Europe/Berlin\n", "../etc/passwd", "Ünix", String(repeating: "a", count: 65),
        "GMT+5", "GMT+05:30", "UTC+2", "SystemV/PST8", "Factory", "PST", "IST",
    ])
    func whatIsNoNameOfAZoneIsNone(name: String) {
        #expect(TimeZone(named: name) == nil)
    }

    @Test(arguments: [
        "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "GMT+0", "EST", "US/Pacific",
    ])
    func namesOfZonesAreTaken(name: String) {
        #expect(TimeZone(named: name) != nil)
    }
}

/// Would hang, were a pipe waited for.
@Suite(.timeLimit(.minutes(15))) struct RegularFileTests {
    @Test func onlyRegularFilesAreRead() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "regular-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "file").path
        try Data("hello".utf8).write(to: URL(filePath: file))
        let pipe = folder.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let link = folder.appending(path: "link").path
        #expect(symlink(file, link) == 0)

        #expect(RegularFile.contents(file) == Data("hello".utf8))
        #expect(RegularFile.contents(link) == Data("hello".utf8))
        #expect(RegularFile.contents(file, byteLimit: 4) == nil)
        for path in [pipe, folder.path, "/dev/zero", folder.appending(path: "none").path] {
            #expect(RegularFile.contents(path) == nil)
        }
    }
}
