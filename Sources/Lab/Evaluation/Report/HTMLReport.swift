/// Runs as one HTML page that loads nothing: figures, charts and the questions that were missed.
///
/// It works without scripts; a policy in its head forbids them and every request. All text of messages, questions,
/// names and configurations is escaped.
package struct HTMLReport: Sendable {
    /// The runs, in the order in which they are shown.
    package var runs: [RunReport]
    /// How many missed questions of each run are shown, the worst first.
    package var missLimit: Int

    /// Takes the runs to show, of one dataset or several.
    package init(runs: [RunReport], missLimit: Int = 150) {
        self.runs = runs
        self.missLimit = missLimit
    }

    /// The page.
    package var page: String {
        let names = runs.map(\.name).joined(separator: ", ")
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Evaluation: \(HTMLText.escaped(names))</title>
            <style>
            \(ReportStyle.sheet)
            \(filterRules)
            </style></head><body>
            <main>
            <h1>Evaluation</h1>
            \(runTable)
            <h2>Metrics</h2>
            \(metricTable)
            <h2>Charts</h2>
            <div class="charts">
            \(charts.map { "<figure><figcaption>\(HTMLText.escaped($0.title))</figcaption>\($0.legend)\($0.image)</figure>" }
                .joined(separator: "\n"))
            </div>
            \(runs.indices.map(missSection).joined(separator: "\n"))
            </main>
            </body></html>

            """
    }

    /// The runs with their datasets and configurations.
    private var runTable: String {
        let rows = runs.enumerated().map { index, run in
            let facts = run.dataset
            let leaks =
                run.leakCount == 0
                ? "<td class=\"n\">0</td>" : "<td class=\"n bad\">\(run.leakCount)</td>"
            return "<tr><th scope=\"row\">\(key(index))\(HTMLText.escaped(run.name))</th>"
                + "<td>\(HTMLText.escaped(facts.name))<br><code>\(HTMLText.escaped(String(facts.hash.prefix(12))))</code></td>"
                + "<td>\(HTMLText.escaped(run.configuration.scope))</td>"
                + "<td class=\"n\">\(facts.messages)</td><td class=\"n\">\(run.headline.questionCount)</td>"
                + "<td class=\"n\">\(run.adversarial?.questionCount ?? 0)</td><td class=\"n\">\(run.unanswerableCount)</td>"
                + leaks + "<td>\(configuration(of: run))</td></tr>"
        }
        return table(
            head: [
                "Run", "Dataset", "Scope", "#Messages", "#Questions", "#Adversarial", "#Unanswerable", "#Leaks",
                "Configuration",
            ], rows: rows)
    }

    private func configuration(of run: RunReport) -> String {
        let text = (try? JSONLines.encode([run.configuration.value])).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return "<details><summary><code>\(HTMLText.escaped(String(run.configuration.hash.prefix(12))))</code></summary>"
            + HTMLText.element("code class=\"text\"", text) + "</details>"
    }

    /// Every metric of the headline, of each category, and of the adversarial questions.
    private var metricTable: String {
        let names = MetricName.all(cutoffs: Set(runs.flatMap(\.cutoffs)).sorted())
        let categories = Set(runs.flatMap(\.categories.keys)).sorted()
        let groups: [(name: String, summary: (RunReport) -> MetricSummary?)] =
            [("all", { $0.headline })] + categories.map { name in (name, { $0.categories[name] }) }
            + [("adversarial (apart)", { $0.adversarial })]
        let rows = groups.flatMap { group in
            runs.enumerated().compactMap { index, run in
                group.summary(run).map { row(of: $0, named: group.name, run: index, metrics: names) }
            }
        }
        return table(head: ["Category", "Run", "#n"] + names.map { "#\($0)" }, rows: rows)
    }

    private func row(of summary: MetricSummary, named name: String, run: Int, metrics: [String]) -> String {
        let cells = metrics.map { "<td class=\"n\">\(summary.values[$0].map { $0.decimals(3) } ?? "–")</td>" }
        return
            "<tr><th scope=\"row\">\(HTMLText.escaped(name))</th><td class=\"run\">\(key(run))\(HTMLText.escaped(runs[run].name))</td>"
            + "<td class=\"n\">\(summary.questionCount)</td>" + cells.joined() + "</tr>"
    }

    func table(head: [String], rows: [String]) -> String { HTMLText.table(head: head, rows: rows) }

    /// A square in the colour of a series.
    func key(_ series: Int) -> String {
        "<span class=\"key\" style=\"background:\(SVGChart.colour(series))\"></span>"
    }
}

/// The page's style sheet; it loads nothing.
enum ReportStyle {
    static let sheet = """
        :root { color-scheme: light dark; --page: #fbfbfc; --card: #ffffff; --ink: #1b1f27; --soft: #5a6372;
          --line: #d9dde5; --good: #1a7f4b; --bad: #b3261e; --mark: #e7f5ec;
          --s0: #2f6fdb; --s1: #c2571a; --s2: #1b8a7a; --s3: #8250c4; --s4: #8a6d00; --s5: #b0306a; }
        @media (prefers-color-scheme: dark) {
          :root { --page: #14161b; --card: #1c1f26; --ink: #e6e8ec; --soft: #a2aab8; --line: #363b46;
            --good: #62d49a; --bad: #ff8f87; --mark: #17301f;
            --s0: #7fb0ff; --s1: #ffa869; --s2: #5fd3c1; --s3: #c3a1ff; --s4: #e3c550; --s5: #ff93c0; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--page); color: var(--ink);
          font: 16px/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
        h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
        .soft { color: var(--soft); } code { font-size: .85em; overflow-wrap: anywhere; }
        .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; }
        figure, .miss, .scroll { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: 0; }
        figure { padding: 1rem; } figcaption { font-weight: 600; margin-bottom: .5rem; }
        .scroll { overflow-x: auto; } svg { width: 100%; height: auto; display: block; }
        svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .grid { stroke: var(--line); }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .35rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
        th[scope=row], .run { white-space: nowrap; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
        tr:last-child > * { border-bottom: 0; } .n { text-align: right; white-space: nowrap; }
        .key { display: inline-block; width: .8em; height: .8em; border-radius: .2em; margin-right: .4em; }
        .filter { border: 0; padding: 0; margin: 0 0 .75rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
        .miss { margin-bottom: .5rem; } .miss summary { padding: .6rem 1rem; cursor: pointer; }
        .miss > div { padding: 0 1rem 1rem; } summary .soft { font-size: .85rem; }
        :focus-visible { outline: 3px solid var(--s0); outline-offset: 2px; }
        .text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-height: 16rem; overflow-y: auto; }
        td .text { min-width: 16rem; } .when { white-space: nowrap; }
        .hit { background: var(--mark); } .good { color: var(--good); } .bad { color: var(--bad); }
        """
}

/// Text made safe for HTML, so that nothing in it is read as markup.
enum HTMLText {
    /// Escapes text for content and for attributes in double or single quotes; control characters become blanks.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n": result += "\n"
            default:
                let isControl = scalar.properties.generalCategory == .control
                result.unicodeScalars.append(isControl ? " " : scalar)
            }
        }
        return result
    }

    /// Joins rows under a head; a column whose name begins with `#` holds numbers.
    static func table(head: [String], rows: [String]) -> String {
        let cells = head.map { name in
            name.hasPrefix("#")
                ? "<th scope=\"col\" class=\"n\">\(escaped(String(name.dropFirst())))</th>"
                : "<th scope=\"col\">\(escaped(name))</th>"
        }
        return
            "<div class=\"scroll\" role=\"region\" aria-label=\"table\" tabindex=\"0\"><table><thead><tr>\(cells.joined())</tr></thead>"
            + "<tbody>\(rows.joined(separator: "\n"))</tbody></table></div>"
    }

    /// A message's sender, time and name in one cell, and its text, if it is known, in another.
    static func messageCells(_ name: String, _ message: RunReport.MessageText?) -> String {
        guard let message else { return "<td><code>\(escaped(name))</code></td><td></td>" }
        let minute = message.timestamp.prefix(16).replacing("T", with: " ")
        return "<td>\(escaped(message.sender))<br><span class=\"soft when\">\(escaped(String(minute)))</span><br>"
            + "<code>\(escaped(name))</code></td><td>\(element("div class=\"text\"", message.text))</td>"
    }

    /// Wraps escaped text in an element.
    ///
    /// - Parameters:
    ///   - name: The element's name, with attributes when it has any; not escaped.
    ///   - text: The text, not escaped yet.
    /// - Returns: The element.
    static func element(_ name: String, _ text: String) -> String {
        let tag = name.prefix { $0 != " " }
        return "<\(name)>\(escaped(text))</\(tag)>"
    }
}
