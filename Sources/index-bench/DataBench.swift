import Glibc
import VectorIndex

/// Runs over vectors from files, with the figures that the peers' script prints.
struct DataBench {
    private static let rowsPerWrite = 1000
    private static let singleQueryCount = 50
    private let options: BenchOptions
    private let base: VectorFile
    private let groups: [Int32]
    private let queries: [[Float]]
    private let scope: Set<Int32>?
    private let clock = ContinuousClock()
    private var lines: [JSONLine] = []

    /// Opens the files.
    init(_ options: BenchOptions, folder: String) throws {
        self.options = options
        base = try VectorFile(folder + "/base.fvecs")
        groups = try DataFile(folder + "/groups.i32").integers()
        let file = try VectorFile(folder + "/queries.fvecs")
        queries = (0..<file.count).map { file[$0] }
        scope = try options.scopeFile.map { Set(try DataFile($0).integers()) }
        guard groups.count == base.count, file.dimensions == base.dimensions else {
            throw DataFileError(path: folder, reason: "the files do not belong together")
        }
    }

    /// Measures and prints; false when a result was wrong.
    mutating func run() throws -> Bool {
        MatrixProducts.setThreadCount(options.threads)
        describe()
        let index = CosineIndex(dimensions: base.dimensions, threadCount: options.threads)
        let buildSeconds = try build(index)
        if let path = options.snapshotFile {
            let (results, isRight) = try SnapshotBench(
                options, path: path, dimensions: base.dimensions, queries: queries
            ).run(index)
            lines += results
            try writeDocument()
            return isRight
        }
        let snapshot = index.snapshot()
        measureLimits()
        var isRight = true
        for (suffix, selection, isVisible) in scopes() {
            let truth = BruteForce(base, queries, k: options.k, isVisible: isVisible)
            for name in options.scanNames {
                let kind: ScanKind = name == "float" ? .floats : .fastest
                isRight =
                    try measure(name + suffix, snapshot, selection, kind, truth, buildSeconds) && isRight
            }
        }
        try writeDocument()
        return isRight
    }

    private func scopes() -> [(suffix: String, selection: GroupSelection, isVisible: (Int) -> Bool)] {
        let all: (String, GroupSelection, (Int) -> Bool) = ("", .all, { _ in true })
        guard let scope else { return [all] }
        let groups = groups
        let keys = Set(scope.map { GroupKey(rawValue: Int64($0)) })
        return [all, (" scope", .only(keys), { scope.contains(groups[$0]) })]
    }

    private mutating func describe() {
        var line = JSONLine()
        line.add("bench", "index-bench")
        line.add("machine", Machine.processor)
        line.add("processors", Machine.processorCount)
        line.add("blas", MatrixProducts.libraryDescription ?? "unknown, perhaps the slow reference BLAS")
        line.add("threads", options.threads)
        line.add("n", base.count)
        line.add("d", base.dimensions)
        line.add("k", options.k)
        line.add("queries", queries.count)
        line.write()
        lines.append(line)
    }

    private func build(_ index: CosineIndex) throws -> Double {
        var duration = Duration.zero
        for start in stride(from: 0, to: base.count, by: Self.rowsPerWrite) {
            let rows = (start..<min(start + Self.rowsPerWrite, base.count)).map { number in
                VectorRow(
                    key: RowKey(rawValue: Int64(number)), group: GroupKey(rawValue: Int64(groups[number])),
                    vector: base[number])
            }
            duration += try clock.measure { try index.upsert(rows) }
        }
        return duration.seconds
    }

    /// The time of reading the same bytes with the same instructions and nothing else.
    private mutating func measureLimits() {
        let loop = BareLoop(rowCount: base.count, dimensions: base.dimensions)
        for (name, planeCount) in [("limit, high planes", 1), ("limit, both planes", 2)] {
            let times = (0..<Self.singleQueryCount).map { _ in
                clock.measure { loop.run(planeCount: planeCount, threadCount: options.threads) }.seconds * 1000
            }.sorted()
            var line = JSONLine()
            line.add("variant", name)
            line.add("ms", times[times.count / 2])
            line.add("best", times[0])
            line.write()
            lines.append(line)
        }
    }

    private mutating func measure(
        _ name: String, _ snapshot: CosineIndex.Snapshot, _ selection: GroupSelection, _ kind: ScanKind,
        _ truth: BruteForce, _ buildSeconds: Double
    ) throws -> Bool {
        let (k, queries) = (options.k, queries)
        func search(_ queries: [[Float]]) throws -> [[VectorHit]] {
            try snapshot.search(batch: queries, k: k, in: selection, by: kind)
        }
        _ = try search([queries[0]])
        var singles: [[VectorHit]] = []
        let times = try queries.prefix(Self.singleQueryCount).map { query in
            try clock.measure { singles += try search([query]) }.seconds * 1000
        }.sorted()
        _ = try search(Array(queries.prefix(8)))
        var batch: [[VectorHit]] = []
        let batchSeconds = try clock.measure { batch = try search(queries) }.seconds
        var line = JSONLine()
        line.add("variant", name)
        line.add("ms", times[times.count / 2])
        line.add("p95", times[(times.count * 95 - 1) / 100])
        line.add("best", times[0])
        line.add("batch_qps", Double(queries.count) / batchSeconds)
        let recall = truth.recall(of: batch)
        line.add("recall", recall)
        line.add("single_equals_batch", singles == Array(batch.prefix(singles.count)) ? "yes" : "no")
        line.add("build_s", buildSeconds)
        line.add("bytes_per_vector", Double(snapshot.byteCount) / Double(base.count))
        line.add("code_bytes_per_vector", Double(snapshot.codeByteCount) / Double(base.count))
        line.write()
        lines.append(line)
        return recall == 1 && singles == Array(batch.prefix(singles.count))
    }

    private func writeDocument() throws {
        guard let path = options.jsonFile else { return }
        guard let file = fopen(path, "w") else { throw DataFileError(path: path, reason: "cannot be written") }
        defer { fclose(file) }
        fputs("[\n" + lines.map(\.text).joined(separator: ",\n") + "\n]\n", file)
    }
}

extension Duration {
    /// The whole duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
