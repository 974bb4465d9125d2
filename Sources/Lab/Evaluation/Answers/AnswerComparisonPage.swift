/// A comparison of answers as one HTML page that loads nothing: figures, and each question with both answers.
///
/// It works without scripts; a policy in its head forbids them and every request. All text is escaped.
package struct AnswerComparisonPage: Sendable {
    private let comparison: AnswerComparison

    package init(_ comparison: AnswerComparison) { self.comparison = comparison }

    /// The page.
    package var page: String {
        let title = "\(comparison.names.first) and \(comparison.names.second)"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Answers: \(HTMLText.escaped(title))</title>
            <style>
            \(ReportStyle.sheet)
            \(Self.sheet)
            \(filterRules)
            </style></head><body>
            <main id="answers">
            <h1>Answers, side by side</h1>
            <p class="soft">A is \(HTMLText.escaped(comparison.names.first)), B is \
            \(HTMLText.escaped(comparison.names.second)). \(HTMLText.escaped(comparison.first.dataset.name)), \
            \(comparison.pairs.count) questions.</p>
            \(figures)
            <h2>Questions</h2>
            \(filter)
            \(comparison.pairs.map(details).joined(separator: "\n"))
            </main>
            </body></html>

            """
    }

    private static let sheet = """
        .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 1rem; }
        .unsupported { background: color-mix(in srgb, var(--bad) 18%, transparent); }
        """

    // MARK: - Figures

    private var figures: String {
        let rows = comparison.rows.map { row in
            let difference = row.difference
            let isLarger = row.difference.lower > 0 || row.difference.upper < 0
            return "<tr><th scope=\"row\">\(HTMLText.escaped(row.metric))</th><td class=\"n\">\(difference.count)</td>"
                + "<td class=\"n\">\(row.first.decimals(3))</td><td class=\"n\">\(row.second.decimals(3))</td>"
                + "<td class=\"n\">\(isLarger ? "<b>" : "")\(difference.mean.signed)\(isLarger ? "</b>" : "")</td>"
                + "<td class=\"n\">\(difference.lower.signed) to \(difference.upper.signed)</td></tr>"
        }
        return HTMLText.table(head: ["Figure", "#Questions", "#A", "#B", "#B − A", "#95 % interval"], rows: rows)
    }

    // MARK: - Filter

    private var kinds: [(change: AnswerComparison.Change, count: Int)] {
        AnswerComparison.Change.allCases.compactMap { change in
            let count = comparison.pairs.count { $0.changes.contains(change) }
            return count == 0 ? nil : (change, count)
        }
    }

    private var filter: String {
        let buttons = kinds.map { kind in
            "<label><input type=\"radio\" name=\"kind\" id=\"show-\(kind.change.rawValue)\"> B "
                + "\(kind.change.sentence) (\(kind.count))</label>"
        }
        return "<fieldset class=\"filter\"><legend class=\"soft\">Show</legend>"
            + "<label><input type=\"radio\" name=\"kind\" checked> all</label>\(buttons.joined(separator: "\n"))</fieldset>"
    }

    /// Rules that hide the questions without the checked kind of change.
    private var filterRules: String {
        kinds.map { kind in
            "#answers:has(#show-\(kind.change.rawValue):checked) .miss:not(.\(kind.change.rawValue)) { display: none; }"
        }.joined(separator: "\n")
    }

    // MARK: - Questions

    private func details(of pair: AnswerComparison.Pair) -> String {
        let question = pair.first
        let classes = (["miss"] + pair.changes.map(\.rawValue)).joined(separator: " ")
        let why =
            pair.changes.isEmpty
            ? "the same answer" : "B \(pair.changes.map(\.sentence).joined(separator: ", and "))"
        let mark = pair.gain == 0 ? "" : pair.gain < 0 ? "<b class=\"bad\">−</b> " : "<b class=\"good\">+</b> "
        var body = ""
        if let reference = question.reference {
            body += "<p class=\"text\"><b>Reference:</b> \(HTMLText.escaped(reference))</p>"
        }
        if !question.evidence.isEmpty {
            body += "<h3>Evidence</h3>" + messages(question.evidence.map { ($0, place(of: $0, in: pair)) })
        }
        body += "<div class=\"pair\">\(answer(pair.first, "A"))\(answer(pair.second, "B"))</div>"
        return "<details class=\"\(classes)\"><summary>\(mark)"
            + HTMLText.element("span class=\"text\"", question.question)
            + "<br><span class=\"soft\">\(HTMLText.escaped(question.category)) · \(HTMLText.escaped(question.id)) · "
            + "\(why)</span></summary><div>\(body)</div></details>"
    }

    /// Says which of the answers was shown the message, and which cites it.
    private func place(of name: String, in pair: AnswerComparison.Pair) -> String {
        [("A", pair.first), ("B", pair.second)].map { letter, answer in
            let fact =
                answer.citations.contains(name)
                ? "cites it" : answer.shown.contains(name) ? "was shown it" : "did not see it"
            return "\(letter) \(fact)"
        }.joined(separator: "<br>")
    }

    private func answer(_ answer: AnsweredQuestion, _ letter: String) -> String {
        let figures = (AnswerReport.Metric.quality + AnswerReport.Metric.cost).compactMap { name in
            answer.metrics[name].map { "\(name) \($0.decimals(2))" }
        }
        let others = answer.citations.filter { !answer.evidence.contains($0) }
        return "<section><h3>\(letter)</h3><p class=\"text\">\(marked(answer))</p>"
            + "<p class=\"soft\">\(figures.joined(separator: " · "))</p>"
            + (others.isEmpty ? "" : "<h3>Cites, no evidence</h3>" + messages(others.map { ($0, "") })) + "</section>"
    }

    /// The answer's text; sentences that its sources do not support are marked, with the verdict as a title.
    private func marked(_ answer: AnsweredQuestion) -> String {
        let characters = Array(answer.answer)
        var (text, end) = ("", 0)
        for sentence in answer.sentences ?? []
        where sentence.support == "unsupported" || sentence.support == "contradicted" {
            guard sentence.start >= end, sentence.start < sentence.end, sentence.end <= characters.count else {
                continue
            }
            text += HTMLText.escaped(String(characters[end..<sentence.start]))
            text += HTMLText.element(
                "mark class=\"unsupported\" title=\"\(HTMLText.escaped(sentence.support ?? ""))\"",
                String(characters[sentence.start..<sentence.end]))
            end = sentence.end
        }
        return text + HTMLText.escaped(String(characters[end...]))
    }

    private func messages(_ named: [(name: String, note: String)]) -> String {
        let rows = named.map { name, note in
            let text = comparison.first.texts[name] ?? comparison.second.texts[name]
            return "<tr>\(HTMLText.messageCells(name, text))\(note.isEmpty ? "" : "<td>\(note)</td>")</tr>"
        }
        return HTMLText.table(
            head: ["Message", "Text"] + (named.contains { !$0.note.isEmpty } ? ["Answers"] : []), rows: rows)
    }
}
