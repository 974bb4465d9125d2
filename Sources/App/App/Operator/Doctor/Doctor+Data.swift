import MessageStore
import Retrieval

extension Doctor {
    /// Compares the tables with one another and both indexes with the tables.
    func dataFindings() async -> [Finding] {
        var findings = await finding("vectors and passages", "queue", "files") { () async throws -> [Finding] in
            let audit = try await store.audit()
            return [Self.passageFinding(audit), Self.queueFinding(audit), Self.fileFinding(audit)]
        }
        findings += await finding("index of vectors") {
            guard let found = try await indexes.vectors.discrepancy() else {
                return [Finding(subject: "index of vectors", verdict: .good, detail: "nothing embedded yet")]
            }
            return [Self.indexFinding("index of vectors", found)]
        }
        findings += await finding("index of words") {
            [Self.indexFinding("index of words", try await indexes.words.discrepancy())]
        }
        return findings
    }

    /// Turns a failure into a finding about each subject.
    private func finding(_ subjects: String..., body: () async throws -> [Finding]) async -> [Finding] {
        do {
            return try await body()
        } catch {
            return subjects.map { Finding(subject: $0, verdict: .bad, detail: ErrorText.line(for: error)) }
        }
    }

    private static func passageFinding(_ audit: StoreAudit) -> Finding {
        finding(
            "vectors and passages",
            [
                (audit.passagesWithoutVector, "passages without a vector"),
                (audit.orphanedVectors, "vectors without a passage"),
                (audit.orphanedPassages, "passages of deleted messages or generations"),
            ], sound: "each passage has its vector, none is orphaned")
    }

    private static func fileFinding(_ audit: StoreAudit) -> Finding {
        finding(
            "files", [(audit.damagedFiles, "files whose bytes are missing or cut off")],
            sound: "\(audit.files) files, each with its bytes")
    }

    private static func queueFinding(_ audit: StoreAudit) -> Finding {
        guard audit.needlessEntries == 0, audit.forgottenMessages > 0 else {
            return finding(
                "queue", [(audit.needlessEntries, "entries for messages that are embedded already or must not be")],
                sound: "each message is embedded, waits, was given up or is excluded")
        }
        return Finding(
            subject: "queue", verdict: .warning,
            detail: "\(audit.forgottenMessages) messages neither wait nor have vectors; "
                + "correct if they contain nothing to embed")
    }

    private static func indexFinding(_ subject: String, _ found: IndexDiscrepancy) -> Finding {
        finding(
            subject,
            [
                (found.missingCount, "rows missing"), (found.differentCount, "rows that differ from the store"),
                (found.surplusCount, "rows too many"),
            ], sound: "\(found.expectedCount) rows, as stored")
    }

    private static func finding(_ subject: String, _ troubles: [(count: Int, what: String)], sound: String) -> Finding {
        let found = troubles.filter { $0.count > 0 }.map { "\($0.count) \($0.what)" }
        return Finding(
            subject: subject, verdict: found.isEmpty ? .good : .bad,
            detail: found.isEmpty ? sound : found.joined(separator: ", "))
    }
}
