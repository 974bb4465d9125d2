/// A weight that is searched for.
package struct TunedWeight: Hashable, Sendable, Codable {
    /// Its name in the configuration.
    package var name: String
    /// The value at which the search begins.
    package var initial: Double
    /// The least value allowed.
    package var lowest: Double
    /// The greatest value allowed.
    package var highest: Double

    /// Makes a weight; an initial value outside the bounds is clamped.
    ///
    /// - Precondition: `lowest` is not above `highest`.
    package init(name: String, initial: Double, in bounds: ClosedRange<Double>) {
        self.name = name
        self.initial = min(max(initial, bounds.lowerBound), bounds.upperBound)
        lowest = bounds.lowerBound
        highest = bounds.upperBound
    }
}

/// Searches for the weights with the greatest mean objective, cross-validated by conversation.
///
/// Coordinate search: each weight in turn is moved up and down by a step that begins at a quarter of its range and is
/// halved when a whole round gains nothing. First, random points within the bounds are tried, and the search
/// starts from the best of them. The objective of each question is kept for each point that was tried, so that a fold
/// costs only the points that no other fold has tried.
package struct WeightTuner: Sendable {
    /// The weights and their bounds.
    package var weights: [TunedWeight]
    /// How many random points are tried first.
    package var randomPoints: Int
    /// How often the steps are halved.
    package var halvings: Int
    /// Decides the random points and the folds.
    package var seed: UInt64

    package init(weights: [TunedWeight], randomPoints: Int = 32, halvings: Int = 4, seed: UInt64 = 1) {
        self.weights = weights
        self.randomPoints = randomPoints
        self.halvings = halvings
        self.seed = seed
    }

    /// The result of a search.
    package struct Result: Hashable, Sendable, Codable {
        /// One fold: tuned on the other conversations, measured on these.
        package struct Fold: Hashable, Sendable, Codable {
            /// The conversations that were held out.
            package var heldOut: [String]
            /// How many questions they have.
            package var questionCount: Int
            /// The best weights on the others.
            package var weights: [String: Double]
            /// The mean objective on the others with these weights.
            package var trained: Double
            /// The mean objective on the held-out questions with these weights.
            package var tested: Double
            /// The mean objective on the held-out questions with the initial weights.
            package var testedInitially: Double
        }

        /// The best weights over all questions.
        package var weights: [String: Double]
        /// The mean objective over all questions with them: optimistic.
        package var objective: Double
        /// The mean objective over all questions with the initial weights.
        package var initialObjective: Double
        /// The mean objective over all questions, each measured with the weights of the fold that held it out.
        package var heldOutObjective: Double
        /// The folds.
        package var folds: [Fold]
        /// How many points were tried.
        package var pointCount: Int
    }

    /// Searches for the best weights, and measures them on held-out groups.
    ///
    /// - Parameters:
    ///   - groups: The group (conversation) of each question; a group is never cut by a fold.
    ///   - folds: How many folds, at most one for each group; fewer than 2 skip the cross-validation.
    ///   - objective: The objective of each question, in the order of `groups`, for weights by name; higher is better.
    /// - Returns: The best weights, and their objective on conversations that they were not tuned on.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without questions or weights; errors of the objective.
    /// - Precondition: The objective gives one value for each question.
    package func tune(
        groups: [String], folds: Int, objective: ([String: Double]) async throws -> [Double]
    ) async throws -> Result {
        guard !groups.isEmpty else { throw EvaluationError.nothingToMeasure("questions") }
        guard !weights.isEmpty else { throw EvaluationError.nothingToMeasure("weights") }
        var search = WeightSearch(tuner: self, questionCount: groups.count)
        let everything = Array(groups.indices)
        let start = weights.map(\.initial)
        let best = try await search.best(over: everything, objective)
        let initial = try await search.mean(at: start, over: everything, objective)
        var results: [Result.Fold] = []
        for members in heldOutGroups(groups, count: folds) {
            let tested = everything.filter { members.contains(groups[$0]) }
            let trained = everything.filter { !members.contains(groups[$0]) }
            let found = try await search.best(over: trained, objective)
            results.append(
                Result.Fold(
                    heldOut: members.sorted(), questionCount: tested.count, weights: named(found.point),
                    trained: found.mean, tested: try await search.mean(at: found.point, over: tested, objective),
                    testedInitially: try await search.mean(at: start, over: tested, objective)))
        }
        let heldOut = results.reduce(0) { $0 + $1.tested * Double($1.questionCount) } / Double(groups.count)
        return Result(
            weights: named(best.point), objective: best.mean, initialObjective: initial,
            heldOutObjective: results.isEmpty ? best.mean : heldOut, folds: results, pointCount: search.pointCount)
    }

    /// Names the components of a point.
    func named(_ point: [Double]) -> [String: Double] {
        Dictionary(zip(weights.map(\.name), point), uniquingKeysWith: { $1 })
    }

    /// Assigns the groups to folds, the largest first, each to the fold with the fewest questions; ties are random.
    private func heldOutGroups(_ groups: [String], count: Int) -> [Set<String>] {
        let sizes = Dictionary(groups.map { ($0, 1) }, uniquingKeysWith: +)
        let count = min(count, sizes.count)
        guard count >= 2 else { return [] }
        var generator = SeededGenerator(seed: seed, stream: "folds")
        let shuffled = sizes.keys.sorted().shuffled(using: &generator)
        var folds = Array(repeating: (size: 0, members: Set<String>()), count: count)
        // Sorted by size; the shuffled place decides ties.
        let ordered = shuffled.enumerated().sorted {
            let (left, right) = (sizes[$0.element, default: 0], sizes[$1.element, default: 0])
            return left != right ? left > right : $0.offset < $1.offset
        }
        for (_, group) in ordered {
            guard let smallest = folds.indices.min(by: { folds[$0].size < folds[$1].size }) else { continue }
            folds[smallest].size += sizes[group, default: 0]
            folds[smallest].members.insert(group)
        }
        return folds.map(\.members)
    }
}

extension RunReport {
    /// The conversation of each answerable question, in the run's order; folds consist of these groups.
    package var objectiveGroups: [String] {
        questions.filter(\.isAnswerable).map(\.conversationID)
    }

    /// Returns the mean of some metrics for each answerable question, in the order of ``objectiveGroups``.
    ///
    /// - Parameter metrics: The metrics' names, such as `recall@5` and `recall@10`.
    /// - Returns: One value for each answerable question.
    /// - Throws: ``EvaluationError/unknownMetric(_:)`` when a question was not measured by one of them.
    package func objectives(_ metrics: [String]) throws(EvaluationError) -> [Double] {
        guard !metrics.isEmpty else { throw .nothingToMeasure("metrics") }
        var objectives: [Double] = []
        for question in questions where question.isAnswerable {
            var sum = 0.0
            for metric in metrics {
                guard let value = question.metrics[metric] else { throw .unknownMetric(metric) }
                sum += value
            }
            objectives.append(sum / Double(metrics.count))
        }
        return objectives
    }
}
