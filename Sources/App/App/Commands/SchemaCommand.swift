import ArgumentParser
import PostgresStore

/// `nexus schema`.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Makes the tables in PostgreSQL, or those that this release adds.",
        discussion: """
            A node does so at its start, if its role may. Use this command if nodes have a role that may only read and \
            write rows: run it with the role that owns the tables, before the nodes of a new release start.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await Failures.reported {
            guard let database = try await common.settings().database else {
                throw ValidationError("give the PostgreSQL database with --set store.url=…")
            }
            try await PostgresStore.makeTables(database)
            print("the tables are up to date")
        }
    }
}
