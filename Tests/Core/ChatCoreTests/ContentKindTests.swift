import ChatCore
import TestSupport
import Testing

struct ContentKindTests {
    private static func kinds(_ text: String = "", _ attachments: Message.Attachment...) -> ContentKinds {
        ContentKinds(text: text, attachments: attachments)
    }

    @Test(
        arguments: [
            ("image/png", "x", .image), ("audio/ogg", "x", .audio), ("video/mp4", "x", .video),
            ("application/pdf", "x", .document), ("text/plain", "notes.txt", .document), ("IMAGE/JPEG", "x", .image),
            ("application/octet-stream", "IMG_1.HEIC", .image), (nil, "PTT-2026.opus", .audio),
            (nil, "film.MOV", .video),
            (nil, "plan.pdf", .document), (nil, "archive.tar.gz", .document), (nil, "README", .document),
            (nil, "ends.", .document), (nil, "png", .document),
        ] as [(String?, String, ContentKind)])
    func aFileHasOneKindByItsTypeOrElseItsName(type: String?, name: String, kind: ContentKind) {
        #expect(Self.kinds("", Message.Attachment(name: name, type: type)) == ContentKinds([.file, kind]))
    }

    @Test(arguments: [
        ("see https://example.com/a", true), ("HTTP://EXAMPLE.COM", true), ("(http://x)", true), ("xhttp://x", true),
        ("a: b :// http:/x https//y", false), ("https:// alone", false), ("http://", false), ("ftp://x", false),
        ("no link", false), ("", false), ("ttp://x", false), ("::::https://x", true),
    ])
    func aLinkIsAnAddressOfTheWeb(text: String, isLink: Bool) {
        #expect(Self.kinds(text) == (isLink ? ContentKinds([.link]) : []))
    }

    @Test func aMessageHasAllKindsOfItsFiles() {
        let message = Message.complete("c", "m", by: "ada")

        #expect(message.contentKinds == ContentKinds([.file, .document]))
        let both = Self.kinds("http://x", .init(name: "a.png"), .init(name: "b.mp3"))
        #expect(both == ContentKinds([.file, .image, .audio, .link]))
    }

    /// The bits are in files of the index.
    @Test func bitsKeepTheirNumbers() {
        #expect(ContentKind.allCases.map { ContentKinds([$0]).rawValue } == [1, 2, 4, 8, 16, 32])
    }

    @Test func aFilterAdmitsMessagesOfOneOfItsKinds() {
        var message = Message.short("c", "m", "https://example.com")
        #expect(SearchFilter(kinds: ContentKinds([.link, .image])).admits(message))
        #expect(!SearchFilter(kinds: ContentKinds([.file])).admits(message))
        #expect(!SearchFilter(kinds: []).admits(message))
        #expect(SearchFilter().admits(message))
        message.attachments = [.init(name: "a.jpg")]
        #expect(SearchFilter(kinds: ContentKinds([.file])).admits(message))
    }
}
