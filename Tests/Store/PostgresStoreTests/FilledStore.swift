import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// A data folder for tests of migrations.
struct WorkspaceFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "workspace-\(UUID().uuidString)")

    func open() async throws -> SQLStore { try await SQLStore.open(folder: url, options: StoreOptions()) }

    func remove() { try? FileManager.default.removeItem(at: url) }

    /// Calls a body with a new folder that does not exist yet, and removes it.
    static func with(_ body: (WorkspaceFolder) async throws -> Void) async throws {
        let folder = WorkspaceFolder()
        defer { folder.remove() }
        try await body(folder)
    }
}

extension SQLStore {
    static let storedFile = "The marigold is kept behind the third pillar."

    /// Fills an empty store as people and services do: messages, edits and deletions, files, vectors, turns, keys.
    func fillAsUsed() async throws {
        _ = try await store(
            [.of("c", ["ada", "bob"]), .of("d", ["ada", "eve"])], source: "api", mode: .posting, at: .second(0))
        let generation = try await beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0)).number
        let bytes = AsyncStream<[UInt8]> { stream in
            stream.yield(Array(Self.storedFile.utf8))
            stream.finish()
        }
        let draft = FileDraft(id: "file-1", ownerID: "ada", name: "plan.txt", moment: .second(1))
        let file = try await storeFile(draft, content: bytes, limits: FileLimits())
        try await deleteFile()
        var attached = Message.short("c", "attached", by: "ada", "", at: 3)
        attached.attachments = [Message.Attachment(file: file.id)]
        let messages = (0..<30).map { number in
            Message.short(
                "d", MessageID(rawValue: "m\(number)"), by: "eve", "tab\t, \\ and\nline \(number)", at: number)
        }
        let outcomes = try await accept(
            [.complete("c", "full", by: "ada"), .short("c", "gone", at: 1), attached] + messages, source: "api",
            mode: .posting, at: .second(1))
        try #require(outcomes.allSatisfy { $0 == .inserted })
        let items = try await claim(20, for: generation, until: .second(60), at: .second(2))
        _ = try await commit(items.map { .of($0, passages: 2) }, at: .second(3))
        try await delete(.of("c", "gone"), at: .second(4))
        try await delete(.of("d", "m29"), at: .second(4))
        try await record(
            Turn(
                id: "t", askerID: "ada", question: "Which berth?", answer: "The second [1]",
                sourceKeys: [.of("c", "full")], askedAt: .second(5)))
    }

    /// Stores a file with a message, and deletes the message.
    private func deleteFile() async throws {
        let bytes = AsyncStream<[UInt8]> { stream in
            stream.yield(Array("an older plan".utf8))
            stream.finish()
        }
        let draft = FileDraft(id: "file-0", ownerID: "ada", name: "old.txt", moment: .second(1))
        let file = try await storeFile(draft, content: bytes, limits: FileLimits())
        var message = Message.short("c", "without file", by: "ada", "", at: 2)
        message.attachments = [Message.Attachment(file: file.id)]
        _ = try await accept([message], source: "api", mode: .posting, at: .second(1))
        try await delete(.of("c", "without file"), at: .second(2))
    }

    /// Inserts three rows into each table that is migrated; their values mean nothing.
    func fillAllTables() async throws {
        for table in MigratedTable.names {
            let described = """
                SELECT p.name || '/' || p.type || '/' || (p."notnull" OR p.pk > 0) || '/' || COALESCE(
                    (SELECT f."table" FROM pragma_foreign_key_list('\(table)') f WHERE f."from" = p.name), '')
                FROM pragma_table_info('\(table)') p ORDER BY p.cid
                """
            let columns = try await inspect(described).map { text in
                text.split(separator: "/", omittingEmptySubsequences: false)
            }
            for row in 1...3 {
                let values = columns.map { column in
                    Self.value(of: "\(column[0])", "\(column[1])", isNeeded: column[2] == "1", "\(column[3])", row: row)
                }
                let names = columns.map { String($0[0]) }.joined(separator: ", ")
                // Some tables have one row.
                _ = try await inspect(
                    "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(values.joined(separator: ", ")))")
            }
        }
    }

    private static func value(of column: String, _ type: String, isNeeded: Bool, _ parent: String, row: Int) -> String {
        if row == 2, !isNeeded { return "NULL" }
        if column == "media_type" { return "'application/octet-stream'" }
        switch (type, parent) {
        case ("INTEGER", "") where column == "place": return "\(row)"
        case ("INTEGER", "") where column != "number": return "\(row * 3 - 5)"
        case ("INTEGER", _): return "\(900 + row)"
        case ("REAL", _): return "\(Double(row) - 1.5)"
        case ("BLOB", _): return "x'005c78ff0a\(row)f'"
        case (_, "accounts"): return "'user_id \(row) \\N \\ ü 👋'"
        case ("TEXT", _): return "'\(column) \(row) \\N \\ ü 👋'"
        default: return "NULL"
        }
    }

    /// All rows of the migrated tables as texts.
    func allRows(columns: [String: [String]]) async throws -> [String: [String]] {
        var rows: [String: [String]] = [:]
        for (table, columns) in columns {
            let isPostgres = try await isPostgres
            let texts = columns.map { column in
                let (name, type) = (column.split(separator: "/")[0], column.split(separator: "/")[1])
                let text =
                    switch type {
                    // The two write whole numbers differently.
                    case "REAL": "CAST(CAST(1000 * \(name) AS BIGINT) AS TEXT)"
                    case "BLOB": isPostgres ? "upper(encode(\(name), 'hex'))" : "NULLIF(hex(\(name)), '')"
                    default: "CAST(\(name) AS TEXT)"
                    }
                return "COALESCE(\(text), '~')"
            }
            rows[table] = try await inspect("SELECT \(texts.joined(separator: " || '|' || ")) FROM \(table)").sorted()
        }
        return rows
    }

    /// The columns of the migrated tables in SQLite, with their types.
    func columns() async throws -> [String: [String]] {
        var columns: [String: [String]] = [:]
        for table in MigratedTable.names {
            columns[table] = try await inspect("SELECT name || '/' || type FROM pragma_table_info('\(table)')")
        }
        return columns
    }

    private var isPostgres: Bool {
        get async throws { (try? await inspect("SELECT sqlite_version()")) == nil }
    }

    /// The changes as they are stored.
    func changeNumbers() async throws -> [String] { try await inspect("SELECT number FROM changes ORDER BY number") }
}
