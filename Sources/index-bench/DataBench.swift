import Glibc
import VectorIndex

/// Runs over vectors from files, with the figures that the peers' script prints.
struct DataBench {
    private static let singleQueryCount = 50
    private let options: BenchOptions
    private let data: BenchData
    private let scope: Set<Int32>?
    private let clock = ContinuousClock()

    /// Reads which groups are searched too.
    init(_ options: BenchOptions, _ data: BenchData) throws {
        self.options = options
        self.data = data
        scope = try options.scopeFile.map { Set(try DataFile($0).integers()) }
    }

    /// Measures and prints; false when a result was wrong.
    func run(_ report: inout BenchReport) throws -> Bool {
        let base = data.base
        let index = CosineIndex(dimensions: base.dimensions, threadCount: options.threads)
        let buildSeconds = try data.write(to: index)
        if let path = options.snapshotFile {
            let (results, isRight) = try SnapshotBench(
                options, path: path, dimensions: base.dimensions, queries: data.queries
            ).run(index)
            for line in results { report.add(line) }
            return isRight
        }
        let snapshot = index.snapshot()
        measureLimits(&report)
        var isRight = true
        for (suffix, selection, isVisible) in scopes() {
            let truth = BruteForce(base, data.queries, k: options.k, isVisible: isVisible)
            for name in options.scanNames {
                let kind: ScanKind = name == "float" ? .floats : .fastest
                isRight =
                    try measure(name + suffix, snapshot, selection, kind, truth, buildSeconds, &report) && isRight
            }
        }
        return isRight
    }

    private func scopes() -> [(suffix: String, selection: GroupSelection, isVisible: (Int) -> Bool)] {
        let all: (String, GroupSelection, (Int) -> Bool) = ("", .all, { _ in true })
        guard let scope else { return [all] }
        let groups = data.groups
        let keys = Set(scope.map { GroupKey(rawValue: Int64($0)) })
        return [all, (" scope", .only(keys), { scope.contains(groups[$0]) })]
    }

    /// The time of reading the same bytes with the same instructions and nothing else.
    private func measureLimits(_ report: inout BenchReport) {
        let base = data.base
        let loop = BareLoop(rowCount: base.count, dimensions: base.dimensions, threadCount: options.threads)
        for (name, planeCount) in [("limit, high planes", 1), ("limit, both planes", 2)] {
            let times = (0..<Self.singleQueryCount).map { _ in
                clock.measure { loop.run(planeCount: planeCount) }.seconds * 1000
            }.sorted()
            var line = JSONLine()
            line.add("variant", name)
            line.add("ms", times[times.count / 2])
            line.add("best", times[0])
            report.add(line)
        }
    }

    private func measure(
        _ name: String, _ snapshot: CosineIndex.Snapshot, _ selection: GroupSelection, _ kind: ScanKind,
        _ truth: BruteForce, _ buildSeconds: Double, _ report: inout BenchReport
    ) throws -> Bool {
        let (k, queries) = (options.k, data.queries)
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
        line.add("bytes_per_vector", Double(snapshot.byteCount) / Double(data.base.count))
        line.add("code_bytes_per_vector", Double(snapshot.codeByteCount) / Double(data.base.count))
        report.add(line)
        return recall == 1 && singles == Array(batch.prefix(singles.count))
    }

}

extension Duration {
    /// The whole duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
