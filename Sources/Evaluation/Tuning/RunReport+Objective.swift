extension RunReport {
    /// The conversation of each answerable question, in the run's order: the groups that folds are made of.
    public var objectiveGroups: [String] {
        questions.filter(\.isAnswerable).map(\.conversationID)
    }

    /// Returns the mean of some metrics for each answerable question, in the order of ``objectiveGroups``.
    ///
    /// - Parameter metrics: The metrics' names, such as `recall@5` and `recall@10`.
    /// - Returns: One value for each answerable question.
    /// - Throws: ``EvaluationError/unknownMetric(_:)`` when a question was not measured by one of them.
    public func objectives(_ metrics: [String]) throws(EvaluationError) -> [Double] {
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
