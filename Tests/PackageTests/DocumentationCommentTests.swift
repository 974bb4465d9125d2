import Foundation
import Testing

/// Declarations that others see have documentation.
///
/// Everything public has; of what the package sees, what cannot be understood at a glance: types, functions with
/// arguments, and all that a protocol asks for. Initialisers and what a protocol documents need none.
struct DocumentationCommentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Requirements of protocols of other packages.
    private static let foreign: Set = [
        "==", "<", "hash", "encode", "description", "errorDescription", "makeAsyncIterator", "makeIterator", "next",
        "run",
        "validate", "configuration", "body", "rawValue", "allCases", "id",
    ]

    private static func sources() throws -> [(path: String, lines: [Substring])] {
        let folder = root.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try paths.sorted().map { path in
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            return (path, text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// The name of a function or property that a line declares; nil for other lines.
    private static func name(in line: some StringProtocol) -> String? {
        for keyword in [" func ", " var ", " let "] {
            guard let range = line.range(of: keyword) else { continue }
            return String(
                line[range.upperBound...].prefix { !"(:<{ =".contains($0) || $0 == "<" || $0 == "=" }
                    .prefix { $0 != "(" && $0 != ":" && $0 != " " })
        }
        return nil
    }

    /// The names of all requirements of our own protocols.
    private static func requirements(_ sources: [(path: String, lines: [Substring])]) -> Set<String> {
        var names: Set<String> = []
        for (_, lines) in sources {
            var isInProtocol = false
            for line in lines {
                if line.contains("protocol "), line.hasSuffix("{") { isInProtocol = true }
                if line == "}" { isInProtocol = false }
                if isInProtocol, let name = name(in: line) { names.insert(name) }
            }
        }
        return names
    }

    /// Whether a declaration that the package sees says too little by its name: a type, or a function with arguments.
    private static func needsWords(_ declaration: some StringProtocol) -> Bool {
        let words = declaration.prefix { $0 != "(" && $0 != "{" && $0 != ":" && $0 != "=" }.split(separator: " ")
        if words.contains("func") { return !declaration.contains("()") }
        return words.contains { ["struct", "class", "enum", "actor", "protocol"].contains($0) }
    }

    @Test func whatNeedsWordsIsKnown() {
        for declaration in [
            "package struct Ask: Sendable {", "package func claim(_ count: Int) -> Int {", "package final class Gate {",
            "package static func named(_ text: String)",
        ] {
            #expect(Self.needsWords(declaration), "\(declaration)")
        }
        for declaration in [
            "package let count: Int", "package func close() async {", "package static let empty = Ask()",
        ] {
            #expect(!Self.needsWords(declaration), "\(declaration)")
        }
    }

    @Test func declarationsAreDocumented() throws {
        let sources = try Self.sources()
        let known = Self.requirements(sources).union(Self.foreign)
        #expect(known.contains("embed") && known.contains("claim"))
        var missing: [String] = []
        for (path, lines) in sources {
            for (number, line) in lines.enumerated() {
                let text = line.drop { $0 == " " }
                let isShown = text.hasPrefix("public ") || text.hasPrefix("package ") && Self.needsWords(text)
                guard isShown, !text.contains(" import "), !text.contains("init(") else { continue }
                if let name = Self.name(in: " " + text), known.contains(name) { continue }
                var before = number - 1
                while before >= 0, lines[before].drop(while: { $0 == " " }).hasPrefix("@") { before -= 1 }
                let isDocumented = before >= 0 && lines[before].drop { $0 == " " }.hasPrefix("///")
                if !isDocumented { missing.append("\(path):\(number + 1): \(text)") }
            }
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
    }
}
