import ArgumentParser
import ChatCore
import Foundation
import NexusModel

/// `nexus audit-log`.
struct AuditLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit-log", abstract: "Shows what administrators did, the latest first.",
        discussion: """
            Commands on this machine that change something have entries too, with the actor operator. Entries hold no \
            text of messages and no secrets. They are kept for audit.retention-days.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "Only entries by or about the person with this id.") var person: String?
    @Option(help: "Only this action, such as account.disabled.") var action: String?
    @Option(help: "Only entries of this time or later (ISO 8601).") var since: String?
    @Option(help: "Only entries before this time (ISO 8601).") var until: String?
    @Option(help: "The most entries.") var limit = 100
    @Flag(help: "Print each entry as JSON, one a line.") var json = false

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws {
        try await Failures.reported {
            let person: UserID? = try person.map { try QuestionOptions.identifier($0, option: "--person") }
            let request = APIRequest(
                ["administration", "audit-log"], user: nil,
                query: [
                    ("limit", "\(min(limit, 500))"), ("person", person?.rawValue), ("action", action),
                    (
                        "from",
                        try QuestionOptions.moment(since, option: "--since").map { Timestamp(microseconds: $0).iso8601 }
                    ),
                    (
                        "to",
                        try QuestionOptions.moment(until, option: "--until").map { Timestamp(microseconds: $0).iso8601 }
                    ),
                ])
            let session = CommandSession(settings: try await common.settings())
            let entries = try await session.withAPI {
                try await $0.all(request, from: "before", limit: limit, as: AuditLogEntry.self)
            }
            for entry in entries {
                if json { try Console.printJSON(entry) } else { Rendering.show(entry) }
            }
            if entries.isEmpty { throw ExitCode(1) }
        }
    }
}

extension Rendering {
    /// Shows an entry of the audit log in a line.
    static func show(_ entry: AuditLogEntry) {
        let actor = [entry.actor, entry.actorId].compactMap(\.self).joined(separator: " ")
        let object = [entry.subject, entry.subjectId, entry.detail].compactMap(\.self).joined(separator: " ")
        let facts = [
            TimeText.text(entry.startedAt), actor, entry.origin, entry.action, object.isEmpty ? "-" : object,
            entry.result,
        ]
        Console.print(Console.printable(facts.joined(separator: "  ")))
    }
}
