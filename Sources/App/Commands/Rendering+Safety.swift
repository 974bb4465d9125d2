import Foundation
import MessageStore

extension Rendering {
    static func show(_ manifest: BackupManifest, verb: String, at path: String) {
        let counts = manifest.counts
        Console.print(
            "\(verb): \(counts.messages) messages (deleted ones included) in \(counts.conversations) conversations, \(counts.vectors) vectors, "
                + "\(counts.turns) turns, \(manifest.byteCount / 1_000) kB; of \(manifest.madeAt)")
        Console.print(path)
    }

    static func show(_ report: ErasureReport) {
        guard let proof = report.proof else {
            Console.print("would be erased: " + text(report.counts))
            Console.note("nothing was erased: repeat with --yes")
            return
        }
        Console.print("erased: " + text(report.counts))
        var searched =
            "searched \(proof.fileCount) files (\(proof.byteCount / 1_000) kB) for \(proof.searchedCount) texts and vectors"
        if proof.indistinctCount > 0 {
            searched += ", not for \(proof.indistinctCount) that are short or stand elsewhere too"
        }
        Console.print(searched + ": " + (proof.remains.isEmpty ? "none found" : "FOUND"))
        for remains in proof.remains { Console.print("  \(remains.file) holds \(remains.count)") }
        Console.print("backups made before still hold it")
    }

    private static func text(_ counts: ErasureCounts) -> String {
        let parts = [
            (counts.messages, "messages"), (counts.vectors, "vectors"), (counts.turns, "questions"),
            (counts.redactedTurns, "answers of others"), (counts.memberships, "memberships"),
            (counts.identities, "identities"), (counts.reactions, "reactions"), (counts.queued, "queue entries"),
            (counts.conversations, "conversations"),
        ]
        let found = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return found.isEmpty ? "nothing" : found.joined(separator: ", ")
    }
}
