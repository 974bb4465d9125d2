import IndexCore
import VectorIndex

/// One run: build, single queries in three scopes, batches, check.
struct IndexBench {
    private static let rowsPerWrite = 1000
    private static let queriesPerBatch = 128
    private static let checkedQueryCount = 5
    private let options: IndexCommand
    private let vectors: BenchVectors
    private let clock = ContinuousClock()

    init(_ options: IndexCommand) {
        self.options = options
        vectors = BenchVectors(dimensions: options.dimensions, groupCount: options.groups, seed: options.seed)
    }

    /// Measures and prints; returns false when a result was wrong.
    func run() throws -> Bool {
        let switched = MatrixProducts.setThreadCount(options.threads)
        describe(threadCount: switched ? options.threads : 1)
        let index = CosineIndex(dimensions: options.dimensions, threadCount: options.threads)
        try build(index)
        let snapshot = index.snapshot()
        let queries = (0..<options.queries).map(vectors.query)
        let scopes = BenchScope.measured(in: snapshot)
        for scope in scopes { try searchOneByOne(snapshot, queries, scope) }
        for scope in scopes { try searchInBatches(snapshot, queries, scope) }
        return try check(snapshot, Array(queries.prefix(Self.checkedQueryCount)), scopes)
    }

    private func describe(threadCount: Int) {
        var line = Machine.line("mode", options.full ? "full" : "smoke", threadCount: threadCount)
        line.add("rows", options.rows)
        line.add("dimensions", options.dimensions)
        line.add("groups", options.groups)
        line.add("k", options.k)
        line.add("queries", options.queries)
        line.add("seed", options.seed)
        line.write()
    }

    private func build(_ index: CosineIndex) throws {
        var duration = Duration.zero
        for start in stride(from: 0, to: options.rows, by: Self.rowsPerWrite) {
            let rows = (start..<min(start + Self.rowsPerWrite, options.rows)).map(vectors.row)
            duration += try clock.measure { try index.upsert(rows) }
        }
        var line = JSONLine()
        line.add("stage", "build")
        line.add("rows", index.count)
        line.add("groups", index.groupCounts().count)
        line.add("rowsPerWrite", Self.rowsPerWrite)
        line.add("rowsPerSecond", (Double(options.rows) / duration.seconds).rounded())
        line.add("bytesPerRow", Double(index.snapshot().byteCount) / Double(options.rows))
        line.write()
    }

    private func searchOneByOne(
        _ snapshot: CosineIndex.Snapshot, _ queries: [[Float]], _ scope: BenchScope
    ) throws {
        for query in queries.prefix(5) { _ = try snapshot.search(query, k: options.k, in: scope.selection) }
        let times = try queries.map { query in
            try clock.measure { _ = try snapshot.search(query, k: options.k, in: scope.selection) }.seconds * 1000
        }
        var line = line("search", scope, queryCount: times.count)
        line.add("medianMilliseconds", times.median)
        line.add("p99Milliseconds", times.percentile(99))
        line.write()
    }

    private func searchInBatches(
        _ snapshot: CosineIndex.Snapshot, _ queries: [[Float]], _ scope: BenchScope
    ) throws {
        let batches = stride(from: 0, to: queries.count, by: Self.queriesPerBatch).map { start in
            Array(queries[start..<min(start + Self.queriesPerBatch, queries.count)])
        }
        let duration = try clock.measure {
            for batch in batches { _ = try snapshot.search(batch: batch, k: options.k, in: scope.selection) }
        }
        var line = line("batch", scope, queryCount: queries.count)
        line.add("queriesPerBatch", Self.queriesPerBatch)
        line.add("queriesPerSecond", Double(queries.count) / duration.seconds)
        line.write()
    }

    /// Compares single and batch results with the plain scan; all queries share one pass over the rows.
    private func check(
        _ snapshot: CosineIndex.Snapshot, _ queries: [[Float]], _ scopes: [BenchScope]
    ) throws -> Bool {
        var scans = scopes.flatMap { scope in queries.map { PlainScan(query: $0, scope: scope) } }
        for number in 0..<options.rows {
            let row = vectors.row(number)
            for index in scans.indices { scans[index].see(row) }
        }
        let single = try scans.map { try snapshot.search($0.query, k: options.k, in: $0.scope.selection) }
        let batch = try scopes.flatMap { try snapshot.search(batch: queries, k: options.k, in: $0.selection) }
        let right = zip(scans, single).reduce(0) { $0 + $1.0.rightCount(of: $1.1, k: options.k) }
        let expected = scans.reduce(0) { $0 + $1.expectedCount(k: options.k) }
        var line = JSONLine()
        line.add("stage", "check")
        line.add("queries", scans.count)
        line.add("recall", expected == 0 ? 1 : Double(right) / Double(expected))
        line.add("batchEqualsSingle", batch == single ? "yes" : "no")
        line.write()
        return right == expected && batch == single
    }

    private func line(_ stage: String, _ scope: BenchScope, queryCount: Int) -> JSONLine {
        var line = JSONLine()
        line.add("stage", stage)
        line.add("scope", scope.name)
        line.add("groups", scope.groupCount)
        line.add("rows", scope.rowCount)
        line.add("queries", queryCount)
        return line
    }
}

/// The groups of one measured search.
struct BenchScope {
    let name: String
    let selection: GroupSelection
    let groupCount: Int
    let rowCount: Int

    /// The three scopes that are measured: everything, about 1% of the groups, and the half with the fewest rows.
    static func measured(in snapshot: CosineIndex.Snapshot) -> [BenchScope] {
        let counts = snapshot.groupCounts()
        let bySize = counts.keys.sorted { left, right in
            let (leftCount, rightCount) = (counts[left] ?? 0, counts[right] ?? 0)
            return leftCount == rightCount ? left < right : leftCount < rightCount
        }
        let everyHundredth = stride(from: bySize.count / 200, to: bySize.count, by: 100).map { bySize[$0] }
        return [
            BenchScope(name: "all", selection: .all, groupCount: counts.count, rowCount: snapshot.count),
            BenchScope("1% of groups", everyHundredth, counts),
            BenchScope("small groups", Array(bySize.prefix((bySize.count + 1) / 2)), counts),
        ]
    }

    private init(name: String, selection: GroupSelection, groupCount: Int, rowCount: Int) {
        self.name = name
        self.selection = selection
        self.groupCount = groupCount
        self.rowCount = rowCount
    }

    private init(_ name: String, _ groups: [GroupKey], _ counts: [GroupKey: Int]) {
        let rowCount = groups.reduce(0) { $0 + (counts[$1] ?? 0) }
        self.init(name: name, selection: .only(Set(groups)), groupCount: groups.count, rowCount: rowCount)
    }

    /// Whether a row of this group may be found.
    func contains(_ group: GroupKey) -> Bool {
        if case .only(let keys) = selection { keys.contains(group) } else { true }
    }
}

/// The reference search: every row as it was given, cosines in double precision, one sort.
struct PlainScan {
    /// Float32 rows of length 1 have an error of 2⁻²⁴ for each component; a score may differ this much from the plain
    /// cosine.
    static let tolerance = 1e-6

    let query: [Float]
    let scope: BenchScope
    private let length: Double
    private var cosines: [RowKey: Double] = [:]

    init(query: [Float], scope: BenchScope) {
        self.query = query
        self.scope = scope
        length = Self.dot(query, query).squareRoot()
    }

    /// Scores a row if the scope holds it.
    mutating func see(_ row: VectorRow) {
        guard scope.contains(row.group) else { return }
        cosines[row.key] = Self.dot(query, row.vector) / (length * Self.dot(row.vector, row.vector).squareRoot())
    }

    /// The number of right hits: as good as the plain scan's hit of the same rank, with the right score.
    func rightCount(of hits: [VectorHit], k: Int) -> Int {
        let best = cosines.values.sorted(by: >).prefix(k)
        guard hits.count == best.count, Set(hits.map(\.key)).count == hits.count else { return 0 }
        return zip(hits, best).count { hit, expected in
            guard let cosine = cosines[hit.key] else { return false }
            return abs(cosine - Double(hit.score)) < Self.tolerance && abs(cosine - expected) < 2 * Self.tolerance
        }
    }

    /// The number of hits of a right search.
    func expectedCount(k: Int) -> Int { min(k, cosines.count) }

    static func dot(_ left: [Float], _ right: [Float]) -> Double {
        var sum = 0.0
        for index in left.indices { sum += Double(left[index]) * Double(right[index]) }
        return sum
    }
}
