import App
import Foundation
import Testing

@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The pages whose links are checked, by their paths from the root.
    static func pages() throws -> [String] {
        let folder = root.appending(path: "docs").path(percentEncoded: false)
        let docs = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
            + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// The page that lists a page: for `docs/live-chat/feed.md` it is `docs/live-chat.md`, otherwise the README.
    private static func index(of page: String) -> String {
        let folder = page.split(separator: "/").dropLast()
        return folder.count < 2 ? "README.md" : folder.joined(separator: "/") + ".md"
    }

    @Test func everySettingIsInTheTableWithItsKindAndDefault() throws {
        let rows = try Self.text(of: "docs/settings.md").split(separator: "\n").filter { $0.hasPrefix("| `") }

        for key in Settings.all {
            let row = try #require(
                rows.first { $0.hasPrefix("| `\(key.name)` |") }, "\(key.name) is not in the settings table")
            #expect(row.contains(key.kind.description), "\(key.name): the table has another type")
            if key.defaultValue?.isEmpty == false, let text = key.defaultText {
                #expect(row.contains("| \(text) |"), "\(key.name): the table has another default")
            }
            #expect(row.hasSuffix(key.isSecret ? "| yes |" : "| no |"), "\(key.name): secret or not")
        }
    }

    @Test(arguments: [
        ("README.md", "make demo"), ("README.md", "make test"), ("CONTRIBUTING.md", "make test"),
        ("CONTRIBUTING.md", "bench index"), ("docs/settings.md", "nexus reembed"),
    ])
    func namesTheCommandsToStartWith(page: String, command: String) throws {
        #expect(try Self.text(of: page).contains(command), "\(command) is not in \(page)")
    }

    @Test func theREADMEIsShort() throws {
        let lines = try Self.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false)

        // The last piece is empty: the file ends with a newline.
        #expect(lines.count - 1 <= 150)
        for line in lines { #expect(line.count <= 160, "\(line)") }
    }

    @Test func everyPageIsInItsIndex() throws {
        for page in try Self.pages() where page != "README.md" {
            let index = Self.index(of: page)
            let links = Markdown(try Self.text(of: index)).links.map {
                Self.target(of: $0, on: index).path(percentEncoded: false)
            }
            let target = Self.root.appending(path: page).standardizedFileURL.path(percentEncoded: false)
            #expect(links.contains(target), "\(index) has no link to \(page)")
        }
    }

    @Test func pagesInFoldersAreShort() throws {
        for page in try Self.pages() where Self.index(of: page) != "README.md" {
            let words = try Self.text(of: page).split(whereSeparator: \.isWhitespace)
            #expect(words.count <= 1_200, "\(page) has \(words.count) words")
        }
    }

    @Test func everyRelativeLinkResolves() throws {
        for page in try Self.pages() {
            for link in Markdown(try Self.text(of: page)).links where !link.contains(":") {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target = parts[0].isEmpty ? Self.root.appending(path: page) : Self.target(of: parts[0], on: page)
                #expect(
                    FileManager.default.fileExists(atPath: target.path(percentEncoded: false)),
                    "\(page): \(link) names no file or folder")
                guard parts.count == 2 else { continue }
                let anchors = try Markdown(String(contentsOf: target, encoding: .utf8)).anchors
                #expect(anchors.contains(parts[1]), "\(page): \(link) names no heading")
            }
        }
    }

    private static func target(of path: String, on page: String) -> URL {
        root.appending(path: page).deletingLastPathComponent().appending(path: path).standardizedFileURL
    }
}

/// The links and headings of a page, without its fenced blocks.
private struct Markdown {
    /// The targets of all inline links.
    let links: [String]
    /// The anchors that GitHub gives the headings.
    let anchors: Set<String>

    init(_ text: String) {
        var lines: [Substring] = []
        var isFenced = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isFenced.toggle() } else if !isFenced { lines.append(line) }
        }
        links = lines.flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        }
        anchors = Set(lines.filter { $0.hasPrefix("#") }.map(Self.anchor))
    }

    /// Lower case, without punctuation, blanks as hyphens.
    private static func anchor(of heading: Substring) -> String {
        let title = heading.drop { $0 == "#" }.drop { $0 == " " }
        return String(
            title.lowercased().compactMap { character -> Character? in
                if character.isLetter || character.isNumber || character == "-" || character == "_" { return character }
                return character == " " ? "-" : nil
            })
    }
}
