import ChatCore
import Foundation
import Histories
import MessageStore

extension Rendering {
    /// Shows the preview of an import.
    static func show(_ summary: HistorySummary, changes: [MembershipPreview] = []) {
        for file in summary.files {
            let entry = file.entry.map { " (\($0))" } ?? ""
            Console.print(Console.printable("\(file.path)\(entry): \(file.format.rawValue)"))
        }
        let changes = Dictionary(changes.map { ($0.conversationID, $0) }, uniquingKeysWith: { $1 })
        for place in summary.conversations {
            Console.print(Console.printable(line(of: place)))
            for line in readers(of: place, changes[place.id]) + (place.comparison.map(lines) ?? []) {
                Console.print(Console.printable(line))
            }
        }
        Console.print(
            "would import: \(summary.messageCount) messages in \(summary.conversations.count) conversations "
                + "of \(summary.peopleCount) people")
        let deletedCount = summary.conversations.reduce(0) { $0 + $1.deletedCount }
        if deletedCount > 0 { Console.print("deleted: \(deletedCount) messages, imported without their text") }
        show(skipped: summary.skipped)
        show(summary.notes)
        if summary.rejectedItems > 0 { Console.print("not imported: \(summary.rejectedItems)") }
        let cost = summary.cost.map { String(format: ", cost about %.2f", $0) } ?? ""
        Console.print("to embed: about \(summary.tokenCount) tokens\(cost)")
    }

    /// The most people that are named in one line.
    private static let nameLimit = 20

    /// The readers of a conversation after the import, with those who join or leave.
    private static func readers(of place: HistorySummary.Place, _ change: MembershipPreview?) -> [String] {
        guard place.visibility != nil else { return [] }
        let present = place.readers.filter { $0.leftAt == nil }
        let names = Dictionary(place.readers.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        func list(_ ids: [UserID]) -> String {
            let shown = ids.prefix(nameLimit).map { id in
                let name = names[id].map { " \($0)" } ?? ""
                return id.rawValue + name
            }
            let rest = ids.count - shown.count
            return "\(ids.count): " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }
        let guests = present.filter { $0.kind == .guest }
        var lines = [
            "    read by: " + (place.visibility == .everyone ? "everyone but guests, and its members" : "its members")
        ]
        lines[0] += " (\(present.count)" + (guests.isEmpty ? ")" : ", \(guests.count) of them guests)")
        if let change, !change.joining.isEmpty { lines.append("    joins \(list(change.joining))") }
        if let change, !change.leaving.isEmpty { lines.append("    leaves \(list(change.leaving))") }
        return lines
    }

    /// How a conversation differs from what is stored.
    private static func lines(of comparison: ChatComparison) -> [String] {
        var parts = ["\(comparison.same) messages are the same", "\(comparison.new) new"]
        if comparison.changed > 0 { parts.append("\(comparison.changed) changed") }
        if comparison.missing > 0 { parts.append("\(comparison.missing) missing, which stay") }
        return ["    stored before: " + parts.joined(separator: ", ")]
            + comparison.renamed.map { "    " + line(of: $0) }
    }

    static func line(of renaming: ChatComparison.Renaming) -> String {
        "renamed: \(renaming.from) -> \(renaming.to) (\(renaming.id.rawValue))"
    }

    /// Shows the counts of items that are left out on purpose.
    static func show(skipped: [SkipReason: Int]) {
        for (reason, count) in skipped.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            Console.print("left out: \(count) \(reason.text)")
        }
    }

    /// Shows what was taken in a narrower or simpler form.
    static func show(_ notes: [ImportNote]) {
        for note in notes { Console.print(Console.printable("note: \(note.count) \(note.text)")) }
    }

    private static func line(of place: HistorySummary.Place) -> String {
        let kind = place.visibility == .everyone ? "open" : place.kind?.rawValue ?? "unknown"
        let days = [place.first, place.last].compactMap { $0.map { String($0.iso8601.prefix(10)) } }
        let span = days.isEmpty ? "" : ", \(days.joined(separator: " to "))"
        let name = place.name.map { " \"\($0)\"" } ?? ""
        return "  \(place.id.rawValue)\(name) (\(kind)): \(place.messageCount) messages, "
            + "\(place.peopleCount) people\(span)"
    }
}

extension Rendering {
    static func show(_ manifest: BackupManifest, verb: String, at path: String) {
        let counts = manifest.counts
        Console.print(
            "\(verb): \(counts.messages) messages (deleted ones included) in \(counts.conversations) conversations, "
                + "\(counts.vectors) vectors, \(counts.turns) turns, \(manifest.byteCount / 1_000) kB; "
                + "of \(manifest.madeAt)"
        )
        if let missing = manifest.missingFiles {
            Console.note("\(missing.count) files were left out because their bytes are missing: run nexus doctor")
        }
        Console.print(path)
    }

    static func show(_ report: MigrationReport) {
        func count(_ table: String) -> Int64 { report.rows[table] ?? 0 }
        Console.print(
            "migrated: \(count("messages")) messages (deleted ones included) in \(count("conversations")) conversations, "
                + "\(count("vectors")) vectors, \(count("turns")) turns, \(report.fileCount) files; "
                + "all rows of \(report.rows.count) tables are equal")
        if !report.missingFiles.isEmpty {
            Console.note("\(report.missingFiles.count) files were left out because their bytes are missing or damaged")
        }
    }

    static func show(_ report: ErasureReport) {
        guard let proof = report.proof else {
            Console.print("would be erased: " + text(report.counts))
            Console.note("nothing was erased: repeat with --yes")
            return
        }
        Console.print("erased: " + text(report.counts))
        let tables = proof.tableCount > 0 ? " and \(proof.tableCount) tables" : ""
        var searched =
            "searched \(proof.fileCount) files\(tables) (\(proof.byteCount / 1_000) kB) "
            + "for \(proof.searchedCount) texts and vectors"
        if proof.indistinctCount > 0 {
            searched += ", not for \(proof.indistinctCount) that are short or also occur elsewhere"
        }
        Console.print(searched + ": " + (proof.remains.isEmpty ? "none found" : "FOUND"))
        for remains in proof.remains { Console.print("  \(remains.file) holds \(remains.count)") }
        Console.print("earlier backups still contain it")
    }

    private static func text(_ counts: ErasureCounts) -> String {
        let parts = [
            (counts.messages, "messages"), (counts.vectors, "vectors"), (counts.turns, "questions"),
            (counts.redactedTurns, "answers of others"), (counts.memberships, "memberships"),
            (counts.identities, "identities"), (counts.reactions, "reactions"), (counts.queued, "queue entries"),
            (counts.conversations, "conversations"), (counts.files, "files"), (counts.accounts, "accounts"),
            (counts.profiles, "profiles"), (counts.pictures, "pictures"),
            (counts.scheduledMessages, "messages to be sent later"), (counts.schedules, "scheduled questions"),
            (counts.savedMessages, "saved messages"), (counts.devices, "devices"),
        ]
        let found = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return found.isEmpty ? "nothing" : found.joined(separator: ", ")
    }
}
