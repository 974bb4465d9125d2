import VectorIndex

/// One run over vectors from files: opens them, measures what was asked for, keeps the figures.
struct DataRun {
    let options: BenchOptions
    let folder: String

    /// Measures and prints; false when a result was wrong.
    func run() async throws -> Bool {
        MatrixProducts.setThreadCount(options.threads)
        let data = try BenchData(folder: folder, limit: options.limit)
        var report = BenchReport()
        report.add(description(of: data))
        let isRight =
            switch options.run {
            case .searches: try DataBench(options, data).run(&report)
            case .upserts: try await UpsertBench(options: options, data: data).run(&report)
            case .callers: try await CallerBench(options: options, data: data).run(&report)
            case .growth: try GrowthBench(options: options, data: data).run(&report)
            }
        if let path = options.jsonFile { try report.write(to: path) }
        return isRight
    }

    private func description(of data: BenchData) -> JSONLine {
        var line = JSONLine()
        line.add("bench", "index-bench")
        line.add("run", options.run.rawValue)
        line.add("machine", Machine.processor)
        line.add("processors", Machine.processorCount)
        line.add("blas", MatrixProducts.libraryDescription ?? "unknown, perhaps the slow reference BLAS")
        line.add("threads", options.threads)
        line.add("n", data.base.count)
        line.add("d", data.base.dimensions)
        line.add("k", options.k)
        line.add("queries", data.queries.count)
        return line
    }
}
