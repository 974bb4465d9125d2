import CArchive
import Foundation
import TestSupport
import Testing
import WebPage

@Suite(.hangGuard) struct WebPageTests {
    private let page = WebPage()

    @Test func allFilesOfTheFolderAreInTheProgram() throws {
        let folder = try #require(Self.folder)
        let names = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
            .map { String($0.path.dropFirst(folder.path.count + 1)) }.sorted()

        #expect(page.names == names, "run scripts/generate-page")
        for name in names where name != WebPage.start {
            let content = try Data(contentsOf: folder.appending(path: name))
            #expect(page.file(name)?.content == SourceText.compacted(content, name: name), "\(name)")
        }
    }

    // All parts together; preload.test.mjs counts what a person loads who only chats.
    @Test func thePageIsSmall() {
        #expect(page.compressedByteCount < 216 * 1024)
    }

    @Test(arguments: [
        ("// one\n  let a = 1 // two\n\n\n\tlet b\n", "let a = 1\nlet b\n"),
        ("/* one\n   two */let a", "let a"), ("let a /* one */ = 1", "let a  = 1"), ("return /*\n*/ 1", "return \n1"),
        (#"a = "//" + '/*' + "\"//""#, #"a = "//" + '/*' + "\"//""#),
        ("a = `  // ${b // c\n  + `}${ {d: `e`} }`}\n  f\n`", "a = `  // ${b\n+ `}${ {d: `e`} }`}\n  f\n`"),
        ("a = /[/`'\"]\\/ /.test(b) // c", "a = /[/`'\"]\\/ /.test(b)"), ("return /'/g // c", "return /'/g"),
        ("a = b / c // d's", "a = b / c"), ("a = (b) / 2 / c['d'] / 3 // e", "a = (b) / 2 / c['d'] / 3"),
        ("x => /`/u // y", "x => /`/u"),
    ])
    func aScriptLosesCommentsAndIndentationAlone(script: String, compacted: String) {
        #expect(Self.compacted(script, "a.js") == compacted)
    }

    @Test(arguments: [
        ("/* one\n two */\na {\n  b: c; /* d */\n}\n", "a {\nb: c;\n}\n"),
        (#"a::before { content: "/*  */" }"#, #"a::before { content: "/*  */" }"#),
    ])
    func aStyleSheetLosesCommentsAndIndentationAlone(style: String, compacted: String) {
        #expect(Self.compacted(style, "a.css") == compacted)
    }

    @Test func otherFilesStayAsTheyAre() {
        #expect(Self.compacted("  // a\n", "a.html") == "  // a\n")
    }

    private static func compacted(_ text: String, _ name: String) -> String {
        String(decoding: SourceText.compacted(Data(text.utf8), name: name), as: UTF8.self)
    }

    @Test func theDocumentNamesFilesByTheirVersion() throws {
        let start = try #require(page.file(WebPage.start))
        let text = String(decoding: start.content, as: UTF8.self)

        #expect(start.mediaType == "text/html; charset=utf-8")
        #expect(page.identity.count == 16)
        #expect(text.contains("src=\"/page/\(page.identity)/main.js\""))
        for name in page.names where text.contains("\"\(name)\"") {
            Issue.record("\(name) is named without its version")
        }
    }

    @Test func compressedBytesAreTheFile() throws {
        for name in page.names {
            let file = try #require(page.file(name))
            if let compressed = file.compressed { #expect(Self.inflated(compressed) == file.content, "\(name)") }
        }
    }

    @Test func aFolderIsReadAnew() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: WebPage.start))
        }
        try write("<script src=\"main.js\"></script>")
        try Data("1".utf8).write(to: folder.appending(path: "main.js"))
        let page = WebPage(folder: folder)
        let before = page.file(WebPage.start)
        try write("<p>new</p>")

        #expect(before?.content == Data("<script src=\"/page/dev/main.js\"></script>".utf8))
        #expect(page.file(WebPage.start)?.content == Data("<p>new</p>".utf8))
        #expect(page.file("main.js")?.mediaType == "text/javascript; charset=utf-8")
        for name in ["", "no.js", "../main.js", "lib/../main.js", "/main.js", ".hidden", "main.js/"] {
            #expect(page.file(name) == nil, "\(name)")
        }
    }

    private static var folder: URL? {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Sources/Server/WebPage/Files")
    }

    /// Undoes gzip; nil if the bytes are not complete.
    private static func inflated(_ compressed: Data) -> Data? {
        var stream = z_stream()
        let size = CInt(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = [UInt8](compressed)
        var output = [UInt8](repeating: 0, count: 4 * 1024 * 1024)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return inflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : nil
            }
        }
        return count.map { Data(output[..<$0]) }
    }
}
