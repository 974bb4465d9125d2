import Glibc
import IndexCore
import VectorIndex

/// One run over vectors from files: opens them, measures, and writes the report.
struct DataRun {
    let options: IndexCommand
    let folder: String

    /// Measures and prints; returns false when a result was wrong.
    func run() async throws -> Bool {
        MatrixProducts.setThreadCount(options.threads)
        let data = try BenchData(folder: folder, limit: options.limit ?? .max)
        var report = BenchReport()
        report.add(description(of: data))
        let isRight =
            switch options.measured {
            case .searches: try DataBench(options, data).run(&report)
            case .upserts: try await UpsertBench(options: options, data: data).run(&report)
            case .callers: try await CallerBench(options: options, data: data).run(&report)
            case .growth: try GrowthBench(options: options, data: data).run(&report)
            }
        if let path = options.jsonFile { try report.write(to: path) }
        return isRight
    }

    private func description(of data: BenchData) -> JSONLine {
        var line = Machine.line("run", options.measured.rawValue, threadCount: options.threads)
        line.add("n", data.base.count)
        line.add("d", data.base.dimensions)
        line.add("k", options.k)
        line.add("queries", data.queries.count)
        return line
    }
}

/// Measures searches of vectors from files; prints the same figures as the script for other libraries.
struct DataBench {
    private static let singleQueryCount = 50
    private let options: IndexCommand
    private let data: BenchData
    private let scope: Set<Int32>?
    private let clock = ContinuousClock()

    /// Also reads the groups of the restricted scope.
    init(_ options: IndexCommand, _ data: BenchData) throws {
        self.options = options
        self.data = data
        scope = try options.scopeFile.map { Set(try DataFile($0).integers()) }
    }

    /// Measures and prints; returns false when a result was wrong.
    func run(_ report: inout BenchReport) throws -> Bool {
        let scopes = scopes().map { suffix, selection, isVisible in
            (suffix, selection, BruteForce(data.base, data.queries, k: options.k, isVisible: isVisible))
        }
        var isRight = true
        for form in [IndexForm.exact, .compact] {
            let scans = options.scans.filter { ($0 == .compact) == (form == .compact) }
            guard !scans.isEmpty else { continue }
            let index = CosineIndex(dimensions: data.base.dimensions, form: form, threadCount: options.threads)
            let buildSeconds = try data.write(to: index)
            if let path = options.snapshotFile { return try writeAndOpen(index, path, &report) }
            if form == .exact { measureLimits(&report) }
            for (suffix, selection, truth) in scopes {
                for scan in scans {
                    let kind: ScanKind = scan == .float ? .floats : .fastest
                    let variant = Variant(
                        name: scan.rawValue + suffix, selection: selection, kind: kind, leastRecall: form.leastRecall)
                    isRight = try measure(variant, index.snapshot(), truth, buildSeconds, &report) && isRight
                }
            }
        }
        return isRight
    }

    private func writeAndOpen(_ index: CosineIndex, _ path: String, _ report: inout BenchReport) throws -> Bool {
        let (results, isRight) = try SnapshotBench(
            options, path: path, dimensions: data.base.dimensions, queries: data.queries
        ).run(index)
        for line in results { report.add(line) }
        return isRight
    }

    /// The search that one line measures.
    private struct Variant {
        let name: String
        let selection: GroupSelection
        let kind: ScanKind
        let leastRecall: Double
    }

    private func scopes() -> [(suffix: String, selection: GroupSelection, isVisible: (Int) -> Bool)] {
        let all: (String, GroupSelection, (Int) -> Bool) = ("", .all, { _ in true })
        guard let scope else { return [all] }
        let groups = data.groups
        let keys = Set(scope.map { GroupKey(rawValue: Int64($0)) })
        return [all, (" scope", .only(keys), { scope.contains(groups[$0]) })]
    }

    /// Measures the time of only reading the same bytes with the same instructions.
    private func measureLimits(_ report: inout BenchReport) {
        let base = data.base
        let loop = BareLoop(rowCount: base.count, dimensions: base.dimensions, threadCount: options.threads)
        for (name, planeCount) in [("limit, high planes", 1), ("limit, both planes", 2)] {
            let times = (0..<Self.singleQueryCount).map { _ in
                clock.measure { loop.run(planeCount: planeCount) }.seconds * 1000
            }
            var line = JSONLine()
            line.add("variant", name)
            line.add("ms", times.median)
            line.add("best", times.min() ?? 0)
            report.add(line)
        }
    }

    private func measure(
        _ variant: Variant, _ snapshot: CosineIndex.Snapshot, _ truth: BruteForce, _ buildSeconds: Double,
        _ report: inout BenchReport
    ) throws -> Bool {
        let (k, queries) = (options.k, data.queries)
        func search(_ queries: [[Float]]) throws -> [[VectorHit]] {
            try snapshot.search(batch: queries, k: k, in: variant.selection, by: variant.kind)
        }
        _ = try search([queries[0]])
        var singles: [[VectorHit]] = []
        let times = try queries.prefix(Self.singleQueryCount).map { query in
            try clock.measure { singles += try search([query]) }.seconds * 1000
        }
        _ = try search(Array(queries.prefix(8)))
        var batch: [[VectorHit]] = []
        let batchSeconds = try clock.measure { batch = try search(queries) }.seconds
        var line = JSONLine()
        line.add("variant", variant.name)
        line.add("ms", times.median)
        line.add("p95", times.percentile(95))
        line.add("best", times.min() ?? 0)
        line.add("batch_qps", Double(queries.count) / batchSeconds)
        let recall = truth.recall(of: batch)
        line.add("recall", recall)
        line.add("single_equals_batch", singles == Array(batch.prefix(singles.count)) ? "yes" : "no")
        line.add("build_s", buildSeconds)
        line.add("bytes_per_vector", Double(snapshot.byteCount) / Double(data.base.count))
        line.add("code_bytes_per_vector", Double(snapshot.codeByteCount) / Double(data.base.count))
        report.add(line)
        guard variant.leastRecall == 1 else { return recall >= variant.leastRecall }
        return recall == 1 && singles == Array(batch.prefix(singles.count))
    }
}

extension IndexForm {
    /// The recall that must be reached: 1 if results are proved.
    fileprivate var leastRecall: Double { self == .exact ? 1 : 0.999 }
}
