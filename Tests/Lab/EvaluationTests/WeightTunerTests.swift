import Evaluation
import Synchronization
import Testing

@Suite struct WeightTunerTests {
    private let weights = [
        TunedWeight(name: "x", initial: 0, in: 0...1), TunedWeight(name: "y", initial: 1, in: -1...1),
    ]

    /// Highest at x = 0.75, y = -0.5, which the steps reach exactly.
    private func bowl(_ point: [String: Double], peak: Double = 0.75) -> Double {
        let (x, y) = (point["x", default: 9] - peak, point["y", default: 9] + 0.5)
        return 1 - x * x - y * y
    }

    @Test func theTopIsFound() async throws {
        let tuner = WeightTuner(weights: weights, randomPoints: 0)

        let result = try await tuner.tune(groups: ["a", "a", "b"], folds: 0) { point in
            [bowl(point), bowl(point), bowl(point)]
        }

        #expect(result.weights == ["x": 0.75, "y": -0.5])
        #expect(result.objective == 1)
        #expect(result.initialObjective == 1 - 0.5625 - 2.25)
        #expect(result.folds.isEmpty)
        #expect(result.heldOutObjective == 1)
    }

    @Test func boundsHold() async throws {
        let tuner = WeightTuner(weights: [TunedWeight(name: "x", initial: 5, in: 0...1)], randomPoints: 8)
        let seen = Mutex<[Double]>([])

        let result = try await tuner.tune(groups: ["a"], folds: 1) { point in
            seen.withLock { $0.append(point["x", default: 9]) }
            return [point["x", default: 9] * 3]
        }

        #expect(tuner.weights[0].initial == 1)
        #expect(result.weights == ["x": 1])
        #expect(seen.withLock { $0.allSatisfy { (0...1).contains($0) } })
        #expect(seen.withLock { Set($0).count == $0.count && $0.count == result.pointCount })
    }

    /// Conversation `a` wants x = 0.25, the others x = 0.75: who is tuned without `a` does worse on it.
    @Test func aFoldIsMeasuredOnWhatItDidNotSee() async throws {
        let groups = ["a", "b", "c", "a", "b", "c"]
        let tuner = WeightTuner(weights: [weights[0]], randomPoints: 0)

        let result = try await tuner.tune(groups: groups, folds: 3) { point in
            groups.map { bowl(["x": point["x", default: 9], "y": -0.5], peak: $0 == "a" ? 0.25 : 0.75) }
        }

        #expect(result.folds.count == 3)
        #expect(result.folds.map(\.questionCount) == [2, 2, 2])
        #expect(Set(result.folds.flatMap(\.heldOut)) == ["a", "b", "c"])
        let fold = try #require(result.folds.first { $0.heldOut == ["a"] })
        #expect(fold.weights == ["x": 0.75])
        #expect(fold.trained == 1)
        #expect(fold.tested == 0.75)
        #expect(fold.testedInitially == 1 - 0.0625)
        let other = try #require(result.folds.first { $0.heldOut == ["b"] })
        #expect(other.weights == ["x": 0.5])
        #expect(other.tested == 1 - 0.0625)
        #expect(result.heldOutObjective == (0.75 + 0.9375 + 0.9375) / 3)
    }

    @Test func foldsAreOfWholeGroupsAndOfLikeSize() async throws {
        let groups = ["a", "a", "a", "a", "b", "b", "c", "c", "d"]

        let result = try await WeightTuner(weights: [weights[0]]).tune(groups: groups, folds: 2) { _ in
            groups.map { _ in 0 }
        }
        let many = try await WeightTuner(weights: [weights[0]]).tune(groups: groups, folds: 9) { _ in
            groups.map { _ in 0 }
        }

        #expect(result.folds.map(\.questionCount).sorted() == [4, 5])
        #expect(result.folds.contains { $0.heldOut.contains("a") && $0.heldOut.count <= 2 })
        #expect(many.folds.count == 4)
    }

    @Test func nothingGainedLeavesTheInitialWeights() async throws {
        let result = try await WeightTuner(weights: weights).tune(groups: ["a"], folds: 0) { _ in [0.5] }

        #expect(result.weights == ["x": 0, "y": 1])
        #expect(result.objective == 0.5)
    }

    @Test func theSeedDecides() async throws {
        func tune(_ seed: UInt64) async throws -> WeightTuner.Result {
            try await WeightTuner(weights: weights, randomPoints: 5, halvings: 1, seed: seed)
                .tune(groups: ["a", "b", "c", "d"], folds: 2) { point in
                    (0..<4).map { bowl(point, peak: Double($0) / 7) }
                }
        }

        #expect(try await tune(1) == tune(1))
        #expect(try await tune(1) != tune(2))
    }

    @Test func nothingToTuneIsAnError() async {
        await #expect(throws: EvaluationError.nothingToMeasure("questions")) {
            try await WeightTuner(weights: weights).tune(groups: [], folds: 2) { _ in [] }
        }
        await #expect(throws: EvaluationError.nothingToMeasure("weights")) {
            try await WeightTuner(weights: []).tune(groups: ["a"], folds: 2) { _ in [0] }
        }
    }

    @Test func aRunGivesObjectivesOfItsAnswerableQuestions() throws {
        let run = try report("run", [("a", 1), ("adversarial", 1), ("b", 0.5)])

        #expect(run.objectiveGroups == ["c", "c"])
        #expect(try run.objectives(["recall@10", "MRR"]) == [0.75, 0.375])
        #expect(throws: EvaluationError.unknownMetric("recall@11")) { try run.objectives(["MRR", "recall@11"]) }
        #expect(throws: EvaluationError.nothingToMeasure("metrics")) { try run.objectives([]) }
    }
}
