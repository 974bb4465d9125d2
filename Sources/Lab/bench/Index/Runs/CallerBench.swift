import IndexCore
import VectorIndex

/// Searches of concurrent callers through a ``SearchQueue``.
struct CallerBench {
    private static let callerCounts = [1, 2, 8, 64]
    private static let roundCount = 5
    private static let secondsPerRound = 2.0
    let options: IndexCommand
    let data: BenchData

    /// Measures and prints; returns false when a result was wrong.
    func run(_ report: inout BenchReport) async throws -> Bool {
        let index = CosineIndex(dimensions: data.base.dimensions)
        _ = try data.write(to: index)
        let expected = try index.search(batch: data.queries, k: options.k, in: .all)
        let recall = data.truth(k: options.k).recall(of: expected)
        let queue = SearchQueue(threadCount: options.threads)
        var rounds = Self.callerCounts.map { _ in [Round]() }
        for _ in 0..<Self.roundCount {
            for (position, count) in Self.callerCounts.enumerated() {
                rounds[position].append(try await round(callerCount: count, queue, index, expected))
            }
        }
        for (count, rounds) in zip(Self.callerCounts, rounds) {
            var line = JSONLine()
            line.add("variant", "callers")
            line.add("callers", count)
            line.add("qps", rounds.map { Double($0.times.count) / $0.seconds }.median)
            line.add("ms", rounds.map(\.times.median).median)
            line.add("p99", rounds.map { $0.times.percentile(99) }.median)
            line.add("searches_per_pass", rounds.map { Double($0.times.count) / Double($0.passCount) }.median)
            line.add("recall", recall)
            line.add("wrong_results", rounds.reduce(0) { $0 + $1.wrongCount })
            report.add(line)
        }
        return recall == 1 && rounds.allSatisfy { $0.allSatisfy { $0.wrongCount == 0 } }
    }

    private struct Round {
        var times: [Double] = []
        var wrongCount = 0
        var seconds = 0.0
        var passCount = 0
    }

    private func round(
        callerCount: Int, _ queue: SearchQueue, _ index: CosineIndex, _ expected: [[VectorHit]]
    ) async throws -> Round {
        let clock = ContinuousClock()
        let (start, passCount) = (clock.now, queue.passCount)
        let end = start + .seconds(Self.secondsPerRound)
        var sum = Round()
        try await withThrowingTaskGroup(of: Round.self) { group in
            for caller in 0..<callerCount {
                group.addTask { try await searches(from: caller, until: end, queue, index, expected) }
            }
            for try await round in group {
                sum.times += round.times
                sum.wrongCount += round.wrongCount
            }
        }
        sum.seconds = (clock.now - start).seconds
        sum.passCount = queue.passCount - passCount
        return sum
    }

    /// One caller, which searches again as soon as it has a result.
    private func searches(
        from caller: Int, until end: ContinuousClock.Instant, _ queue: SearchQueue, _ index: CosineIndex,
        _ expected: [[VectorHit]]
    ) async throws -> Round {
        let clock = ContinuousClock()
        var round = Round()
        var number = caller * 31 % data.queries.count
        while clock.now < end {
            let start = clock.now
            let hits = try await queue.search(data.queries[number], k: options.k, in: .all, on: index)
            round.times.append((clock.now - start).seconds * 1000)
            if hits != expected[number] { round.wrongCount += 1 }
            number = (number + 1) % data.queries.count
        }
        return round
    }
}
