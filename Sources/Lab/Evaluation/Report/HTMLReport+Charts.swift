import ChatCore

extension HTMLReport {
    /// A chart with its heading.
    struct Chart {
        var title: String
        var legend: String
        var image: String
    }

    /// All charts that the runs have figures for.
    var charts: [Chart] {
        [categoryChart, recallChart, latencyChart].compactMap(\.self)
            + runs.indices.compactMap { scoreChart(of: $0) }
    }

    /// The cutoff of a run's main recall: 10 if it was measured, else the last one.
    static func mainCutoff(of run: RunReport) -> Int? {
        run.cutoffs.contains(10) ? 10 : run.cutoffs.last
    }

    private var runLegend: String {
        runs.count < 2
            ? ""
            : "<p class=\"soft\">"
                + runs.enumerated().map { key($0) + HTMLText.escaped($1.name) }.joined(separator: " &nbsp; ") + "</p>"
    }

    /// Recall by category, a bar for each run.
    private var categoryChart: Chart? {
        guard let cutoff = runs.lazy.compactMap(Self.mainCutoff).first else { return nil }
        let metric = MetricName.recall(cutoff)
        let names = Set(runs.flatMap(\.categories.keys)).sorted()
        func bars(_ value: (RunReport) -> Double?) -> [SVGChart.Bar] {
            runs.enumerated().compactMap { index, run in
                value(run).map { SVGChart.Bar(value: $0, series: index, reach: nil, label: $0.decimals(3)) }
            }
        }
        let groups =
            [("all", bars { $0.headline.values[metric] })]
            + names.map { name in (name, bars { $0.categories[name]?.values[metric] }) }
        return Chart(
            title: "\(metric) by category", legend: runLegend,
            image: SVGChart.bars(groups, maximum: 1, summary: "Bars of \(metric) for each category and run"))
    }

    /// Recall of the first k over k, from the rankings that the runs keep, else at their cutoffs.
    private var recallChart: Chart? {
        let curves = runs.map(Self.recallCurve)
        guard let last = curves.compactMap({ $0.last?.x }).max(), last > 0 else { return nil }
        let ticks = stride(from: 0, through: last, by: last <= 10 ? 1 : last <= 25 ? 5 : 20).map {
            ($0, $0.decimals(0))
        }
        return Chart(
            title: "Recall by k", legend: runLegend,
            image: SVGChart.lines(
                curves.enumerated().map { SVGChart.Line(points: $1, series: $0) }, x: 0...last, top: 1, xTicks: ticks,
                yTicks: [0, 0.25, 0.5, 0.75, 1].map { ($0, $0.decimals(2)) },
                summary: "Share of the evidence among the first k hits, for each run"))
    }

    /// The recall at each k, from 0 at 0.
    static func recallCurve(of run: RunReport) -> [(x: Double, y: Double)] {
        let questions = run.questions.filter(\.isAnswerable)
        let depth = questions.map(\.ranked.count).max() ?? 0
        guard depth > 0 else {
            return run.cutoffs.compactMap { cutoff in
                run.headline.values[MetricName.recall(cutoff)].map { (Double(cutoff), $0) }
            }
        }
        var gained = Array(repeating: 0.0, count: depth + 1)
        for question in questions {
            let evidence = Set(question.evidence)
            for (index, hit) in question.ranked.enumerated() where evidence.contains(hit.id) {
                gained[index + 1] += 1 / Double(evidence.count)
            }
        }
        var sum = 0.0
        return gained.enumerated().map { index, value in
            sum += value
            return (Double(index), sum / Double(questions.count))
        }
    }

    /// The median time of each stage, with the 95th percentile behind it.
    private var latencyChart: Chart? {
        let stages = Set(runs.flatMap(\.latencies.keys)).sorted()
        let longest = runs.flatMap(\.latencies.values).map(\.p95).max() ?? 0
        guard !stages.isEmpty else { return nil }
        let groups = stages.map { stage in
            (
                name: stage,
                bars: runs.enumerated().compactMap { index, run in
                    run.latencies[stage].map { latency in
                        SVGChart.Bar(
                            value: latency.median, series: index, reach: latency.p95,
                            label: "\(latency.median.decimals(2)) / \(latency.p95.decimals(2))")
                    }
                }
            )
        }
        return Chart(
            title: "Latency, median / 95th percentile, ms", legend: runLegend,
            image: SVGChart.bars(groups, maximum: longest, summary: "Bars of the latency of each stage and run"))
    }

    /// The scores of answerable and unanswerable questions, with the threshold that separates them best.
    private func scoreChart(of index: Int) -> Chart? {
        let run = runs[index]
        let answerable = run.questions.filter(\.isAnswerable).compactMap(\.confidence)
        let others = run.questions.filter { !$0.isAnswerable }.compactMap(\.confidence)
        guard let lowest = (answerable + others).min(), let highest = (answerable + others).max(), lowest < highest
        else { return nil }
        let bounds = lowest...highest
        let shares = [Self.histogram(answerable, bounds), Self.histogram(others, bounds)]
        let top = shares.joined().max() ?? 1
        let calibration = try? ThresholdCalibration(run)
        let width = (highest - lowest) / Double(Self.binCount)
        let lines = shares.enumerated().map { series, values in
            let steps = values.enumerated().flatMap { bin, value in
                [(lowest + Double(bin) * width, value), (lowest + Double(bin + 1) * width, value)]
            }
            return SVGChart.Line(points: steps.map { (x: $0.0, y: $0.1) }, series: series, isDashed: series == 1)
        }
        let curve = calibration.map { ", area under the curve \($0.areaUnderCurve.decimals(3))" } ?? ""
        return Chart(
            title: "Scores, \(run.name)\(curve)",
            legend: "<p class=\"soft\">\(key(0))answerable (\(answerable.count)) &nbsp; "
                + "\(key(1))unanswerable (\(others.count), dashed); share of the questions</p>",
            image: SVGChart.lines(
                lines, x: bounds, top: top,
                xTicks: [lowest, (lowest + highest) / 2, highest].map { ($0, $0.decimals(2)) },
                yTicks: [0, top / 2, top].map { ($0, $0.decimals(2)) },
                marker: calibration.flatMap {
                    bounds.contains($0.threshold) ? ($0.threshold, "≥ \($0.threshold.decimals(3))") : nil
                },
                summary: "Distribution of the scores of answerable and unanswerable questions"))
    }

    private static let binCount = 24

    /// The share of values in each bin.
    private static func histogram(_ values: [Double], _ bounds: ClosedRange<Double>) -> [Double] {
        var counts = Array(repeating: 0.0, count: binCount)
        for value in values {
            let place = (value - bounds.lowerBound) / (bounds.upperBound - bounds.lowerBound)
            // Scores come from files, so the quotient may be any number.
            let bin = (place * Double(binCount)).truncated(to: Int.self) ?? 0
            counts[min(max(0, bin), binCount - 1)] += 1 / Double(values.count)
        }
        return counts
    }
}
