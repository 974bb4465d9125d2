import App
import Foundation
import Testing

@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func readme() throws -> String {
        try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    }

    @Test func everySettingStandsInTheREADMEWithItsKind() throws {
        let rows = try Self.readme().split(separator: "\n").filter { $0.hasPrefix("| `") }

        for key in SettingKey.all {
            let row = try #require(
                rows.first { $0.hasPrefix("| `\(key.name)` |") }, "\(key.name) is not in the settings table")
            #expect(row.contains(key.kind.description), "\(key.name): the table tells another type")
            #expect(row.hasSuffix(key.isSecret ? "| yes |" : "| no |"), "\(key.name): secret or not")
        }
    }

    @Test func theREADMENamesTheCommandsToStartWith() throws {
        let readme = try Self.readme()

        for command in ["make demo", "make test", "index-bench", "nexus reembed"] {
            #expect(readme.contains(command), "\(command) is not in the README")
        }
    }
}
