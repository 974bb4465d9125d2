import Foundation
import Testing

/// What each target may import; DESIGN's table as data.
private struct ModuleTable: Decodable {
    var everywhere: Set<String>
    var alone: [String: Set<String>]
    var targets: [String: Set<String>]

    func allowedImports(of target: String) -> Set<String>? {
        alone[target] ?? targets[target].map { $0.union(everywhere) }
    }
}

@Suite struct ModuleTableTests {
    private static let testFolder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = testFolder.deletingLastPathComponent().deletingLastPathComponent()

    private static func table() throws -> ModuleTable {
        try JSONDecoder().decode(
            ModuleTable.self, from: Data(contentsOf: testFolder.appending(path: "Modules.json")))
    }

    /// The folders of the targets, by their names; a room of Sources holds several.
    private static func folders(in part: String) throws -> [String: URL] {
        let part = root.appending(path: part)
        let rooms = try FileManager.default.contentsOfDirectory(atPath: part.path)
        return try rooms.reduce(into: [:]) { found, room in
            for name in try FileManager.default.contentsOfDirectory(atPath: part.appending(path: room).path) {
                found[name] = part.appending(path: "\(room)/\(name)")
            }
        }
    }

    private static func targets() throws -> [String] { try folders(in: "Sources").keys.sorted() }

    private static func swiftFiles(of target: String) throws -> [URL] {
        guard let folder = try folders(in: "Sources")[target] else { return [] }
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
    }

    private static func imports(in source: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
                words[..<position].allSatisfy({
                    ["public", "package", "internal", "private"].contains($0) || $0.hasPrefix("@")
                })
            else { return nil }
            let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = kinds.contains(words[position + 1]) ? words[position + 2] : words[position + 1]
            return name.split(separator: ".").first.map(String.init)
        }
    }

    /// Swift Package Manager fetches what is not under a trait for every app that uses the client.
    @Test func anAppFetchesNothingOfTheServer() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let products = manifest.matches(of: /\.product\(\s*name: [^,]*, package: ([^,)]*)(, condition: )?/)

        #expect(products.contains { $0.2 != nil })
        for product in products where product.2 == nil { #expect(product.1 == #""GRDB.swift""#) }
    }

    @Test func everyTargetStandsInTheTable() throws {
        let table = try Self.table()

        #expect(try Set(Self.targets()).union(table.alone.keys) == Set(table.targets.keys).union(table.alone.keys))
    }

    @Test func testsStandInTheRoomsOfWhatTheyTest() throws {
        let rooms = try Self.folders(in: "Sources").mapValues { $0.deletingLastPathComponent().lastPathComponent }
        let tests = try Self.folders(in: "Tests").filter { $0.key.hasSuffix("Tests") }
        #expect(tests.count > 20)
        for (name, folder) in tests {
            let room = folder.deletingLastPathComponent().lastPathComponent
            #expect(room == rooms[String(name.dropLast(5)), default: "Client"], "\(name)")
        }
    }

    @Test func targetsImportOnlyWhatTheTableAllows() throws {
        let table = try Self.table()
        var fileCount = 0

        for target in try Self.targets() {
            let allowed = try #require(table.allowedImports(of: target), "\(target) is not in the table")
            for file in try Self.swiftFiles(of: target) {
                fileCount += 1
                let imported = Self.imports(in: try String(contentsOf: file, encoding: .utf8))
                let forbidden = imported.filter { !allowed.contains($0) }
                #expect(forbidden.isEmpty, "\(target)/\(file.lastPathComponent) imports \(forbidden)")
            }
        }

        #expect(fileCount > 100)
    }

    @Test func theTableAllowsNothingThatNobodyImports() throws {
        let table = try Self.table()

        for (target, allowed) in table.targets where !allowed.isEmpty {
            let files = try Self.swiftFiles(of: target)
            let imported = try files.flatMap { Self.imports(in: try String(contentsOf: $0, encoding: .utf8)) }
            #expect(allowed.subtracting(imported).isEmpty || files.isEmpty, "\(target)")
        }
    }

    @Test func importLinesAreRecognised() {
        let source = """
            public import ChatCore
            import struct Foundation.Data
            @preconcurrency import Hummingbird
            // import Nothing
            let text = "import this"
            """

        #expect(Self.imports(in: source) == ["ChatCore", "Foundation", "Hummingbird"])
    }

    @Test func noSystemLibraryLeaksThroughAnImport() throws {
        for target in try Self.targets() {
            for file in try Self.swiftFiles(of: target) {
                let source = try String(contentsOf: file, encoding: .utf8)
                for module in ["GRDB", "CCurl", "CArchive", "CPostgres", "CBLAS"] {
                    for access in ["public", "package"] {
                        #expect(
                            !source.contains("\(access) import \(module)"),
                            "\(file.lastPathComponent) leaks \(module)")
                    }
                }
            }
        }
    }

    /// Apps and tools outside the package see the library products and what those show.
    ///
    /// ChatCore is public too: the compiler puts small public functions of a module into the callers in other modules,
    /// but not those that only the package sees, and JSON and values are on every path.
    @Test func onlyTheLibraryProductsAndTheCoreArePublic() throws {
        let shown: Set = [
            "ChatCore", "IndexCore", "VectorIndex", "LexicalIndex", "NexusModel", "NexusClient", "NexusClientTesting",
            "NexusTransportNIO", "NexusTransportURLSession",
        ]
        for target in try Self.targets() where !shown.contains(target) {
            for file in try Self.swiftFiles(of: target) {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                // A conformance of a public type to a protocol of a library needs a public import.
                let isPublic = lines.contains { line in
                    let text = line.drop { $0 == " " }
                    return text.hasPrefix("public ") && !text.hasPrefix("public import")
                }
                #expect(!isPublic, "\(target) shows something of \(file.lastPathComponent) to everybody")
            }
        }
    }

    /// With Swift 6.3 each read of a closure that is the value of a `Mutex` itself leaves two more closures around it; in a
    /// struct or an array it is left as it is (swiftlang/swift, issue 91348).
    @Test func noMutexHoldsAClosureItself() throws {
        #expect(Self.holdsClosure("let a = Mutex<(@Sendable (Int) -> Void)?>(nil)"))
        #expect(Self.holdsClosure("let a: Mutex<@Sendable () async throws -> Void>"))
        #expect(Self.holdsClosure("let a = Mutex<(() -> Int)?>(nil)"))
        #expect(!Self.holdsClosure("let a = Mutex<[@Sendable (Int) -> Void]>([])"))
        #expect(!Self.holdsClosure("let a = Mutex<(first: Int, last: Int)>((0, 0))"))
        for target in try Self.targets() {
            for file in try Self.swiftFiles(of: target) {
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                #expect(!lines.contains { Self.holdsClosure($0) }, "a struct has to hold the closure: \(file.path)")
            }
        }
    }

    private static func holdsClosure(_ line: some StringProtocol) -> Bool {
        String(line).contains(/Mutex<\(?(@\w+ )*\([^:]*\)[a-z ]*->/)
    }
}
