import ChatCore
import Testing

@Suite struct FileValueTests {
    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("GIF89a".utf8), .gif), (Array("RIFF....WEBPVP8 ".utf8), .webp),
            (Array("RIFF....WAVEfmt ".utf8), nil),
            (Array("%PDF-1.7".utf8), .pdf), ([0x50, 0x4B, 3, 4, 0], .zip), (Array("PK".utf8), nil),
            ([0, 0, 0, 0x20] + Array("ftypisom".utf8), .mp4), ([0, 0, 0, 0x20] + Array("ftypM4A ".utf8), .mp4Audio),
            ([0, 0, 0, 0x20] + Array("ftypheic".utf8), nil),
            (Array("OggS".utf8) + [UInt8](repeating: 0, count: 40), .ogg),
            (Array("OggS".utf8) + [UInt8](repeating: 0, count: 25) + Array("theora".utf8), .oggVideo),
            (Array("ID3".utf8) + [4, 0], .mp3), ([0xFF, 0xFB, 0x90, 0x64], .mp3), ([0xFF, 0xFE, 0x41, 0x00], nil),
            (Array("<svg xmlns=".utf8), nil), ([], nil), ([0xFF], nil),
        ] as [([UInt8], MediaType?)])
    func theFirstBytesTellTheType(bytes: [UInt8], type: MediaType?) {
        #expect(MediaType(beginning: bytes) == type)
    }

    @Test(arguments: [
        ("<!DOCTYPE html>", true), ("\u{FEFF}\r\n <HTML lang=de>", true), ("<head>", true), ("<body\n>", true),
        ("<?xml version='1.0'?>\n<!-- saved --> <!doctype HTML PUBLIC>", true),
        ("# Plan\n<html>", false), ("<p align=\"center\">Read me</p>", false), ("<!-- note", false),
        ("<htmlx>", false),
        ("<header>", false), ("<html", false),
    ]) func anHTMLPageBeginsWithItsTypeOrElement(text: String, isPage: Bool) {
        #expect(MediaType(beginning: text.utf8) == (isPage ? .html : nil))
        let wide = text.replacing("\u{FEFF}", with: "").utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
        }
        #expect(MediaType(beginning: [0xFF, 0xFE] + wide) == (isPage ? .html : nil))
    }

    @Test(arguments: [
        ("Return-Path: <a@b.example>\r\nReceived: from c\r\n\tby d; today\r\n\r\ntext", true),
        ("From a@b.example Mon Nov  2 10:00:00 2026\nFrom: a@b.example\nSubject: plan", true),
        ("X-Spam: no\nMIME-Version: 1.0\nDATE: today\n", true), ("From: me\nTo: you\nhello", false),
        ("Subject: lunch\n\nat noon", false), ("From: me\nFrom: you", false), (": x\nFrom: a\nTo: b", false),
        ("HTTP/1.1 200 OK\nDate: today\nFrom: a", false), (" From: a\nTo: b", false),
    ]) func aMailBeginsWithFields(text: String, isMail: Bool) {
        #expect(MediaType(beginning: text.utf8) == (isMail ? .mail : nil))
    }

    @Test func aLongHeadOfAMailMayBeCut() {
        let head = "Received: from a\nReceived: " + String(repeating: "x ", count: 2_000) + "\nFrom: a\n"
        #expect(MediaType(beginning: head.utf8) == nil)
        #expect(MediaType(beginning: ("Return-Path: <a>\n" + head).utf8) == .mail)
    }

    @Test func onlyImagesSoundAndVideoAreShownInAPage() {
        #expect(
            Set(MediaType.allCases.filter { !$0.isShownInline }) == [.pdf, .zip, .html, .mail, .text, .bytes])
        #expect(!MediaType.allCases.contains { $0.contentType.hasPrefix("text/html") })
    }

    @Test(arguments: [
        ("plain\ttext\r\n", true), ("grüße 👍🏽 日本", true), ("nul\u{0}", false), ("bell\u{7}", false), ("", true),
    ]) func plainTextHasNoControlCharacters(text: String, isText: Bool) {
        var whole = PlainTextCheck()
        whole.take(text.utf8)
        var bytewise = PlainTextCheck()
        for byte in text.utf8 { bytewise.take([byte]) }

        #expect(whole.isText == isText)
        #expect(bytewise.isText == isText)
    }

    @Test(
        arguments: [
            [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0x80], [0xE2, 0x82], [0xFF, 0xFE],
        ] as [[UInt8]]) func brokenUTF8IsNoText(bytes: [UInt8])
    {
        var check = PlainTextCheck()
        check.take(bytes)

        #expect(!check.isText)
    }

    @Test(
        arguments: [
            (nil, "file"), ("", "file"), ("..", "file"), ("../../etc/passwd", "passwd"),
            ("C:\\x\\plan.doc", "plan.doc"),
            ("a/", "a"), (" . ", "file"), ("plan \"1\".txt", "plan \"1\".txt"), ("a\r\nb\u{0}c", "abc"),
            ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{2066}x\u{2069}", "x"), ("日本.txt", "日本.txt"),
            (".env", ".env"), ("zero\u{200B}\u{FEFF}width", "zerowidth"),
        ] as [(String?, String)]) func namesLeadNowhere(given: String?, name: String)
    {
        #expect(FileName.cleaned(given) == name)
    }

    @Test func aLongNameKeepsItsEnding() {
        let name = FileName.cleaned(String(repeating: "ä", count: 300) + ".jpeg")

        #expect(name.utf8.count <= FileName.byteLimit)
        #expect(name.hasPrefix("ää") && name.hasSuffix(".jpeg"))
        #expect(FileName.cleaned("a." + String(repeating: "b", count: 400)).utf8.count == FileName.byteLimit)
    }

    @Test func aMessageShowsNamesAndHidesTheWordsOfFiles() {
        var message = Message(
            key: MessageKey(conversationID: "c", messageID: "m"), senderID: "ada", senderName: "Ada", text: "see",
            timestamp: Timestamp(microseconds: 0))
        let file = StoredFile(id: "f", name: "plan.txt", mediaType: .text, byteCount: 5, sha256: "")
        message.attachments = [Message.Attachment(file, content: "marigold"), Message.Attachment(name: "old.png")]

        #expect(message.shownText == "see [plan.txt]")
        #expect(message.searchableText == "see [plan.txt]\nmarigold")
        #expect(message.fileIDs == ["f"])
    }
}
