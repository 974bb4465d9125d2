import IndexCore
import Synchronization
import VectorIndex

/// Measures rows written per second, and searches during writes.
struct UpsertBench {
    private static let rowsPerSecond = 1000
    private static let roundCount = 6
    private static let secondsPerRound = 3.0
    let options: IndexCommand
    let data: BenchData

    /// Measures and prints; returns false when a result was wrong.
    func run(_ report: inout BenchReport) async throws -> Bool {
        var isRight = true
        for rowsPerWrite in [1000, 100, 1] { isRight = try write(rowsPerWrite, &report) && isRight }
        return try await searchWhileWriting(&report) && isRight
    }

    /// Writes all rows into an empty index.
    private func write(_ rowsPerWrite: Int, _ report: inout BenchReport) throws -> Bool {
        let index = CosineIndex(dimensions: data.base.dimensions)
        let seconds = try data.write(to: index, rowsPerWrite: rowsPerWrite)
        var line = JSONLine()
        line.add("variant", "upsert, batches of \(rowsPerWrite)")
        line.add("rows_per_s", Double(data.base.count) / seconds)
        line.add("rows", index.count)
        report.add(line)
        return index.count == data.base.count
    }

    /// Searches at full speed, alternately without and with a task that replaces rows by equal ones.
    private func searchWhileWriting(_ report: inout BenchReport) async throws -> Bool {
        let index = CosineIndex(dimensions: data.base.dimensions, threadCount: options.threads)
        _ = try data.write(to: index)
        let expected = try index.search(batch: data.queries, k: options.k, in: .all)
        let recall = data.truth(k: options.k).recall(of: expected)
        var times: [[[Double]]] = [[], []]
        var (wrongCount, writtenCount) = (0, 0)
        for round in 0..<2 * Self.roundCount {
            let isWriting = round % 2 == 1
            let goesOn = Flag()
            async let written = isWriting ? replaceRows(of: index, while: goesOn) : 0
            let (roundTimes, roundWrong) = try await searches(of: index, expected)
            goesOn.clear()
            writtenCount += try await written
            wrongCount += roundWrong
            times[isWriting ? 1 : 0].append(roundTimes)
        }
        for (name, rounds) in zip(["search, no writes", "search, writes"], times) {
            var line = JSONLine()
            line.add("variant", name)
            line.add("ms", rounds.map(\.median).median)
            line.add("p99", rounds.map { $0.percentile(99) }.median)
            line.add("searches", rounds.reduce(0) { $0 + $1.count })
            line.add("recall", recall)
            report.add(line)
        }
        var line = JSONLine()
        line.add("variant", "writes during searches")
        line.add("rows_per_s", Double(writtenCount) / (Double(Self.roundCount) * Self.secondsPerRound))
        line.add("wrong_results", wrongCount)
        report.add(line)
        return wrongCount == 0 && recall == 1
    }

    @concurrent
    private func searches(
        of index: CosineIndex, _ expected: [[VectorHit]]
    ) async throws -> (milliseconds: [Double], wrongCount: Int) {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(Self.secondsPerRound)
        var (times, wrongCount, number) = ([Double](), 0, 0)
        while clock.now < end {
            let start = clock.now
            let hits = try index.search(data.queries[number], k: options.k, in: .all)
            times.append((clock.now - start).seconds * 1000)
            if hits != expected[number] { wrongCount += 1 }
            number = (number + 1) % data.queries.count
        }
        return (times, wrongCount)
    }

    /// Replaces rows one by one at an even pace.
    @concurrent
    private func replaceRows(of index: CosineIndex, while goesOn: Flag) async throws -> Int {
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        while goesOn.isSet {
            // A prime step, so that rows of all groups take turns.
            try index.upsert([data.row(count * 7919 % data.base.count)])
            count += 1
            try await clock.sleep(until: start + .seconds(1) * count / Self.rowsPerSecond, tolerance: .zero)
        }
        return count
    }
}

/// Set until it is cleared.
private final class Flag: Sendable {
    private let value = Atomic(true)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func clear() { value.store(false, ordering: .relaxed) }
}
