import IndexCore
import VectorIndex

/// Measures the time of one search by the number of rows, of groups and of components.
struct GrowthBench {
    private static let roundCount = 5
    private static let queriesPerRound = 20
    let options: IndexCommand
    let data: BenchData

    /// Measures and prints; returns false when a result was wrong.
    func run(_ report: inout BenchReport) throws -> Bool {
        let (n, d) = (data.base.count, data.base.dimensions)
        let byRows = try measure("rows", [8, 4, 2, 1].map { data.part(rows: n / $0, dimensions: d) }, &report)
        let byGroups = try measure("groups", [1, 100, 10_000].map(regrouped), &report)
        let byComponents = try measure("components", [4, 2, 1].map { data.part(rows: n, dimensions: d / $0) }, &report)
        return byRows && byGroups && byComponents
    }

    /// All rows, randomly distributed over `groupCount` groups.
    private func regrouped(_ groupCount: Int) -> BenchData {
        var generator = SplitMix64(seed: UInt64(options.seed))
        return data.regrouped(
            (0..<data.base.count).map { _ in Int32.random(in: 0..<Int32(groupCount), using: &generator) })
    }

    /// Measures all cases of one series in turns; rows arrive shuffled.
    private func measure(_ name: String, _ cases: [BenchData], _ report: inout BenchReport) throws -> Bool {
        let indexes = try cases.map { data in
            var generator = SplitMix64(seed: UInt64(options.seed))
            let index = CosineIndex(dimensions: data.base.dimensions, threadCount: options.threads)
            _ = try data.write(to: index, order: (0..<data.base.count).shuffled(using: &generator))
            return index
        }
        let selections = cases.map { GroupSelection.only(Set($0.groups.map { GroupKey(rawValue: Int64($0)) })) }
        var times = cases.map { _ in [Double]() }
        let clock = ContinuousClock()
        for round in 0..<Self.roundCount {
            for (position, data) in cases.enumerated() {
                for number in 0..<Self.queriesPerRound {
                    let query = data.queries[(round * Self.queriesPerRound + number) % data.queries.count]
                    times[position].append(
                        try clock.measure {
                            _ = try indexes[position].search(query, k: options.k, in: selections[position])
                        }.seconds * 1000)
                }
            }
        }
        var isRight = true
        for (position, data) in cases.enumerated() {
            let hits = try data.queries.map { try indexes[position].search($0, k: options.k, in: selections[position]) }
            let recall = data.truth(k: options.k).recall(of: hits)
            isRight = isRight && recall == 1
            var line = JSONLine()
            line.add("variant", "growth by \(name)")
            line.add("n", data.base.count)
            line.add("d", data.base.dimensions)
            line.add("groups", Set(data.groups).count)
            line.add("ms", times[position].median)
            line.add("p95", times[position].percentile(95))
            line.add("recall", recall)
            report.add(line)
        }
        return isRight
    }
}
