import ArgumentParser

/// Measures VectorIndex on seeded data or on vectors from files, and checks its results against brute force.
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Measures the vector index, and checks its results.",
        discussion: "Give one of --smoke, --full and --data. --rows, --dimensions, --groups, --queries and --seed are "
            + "for seeded data, --run, --limit, --mode, --scope, --snapshot and --json for --data.")

    @Flag(help: "20,000 rows of 384 components in 2,000 groups, 200 queries: a few seconds.") var smoke = false
    @Flag(help: "100,000 rows of 384 components in 10,000 groups, 1,000 queries.") var full = false
    @Option(name: .customLong("data"), help: "A folder with base.fvecs, queries.fvecs and groups.i32.")
    var dataFolder: String?
    @Option(
        name: .customLong("run"),
        help: """
            What to measure: single queries and all at once (searches); rows written a second, and searches meanwhile \
            (upserts); searches through a queue (callers); by rows, groups and components (growth).
            """)
    var measured = IndexMeasure.searches
    @Option(help: "Takes the first rows only.") var limit: Int?
    @Option(help: "What to read first: codes, bits or Float32 rows; all if not given.") var mode: IndexScan?
    @Option(name: .customLong("scope"), help: "A file of int32 group numbers; these groups are searched too.")
    var scopeFile: String?
    @Option(
        name: .customLong("snapshot"),
        help: "Writes the index to this file and opens it, instead of the other runs.")
    var snapshotFile: String?
    @Option(name: .customLong("json"), help: "Writes the lines as one JSON document, too.") var jsonFile: String?
    @Option(name: .customLong("rows"), help: "Rows, instead of those of the size.") private var givenRows: Int?
    @Option(help: "Components of a row.") var dimensions = 384
    @Option(name: .customLong("groups"), help: "Groups, instead of those of the size.") private var givenGroups: Int?
    @Option(name: .customLong("queries"), help: "Queries, instead of those of the size.")
    private var givenQueries: Int?
    @Option(help: "Hits of a search.") var k = 10
    @Option(help: "Threads of one search, of the queue and of one BLAS call.") var threads = 1
    @Option(help: "The seed of rows and queries.") var seed = 1

    var rows: Int { givenRows ?? (full ? 100_000 : 20_000) }
    var groups: Int { givenGroups ?? (full ? 10_000 : 2_000) }
    var queries: Int { givenQueries ?? (full ? 1_000 : 200) }
    /// The scans that `--mode` allows.
    var scans: [IndexScan] { mode.map { [$0] } ?? IndexScan.allCases }

    func validate() throws {
        guard [smoke, full, dataFolder != nil].count(where: \.self) == 1 else {
            throw ValidationError("give one of --smoke, --full and --data")
        }
        for value in [rows, groups, queries, dimensions, k, threads, seed, limit ?? 1]
        where !(1...100_000_000).contains(value) {
            throw ValidationError("\(value) is no number from 1 to 100000000")
        }
    }

    func run() async throws {
        let isRight =
            if let dataFolder {
                try await DataRun(options: self, folder: dataFolder).run()
            } else {
                try IndexBench(self).run()
            }
        if !isRight { throw ExitCode.failure }
    }
}

/// The measurements of vectors from files.
enum IndexMeasure: String, ExpressibleByArgument, CaseIterable {
    case searches, upserts, callers, growth
}

/// A way to scan the rows.
enum IndexScan: String, ExpressibleByArgument, CaseIterable {
    case exact, compact, float
}
