public import ArgumentParser
public import ChatCore
import Foundation
import UseCases

/// `nexus keys`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Manages the keys of servers and administrators for the HTTP API.",
        subcommands: [Create.self, List.self, Revoke.self])

    /// `nexus keys create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key, and shows it once.",
            discussion: """
                The role ingest writes messages, conversations and memberships for anybody, and reads nothing. \
                read-as-user asks and reads as the user that each request names (X-Nexus-User), and writes nothing. \
                admin manages the service. Only a digest of the key is stored.
                """)

        @OptionGroup var common: CommonOptions
        @Option(help: "The role: ingest, read-as-user or admin.") var role: APIKey.Role
        @Option(help: "The name.") var name: String?
        @Option(help: "The time at which it expires (ISO 8601).") var expires: String?
        @Flag(help: "Print the key as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let expiry = try expires.map { text -> Timestamp in
                    guard let moment = Timestamp(iso8601: text), moment > .systemNow() else {
                        throw ValidationError("--expires must be a time in the future, such as 2030-01-31T00:00:00Z")
                    }
                    return moment
                }
                let session = CommandSession(settings: try await common.settings())
                let request = KeyRequest(role: role, name: name, expiresAt: expiry)
                guard case .keyCreated(let made) = try await session.perform(.createKey(request), createsFolder: true)
                else { throw Failures.unexpectedReply }
                if json { return try Console.printJSON(made) }
                Console.print(made.secret)
                Console.note("id \(made.key.id), \(made.key.role.rawValue); the key is not shown again")
            }
        }
    }

    /// `nexus keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the keys, never their secrets.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the keys as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let session = CommandSession(settings: try await common.settings())
                guard case .keys(let keys) = try await session.perform(.listKeys) else {
                    throw Failures.unexpectedReply
                }
                if json { try Console.printJSON(keys) } else { Rendering.show(keys, at: .systemNow()) }
            }
        }
    }

    /// `nexus keys revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes a key permanently; a running server refuses it at once.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The id, as nexus keys list shows it, or the whole key.") var id: String

        func run() async throws {
            try await Failures.reported {
                guard let id = APIKey.ID(validating: id) else {
                    throw ValidationError("this is not the id of a key")
                }
                let session = CommandSession(settings: try await common.settings())
                let command = OperatorCommand.revokeKey(id).withoutSecrets
                guard case .keys(let keys) = try await session.perform(command) else { throw Failures.unexpectedReply }
                for key in keys { Console.print("revoked: \(key.id)") }
            }
        }
    }
}

extension APIKey.Role: ExpressibleByArgument {}

extension Rendering {
    /// Shows keys, one a line.
    static func show(_ keys: [APIKey], at moment: Timestamp) {
        for key in keys {
            var facts = [key.id.rawValue, key.role.rawValue, key.name ?? "-", "made \(key.createdAt.iso8601)"]
            if let revoked = key.revokedAt {
                facts.append("revoked \(revoked.iso8601)")
            } else if let expiry = key.expiresAt {
                facts.append("\(expiry > moment ? "expires" : "expired") \(expiry.iso8601)")
            }
            facts.append(key.lastUsedAt.map { "used in the hour from \($0.iso8601)" } ?? "never used")
            Console.print(Console.printable(facts.joined(separator: "  ")))
        }
    }
}
