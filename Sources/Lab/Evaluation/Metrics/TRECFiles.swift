/// The relevance of documents to queries, as a TREC qrels file holds it: `query 0 document grade`.
package struct TRECQrels: Hashable, Sendable {
    /// Grades by query and document; names are written as in the file.
    package var grades: [String: [String: Int]]

    package init(grades: [String: [String: Int]]) {
        self.grades = grades
    }

    /// Takes the evidence of the answerable questions, on which the headline figures are based.
    package init(_ dataset: EvaluationDataset) {
        self.init(dataset, of: dataset.questions)
    }

    /// Takes the evidence of the answerable questions among some of a dataset.
    init(_ dataset: EvaluationDataset, of questions: [EvaluationQuestion]) {
        grades = [:]
        for question in questions where question.isAnswerable {
            grades[TRECName.escaped(question.id)] = dataset.relevance(to: question)
        }
    }

    /// Reads a file's text.
    ///
    /// - Throws: ``EvaluationError/invalidLine(file:line:reason:)``, ``EvaluationError/duplicate(file:line:id:)``.
    package init(text: String, file: String = "qrels") throws {
        grades = [:]
        for (line, fields) in TRECLines.fields(of: text) {
            guard fields.count == 4, let grade = Int(fields[3]) else {
                throw EvaluationError.invalidLine(
                    file: file, line: line, reason: "a line is: query 0 document grade")
            }
            guard grades[fields[0], default: [:]].updateValue(grade, forKey: fields[2]) == nil else {
                throw EvaluationError.duplicate(file: file, line: line, id: fields[2])
            }
        }
    }

    /// The file's text, by query and document.
    package var text: String {
        var text = ""
        for (query, documents) in grades.sorted(by: { $0.key < $1.key }) {
            for (document, grade) in documents.sorted(by: { $0.key < $1.key }) {
                text += "\(query) 0 \(document) \(grade)\n"
            }
        }
        return text
    }
}

/// The rankings of a system, as a TREC run file holds them: `query Q0 document rank score tag`.
package struct TRECRun: Hashable, Sendable {
    /// One document in a ranking.
    package struct Entry: Hashable, Sendable {
        /// Its name.
        package var document: String
        /// Higher is better.
        package var score: Double

        package init(document: String, score: Double) {
            self.document = document
            self.score = score
        }
    }

    /// Entries by query, in trec_eval's order: see ``RankingOrder``.
    package private(set) var rankings: [String: [Entry]]

    /// Takes entries by query in any order.
    package init(rankings: [String: [Entry]]) {
        self.rankings = rankings.mapValues { entries in
            entries.sorted { RankingOrder.precedes(($0.document, $0.score), ($1.document, $1.score)) }
        }
    }

    /// Takes entries by query so that every tool reads the same rankings.
    ///
    /// Tools disagree on the order of equal scores, and some leave out queries without entries. So an entry with the
    /// score of the one before gets the next lower score in single precision, and a query without entries gets one that
    /// names no document.
    init(comparable rankings: [String: [Entry]]) {
        self.init(rankings: rankings)
        for (query, entries) in self.rankings {
            var last = Float.infinity
            let distinct = entries.map { entry in
                let score = Float(entry.score) < last ? entry.score : Double(last.nextDown)
                last = Float(score)
                return Entry(document: entry.document, score: score)
            }
            self.rankings[query] = distinct.isEmpty ? [Entry(document: TRECName.escaped(""), score: 0)] : distinct
        }
    }

    /// Reads a file's text; ranks are ignored, as trec_eval does.
    ///
    /// - Throws: ``EvaluationError/invalidLine(file:line:reason:)``, ``EvaluationError/duplicate(file:line:id:)``.
    package init(text: String, file: String = "run") throws {
        var rankings: [String: [Entry]] = [:]
        var seen: Set<[String]> = []
        for (line, fields) in TRECLines.fields(of: text) {
            guard fields.count == 6, let score = Double(fields[4]), score.isFinite else {
                throw EvaluationError.invalidLine(
                    file: file, line: line, reason: "a line is: query Q0 document rank score tag")
            }
            guard seen.insert([fields[0], fields[2]]).inserted else {
                throw EvaluationError.duplicate(file: file, line: line, id: fields[2])
            }
            rankings[fields[0], default: []].append(Entry(document: fields[2], score: score))
        }
        self.init(rankings: rankings)
    }

    /// Returns the file's text, by query and rank.
    ///
    /// - Parameter tag: The name of the run, the last column.
    /// - Returns: One line for each entry.
    package func text(tag: String) -> String {
        var text = ""
        let tag = TRECName.escaped(tag)
        for (query, entries) in rankings.sorted(by: { $0.key < $1.key }) {
            for (index, entry) in entries.enumerated() {
                text += "\(query) Q0 \(entry.document) \(index + 1) \(entry.score) \(tag)\n"
            }
        }
        return text
    }

    /// Measures the run; a query of the qrels that is missing here counts as 0 (trec_eval's `-c`).
    package func measured(
        against qrels: TRECQrels, cutoffs: [Int]
    ) -> (summary: MetricSummary, queries: [String: [String: Double]]) {
        var queries: [String: [String: Double]] = [:]
        for (query, relevant) in qrels.grades {
            queries[query] = RankingMetrics.values(
                ranked: rankings[query, default: []].map(\.document), relevant: relevant, cutoffs: cutoffs)
        }
        return (MetricSummary(queries.sorted { $0.key < $1.key }.map(\.value)), queries)
    }
}

/// Cuts TREC files into lines and fields.
private enum TRECLines {
    /// Returns the fields of each line that is not blank, with its number from 1.
    static func fields(of text: String) -> [(line: Int, fields: [String])] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
            index, line in
            // By bytes: a blank before a combining mark is one character with it.
            let fields = line.utf8.split { $0 == 0x20 || $0 == 0x09 }.map { String(Substring($0)) }
            return fields.isEmpty ? nil : (index + 1, fields)
        }
    }
}

extension EvaluationDataset {
    /// The grades of a question's evidence by document name.
    func relevance(to question: EvaluationQuestion) -> [String: Int] {
        var grades: [String: Int] = [:]
        for (index, key) in question.evidence.enumerated() {
            grades[documentName(of: key)] = question.grades.isEmpty ? 1 : question.grades[index]
        }
        return grades
    }
}
