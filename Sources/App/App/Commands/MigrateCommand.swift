import ArgumentParser
import Foundation
import MessageStore
import PostgresStore
import SQLiteStore
import Synchronization

/// `nexus migrate`.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Moves a workspace from a data folder to a PostgreSQL database, or back.",
        discussion: """
            Stop every server of the workspace first. The source is only read. The target must be empty; an interrupted \
            command continues when it is run again. No server opens the target until all rows were copied and compared.

            One side is a data folder, the other a PostgreSQL address such as postgres://nexus@db.example/nexus, or a \
            connection string of libpq. Give the password in PGPASSWORD or PGPASSFILE: other users of the machine can \
            see the command line.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "The data folder or the PostgreSQL address to copy from.") var from: String
    @Option(help: "The data folder or the PostgreSQL address to copy to.") var to: String
    @Flag(help: "Print the report as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let places = (MigrationPlace(from), MigrationPlace(to))
            _ = try await common.settings()
            let folder = FileManager.default.temporaryDirectory.appending(path: "nexus-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let (source, target) = try await Self.open(places, folder: folder)
            let outcome = await Self.migrate(from: source, to: target)
            await source.close()
            await target.close()
            let report = try outcome.get()
            if json { try Console.printJSON(report) } else { Rendering.show(report) }
        }
    }

    private static func open(
        _ places: (MigrationPlace, MigrationPlace), folder own: URL
    ) async throws -> (source: SQLStore, target: SQLStore) {
        switch places {
        case (.folder(let folder), .database(let address)):
            let source = try await SQLStore.openSource(folder: folder)
            return (
                source,
                try await closing(source) { try await PostgresStore.openTarget(read(address), folder: own) }
            )
        case (.database(let address), .folder(let folder)):
            let source = try await PostgresStore.openSource(read(address), folder: own)
            return (source, try await closing(source) { try await SQLStore.openTarget(folder: folder) })
        default:
            throw ValidationError("give a data folder and a PostgreSQL address, one with --from, the other with --to")
        }
    }

    private static func read(_ address: String) throws -> PostgresAddress {
        guard let address = PostgresAddress(address) else {
            throw ValidationError(
                "the PostgreSQL address cannot be read; give one such as postgres://nexus@localhost/nexus")
        }
        return address
    }

    /// Opens the target; closes the source if that fails.
    private static func closing(_ source: SQLStore, _ open: () async throws -> SQLStore) async throws -> SQLStore {
        do {
            return try await open()
        } catch {
            await source.close()
            throw error
        }
    }

    private static func migrate(from source: SQLStore, to target: SQLStore) async -> Result<MigrationReport, any Error>
    {
        let lines = MigrationLines()
        do {
            return .success(try await StoreMigration(from: source, to: target) { lines.show($0) }.run())
        } catch {
            return .failure(error)
        }
    }
}

/// A side of a migration, as it is given on the command line.
enum MigrationPlace: Equatable {
    case folder(URL)
    /// An address of libpq; it may hold a password.
    case database(String)

    /// A connection string begins with the name of a parameter: a folder of such a name is given as `./name=…`.
    init(_ text: String) {
        let isAddress =
            text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
            || text.prefixMatch(of: /\s*[a-z_]+\s*=/) != nil
        self = isAddress ? .database(text) : .folder(URL(filePath: text).absoluteURL)
    }
}

/// The progress of a migration on standard error, a line every few seconds.
private final class MigrationLines: Sendable {
    private static let interval: Duration = .seconds(5)

    private let shownAt = Mutex(ContinuousClock.now)

    func show(_ step: MigrationStep) {
        let isDue = shownAt.withLock { last in
            let now = ContinuousClock.now
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        switch step {
        case .copied(let table, let count): Console.note("\(table): \(count) rows copied")
        case .copiedFiles(let count, let total): Console.note("files: \(count) of \(total) copied")
        case .compared(let table): Console.note("\(table): compared")
        }
    }
}
