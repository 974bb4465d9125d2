extension HTMLReport {
    /// The most categories that have a filter.
    private static let filterLimit = 40

    /// The categories of the missed questions of a run, in the order of the filter's buttons.
    private func filterCategories(of index: Int) -> [String] {
        Array(Set(misses(of: runs[index]).map(\.question.category)).sorted().prefix(Self.filterLimit))
    }

    /// Rules that hide the questions outside the checked category, without a script.
    var filterRules: String {
        runs.indices.flatMap { run in
            filterCategories(of: run).indices.map { category in
                "#r\(run):has(#r\(run)k\(category):checked) .miss:not(.k\(category)) { display: none; }"
            }
        }.joined(separator: "\n")
    }

    private typealias Miss = (question: QuestionResult, recall: Double)

    /// Questions with leaks, then answerable ones that lack evidence at the main cutoff, the worst first.
    private func allMisses(of run: RunReport) -> [Miss] {
        guard let cutoff = Self.mainCutoff(of: run) else { return [] }
        let missed = run.questions.compactMap { question -> Miss? in
            let recall = question.metrics[MetricName.recall(cutoff)] ?? 1
            return !question.leaked.isEmpty || (question.isAnswerable && recall < 1) ? (question, recall) : nil
        }
        let sorted = missed.enumerated().sorted { left, right in
            let leaks = (left.element.question.leaked.isEmpty, right.element.question.leaked.isEmpty)
            if leaks.0 != leaks.1 { return !leaks.0 }
            if left.element.recall != right.element.recall { return left.element.recall < right.element.recall }
            return left.offset < right.offset
        }
        return sorted.map(\.element)
    }

    /// The misses that are shown.
    private func misses(of run: RunReport) -> [Miss] {
        Array(allMisses(of: run).prefix(missLimit))
    }

    /// The missed questions of one run, each in an element that opens.
    func missSection(_ index: Int) -> String {
        let run = runs[index]
        let misses = misses(of: run)
        guard let cutoff = Self.mainCutoff(of: run), !misses.isEmpty else {
            return "<h2>\(key(index))Missed: \(HTMLText.escaped(run.name))</h2><p>Nothing was missed.</p>"
        }
        let categories = filterCategories(of: index)
        let buttons = (["all categories"] + categories).enumerated().map { place, name in
            let id = place == 0 ? "r\(index)all" : "r\(index)k\(place - 1)"
            let checked = place == 0 ? " checked" : ""
            return
                "<label><input type=\"radio\" name=\"r\(index)\" id=\"\(id)\"\(checked)> \(HTMLText.escaped(name))</label>"
        }
        let shown = misses.map { miss in
            let category = categories.firstIndex(of: miss.question.category).map { "k\($0)" } ?? "other"
            return details(of: miss, in: run, cutoff: cutoff, category: category)
        }
        return "<section id=\"r\(index)\"><h2>\(key(index))Missed: \(HTMLText.escaped(run.name))</h2>"
            + "<p class=\"soft\">\(misses.count) of \(allMisses(of: run).count) questions with evidence missing among the "
            + "first \(cutoff), the worst first.</p>"
            + "<fieldset class=\"filter\"><legend class=\"soft\">Show</legend>\(buttons.joined(separator: "\n"))</fieldset>"
            + shown.joined(separator: "\n") + "</section>"
    }

    private func details(of miss: Miss, in run: RunReport, cutoff: Int, category: String) -> String {
        let question = miss.question
        var body = ""
        if let answer = question.answer { body += "<p class=\"text\"><b>Answer:</b> \(HTMLText.escaped(answer))</p>" }
        if !question.leaked.isEmpty {
            body +=
                "<p class=\"bad\">Found although hidden: \(HTMLText.escaped(question.leaked.joined(separator: ", ")))</p>"
        }
        body += "<h3>Evidence</h3>" + evidenceTable(question, run)
        if !question.ranked.isEmpty { body += "<h3>Found</h3>" + foundTable(question, run) }
        return "<details class=\"miss \(category)\"><summary>"
            + HTMLText.element("span class=\"text\"", question.question ?? question.id)
            + "<br><span class=\"soft\">\(HTMLText.escaped(question.category)) · \(HTMLText.escaped(question.id)) · "
            + "\(MetricName.recall(cutoff)) \(miss.recall.decimals(2))</span></summary><div>\(body)</div></details>"
    }

    private func evidenceTable(_ question: QuestionResult, _ run: RunReport) -> String {
        let places = Dictionary(
            question.ranked.enumerated().map { ($1.id, (rank: $0 + 1, score: $1.score)) },
            uniquingKeysWith: { first, _ in first })
        let rows = question.evidence.map { id in
            let place =
                places[id].map { "<td class=\"n good\">\($0.rank)</td><td class=\"n\">\($0.score.decimals(4))</td>" }
                ?? (question.found.contains(id)
                    ? "<td class=\"n\">beyond \(question.ranked.count)</td><td class=\"n\">–</td>"
                    : "<td class=\"n bad\">not found</td><td class=\"n\">–</td>")
            return "<tr>\(place)\(messageCells(id, run))</tr>"
        }
        return table(head: ["#Rank", "#Score", "Message", "Text"], rows: rows)
    }

    private func foundTable(_ question: QuestionResult, _ run: RunReport) -> String {
        let evidence = Set(question.evidence)
        let rows = question.ranked.enumerated().map { index, hit in
            let signals = (hit.signals ?? [:]).sorted { $0.key < $1.key }
                .map { "\(HTMLText.escaped($0.key)) \($0.value.decimals(3))" }.joined(separator: "<br>")
            let mark = evidence.contains(hit.id) ? " class=\"hit\"" : ""
            return "<tr\(mark)><td class=\"n\">\(index + 1)</td><td class=\"n\">\(hit.score.decimals(4))</td>"
                + messageCells(hit.id, run) + "<td class=\"n\">\(signals)</td></tr>"
        }
        return table(head: ["#Rank", "#Score", "Message", "Text", "#Signals"], rows: rows)
    }

    /// A message's id, sender and time, and its text if the run keeps it.
    private func messageCells(_ id: String, _ run: RunReport) -> String { HTMLText.messageCells(id, run.texts?[id]) }
}
