/// The options of the command line.
struct BenchOptions {
    static let usage = """
        usage: index-bench --smoke | --full [--rows N] [--dimensions N] [--groups N] [--k N] [--queries N]
                           [--threads N] [--seed N]
               index-bench --data DIR [--run searches|upserts|callers|growth] [--limit N] [--k N] [--threads N]
                           [--mode exact|compact|float] [--scope FILE] [--snapshot FILE] [--json FILE]
          --smoke    20,000 rows of 384 components in 2,000 groups, 200 queries: a few seconds
          --full     100,000 rows of 384 components in 10,000 groups, 1,000 queries
          --data     rows, queries and groups from base.fvecs, queries.fvecs and groups.i32 in a folder
          --run      what to measure, default searches: single queries and all at once; upserts: rows written a second,
                     and searches meanwhile; callers: searches through a queue; growth: by rows, groups, components
          --limit    takes the first rows only
          --threads  threads of one search, of the queue and of one BLAS call, default 1
          --mode     what to read first: codes (exact), bits (compact) or Float32 rows (float); all when not given
          --scope    int32 group numbers; these groups are searched too
          --snapshot writes the index to this file and opens it, instead of the other runs
          --json     writes the lines as one JSON document, too
        """

    private(set) var mode = ""
    private(set) var wantsHelp = false
    private(set) var dataFolder: String?
    private(set) var run = BenchRun.searches
    private(set) var limit = Int.max
    private(set) var scopeFile: String?
    private(set) var jsonFile: String?
    private(set) var snapshotFile: String?
    /// The variants that `--mode` allows, by name.
    private(set) var scanNames = ["exact", "compact", "float"]
    private(set) var rows = 0
    private(set) var dimensions = 384
    private(set) var groups = 0
    private(set) var k = 10
    private(set) var queries = 0
    private(set) var threads = 1
    private(set) var seed = 1

    /// Reads the arguments after the program's name; an explicit number overrides the default of the mode.
    init(arguments: some Sequence<String>) throws(UsageError) {
        var numbers: [(option: WritableKeyPath<BenchOptions, Int>, value: Int)] = []
        var remaining = arguments.makeIterator()
        while let argument = remaining.next() {
            switch argument {
            case "--smoke", "--full": mode = String(argument.dropFirst(2))
            case "--help", "-h": wantsHelp = true
            case "--data": dataFolder = try Self.text(for: argument, remaining.next())
            case "--run": run = try Self.runName(remaining.next())
            case "--scope": scopeFile = try Self.text(for: argument, remaining.next())
            case "--json": jsonFile = try Self.text(for: argument, remaining.next())
            case "--snapshot": snapshotFile = try Self.text(for: argument, remaining.next())
            case "--mode": scanNames = [try Self.scanName(remaining.next())]
            default: numbers.append(try Self.number(for: argument, remaining.next()))
            }
        }
        guard wantsHelp || mode.isEmpty == (dataFolder != nil) else {
            throw UsageError(message: "give one of --smoke, --full and --data")
        }
        let isFull = mode == "full"
        (rows, groups, queries) = isFull ? (100_000, 10_000, 1000) : (20_000, 2000, 200)
        for (option, value) in numbers { self[keyPath: option] = value }
    }

    private static func text(for argument: String, _ text: String?) throws(UsageError) -> String {
        guard let text, !text.isEmpty else { throw UsageError(message: "\(argument) needs a path") }
        return text
    }

    private static func scanName(_ text: String?) throws(UsageError) -> String {
        guard let text, ["exact", "compact", "float"].contains(text) else {
            throw UsageError(message: "--mode needs exact, compact or float")
        }
        return text
    }

    private static func runName(_ text: String?) throws(UsageError) -> BenchRun {
        guard let run = text.flatMap(BenchRun.init) else {
            throw UsageError(message: "--run needs searches, upserts, callers or growth")
        }
        return run
    }

    private static func number(
        for argument: String, _ text: String?
    ) throws(UsageError) -> (option: WritableKeyPath<BenchOptions, Int>, value: Int) {
        let options: [String: WritableKeyPath<BenchOptions, Int>] = [
            "--rows": \.rows, "--dimensions": \.dimensions, "--groups": \.groups, "--k": \.k, "--queries": \.queries,
            "--threads": \.threads, "--limit": \.limit, "--seed": \.seed,
        ]
        guard let option = options[argument] else { throw UsageError(message: "unknown option \(argument)") }
        guard let value = text.flatMap({ Int($0) }), (1...100_000_000).contains(value) else {
            throw UsageError(message: "\(argument) needs a whole number from 1 to 100000000")
        }
        return (option, value)
    }
}

/// The measurements of vectors from files.
enum BenchRun: String {
    case searches, upserts, callers, growth
}

/// An error in the command line.
struct UsageError: Error {
    let message: String
}
