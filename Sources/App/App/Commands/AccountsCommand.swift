public import ArgumentParser
public import ChatCore
import Foundation

/// `nexus accounts`.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Manages the accounts of people who sign in with a password.",
        subcommands: [Invite.self, List.self, Disable.self, Enable.self, Reset.self, Role.self, Email.self])

    /// `nexus accounts invite`.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an account, and shows a link with which its person sets a password, once.",
            discussion: """
                The link is valid for 7 days and is not shown again. Inviting a person who has not used the link yet \
                replaces it. A server with accounts requires authentication from its next start on, unless auth.mode \
                is none.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String
        @Option(help: "The name; without one the person chooses it.") var name: String?
        @Flag(help: "The person administers the server.") var administrator = false
        @Flag(help: "Print the link as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let command = OperatorCommand.inviteAccount(
                    try AccountsCommand.id(user), name: name, role: administrator ? .administrator : .member)
                try await AccountsCommand.showLink(command, common, asJSON: json, createsFolder: true)
            }
        }
    }

    /// `nexus accounts list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the accounts.")

        @OptionGroup var common: CommonOptions
        @Flag(help: "Print the accounts as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                let accounts = try await AccountsCommand.accounts(.listAccounts, common)
                if json { return try Console.printJSON(accounts) }
                for account in accounts { Rendering.show(account) }
            }
        }
    }

    /// `nexus accounts disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Disables an account and ends its sessions.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String

        func run() async throws {
            try await AccountsCommand.change(user, common) { .changeAccount($0, role: nil, isDisabled: true) }
        }
    }

    /// `nexus accounts enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enables an account again.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String

        func run() async throws {
            try await AccountsCommand.change(user, common) { .changeAccount($0, role: nil, isDisabled: false) }
        }
    }

    /// `nexus accounts reset`.
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a link with which a person sets a new password; it is valid for a day.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String
        @Flag(help: "Print the link as JSON.") var json = false

        func run() async throws {
            try await Failures.reported {
                try await AccountsCommand.showLink(.resetAccount(try AccountsCommand.id(user)), common, asJSON: json)
            }
        }
    }

    /// `nexus accounts role`.
    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets the role of an account.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String
        @Argument(help: "member or administrator.") var role: AccountRole

        func run() async throws {
            try await AccountsCommand.change(user, common) { [role] in
                .changeAccount($0, role: role, isDisabled: nil)
            }
        }
    }

    /// `nexus accounts email`.
    struct Email: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the mail address of an account, which you have verified to be the person's.",
            discussion: """
                Somebody with the same verified address in Slack or Mattermost is joined with the account: it reads \
                what that person reads there. See docs/connections.md.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "The user's id.") var user: String
        @Argument(help: "The address; leave it out to remove the present one.") var address: String?

        func run() async throws {
            try await AccountsCommand.change(user, common) { [address] in .setAccountEmail($0, email: address) }
        }
    }

    fileprivate static func id(_ text: String) throws -> UserID {
        guard let id = UserID(validating: text) else {
            throw ValidationError("the user's id is empty, too long or has control characters")
        }
        return id
    }

    fileprivate static func accounts(_ command: OperatorCommand, _ common: CommonOptions) async throws -> [Account] {
        let session = CommandSession(settings: try await common.settings())
        guard case .accounts(let accounts) = try await session.perform(command) else {
            throw Failures.unexpectedReply
        }
        return accounts
    }

    fileprivate static func change(
        _ user: String, _ common: CommonOptions, _ command: @escaping @Sendable (UserID) -> OperatorCommand
    ) async throws {
        try await Failures.reported {
            for account in try await accounts(command(try id(user)), common) { Rendering.show(account) }
        }
    }

    fileprivate static func showLink(
        _ command: OperatorCommand, _ common: CommonOptions, asJSON: Bool, createsFolder: Bool = false
    ) async throws {
        let session = CommandSession(settings: try await common.settings())
        guard case .accountLink(let link) = try await session.perform(command, createsFolder: createsFolder) else {
            throw Failures.unexpectedReply
        }
        if asJSON { return try Console.printJSON(link) }
        Console.print(link.address)
        Console.note("for \(Console.printable(link.userID.rawValue)), once, until \(link.expiresAt.iso8601)")
    }
}

extension AccountRole: ExpressibleByArgument {}

extension Rendering {
    /// Shows an account in a line.
    static func show(_ account: Account) {
        var facts = [account.userID.rawValue, account.role.rawValue, account.name ?? "-"]
        if let email = account.email { facts.append(email) }
        if account.isDisabled { facts.append("disabled") }
        if account.acceptedAt == nil { facts.append("invited \(account.createdAt.iso8601)") }
        facts.append(account.lastSignInAt.map { "signed in \($0.iso8601)" } ?? "never signed in")
        Console.print(Console.printable(facts.joined(separator: "  ")))
    }
}
