/// One search, with the points tried so far.
struct WeightSearch {
    typealias Objective = ([String: Double]) async throws -> [Double]

    private let tuner: WeightTuner
    private let questionCount: Int
    private let randomPoints: [[Double]]
    private var tried: [[Double]: [Double]] = [:]

    init(tuner: WeightTuner, questionCount: Int) {
        self.tuner = tuner
        self.questionCount = questionCount
        var generator = SeededGenerator(seed: tuner.seed, stream: "points")
        randomPoints = (0..<max(0, tuner.randomPoints)).map { _ in
            tuner.weights.map { $0.lowest + ($0.highest - $0.lowest) * generator.unit() }
        }
    }

    /// How many points were tried.
    var pointCount: Int { tried.count }

    /// Returns the mean objective of some questions at a point.
    mutating func mean(at point: [Double], over questions: [Int], _ objective: Objective) async throws -> Double {
        let values: [Double]
        if let known = tried[point] {
            values = known
        } else {
            values = try await objective(tuner.named(point))
            precondition(values.count == questionCount, "the objective has a value for each question")
            tried[point] = values
        }
        return questions.reduce(0) { $0 + values[$1] } / Double(questions.count)
    }

    /// Returns the best point for some questions; of equal ones the first, so only better points replace the initial weights.
    mutating func best(
        over questions: [Int], _ objective: Objective
    ) async throws -> (point: [Double], mean: Double) {
        var point = tuner.weights.map(\.initial)
        var best = try await mean(at: point, over: questions, objective)
        for candidate in randomPoints {
            let value = try await mean(at: candidate, over: questions, objective)
            if value > best { (point, best) = (candidate, value) }
        }
        var share = 0.25
        for _ in 0...max(0, tuner.halvings) {
            while try await round(share, from: &point, best: &best, over: questions, objective) {}
            share /= 2
        }
        return (point, best)
    }

    /// Moves each weight up and down by a share of its range; returns whether the objective grew.
    private mutating func round(
        _ share: Double, from point: inout [Double], best: inout Double, over questions: [Int],
        _ objective: Objective
    ) async throws -> Bool {
        var gained = false
        for (index, weight) in tuner.weights.enumerated() {
            for direction in [1.0, -1] {
                var candidate = point
                let moved = point[index] + direction * share * (weight.highest - weight.lowest)
                candidate[index] = min(max(moved, weight.lowest), weight.highest)
                guard candidate != point else { continue }
                let value = try await mean(at: candidate, over: questions, objective)
                guard value > best else { continue }
                (point, best, gained) = (candidate, value, true)
                break
            }
        }
        return gained
    }
}
