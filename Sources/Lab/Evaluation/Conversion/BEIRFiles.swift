import ChatCore
import Foundation

/// A BEIR data set (https://github.com/beir-cellar/beir): `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`.
struct BEIRFiles {
    private struct Document: Decodable {
        private enum CodingKeys: String, CodingKey {
            case id = "_id"
            case title, text
        }

        var id: String
        var title: String?
        var text: String
    }

    private let corpus: URL
    private let queries: URL
    private let qrels: URL

    /// Documents have no times; at this distance the search does not treat them as neighbours.
    private static let hoursApart = 7

    /// Takes a folder, or the three files in any order.
    ///
    /// - Throws: ``EvaluationError/invalidFile(file:reason:)`` when one of the three is missing.
    init(_ files: [URL]) throws {
        if files.count == 1, files[0].pathExtension.isEmpty {
            corpus = files[0].appending(path: "corpus.jsonl")
            queries = files[0].appending(path: "queries.jsonl")
            qrels = files[0].appending(path: "qrels/test.tsv")
            return
        }
        func file(_ kind: String, where matches: (URL) -> Bool) throws -> URL {
            let found = files.filter(matches)
            guard found.count == 1 else {
                throw EvaluationError.invalidFile(
                    file: files[0].lastPathComponent, reason: "needs one file for the \(kind), not \(found.count)")
            }
            return found[0]
        }
        corpus = try file("corpus") { $0.pathExtension == "jsonl" && $0.lastPathComponent.hasPrefix("corpus") }
        queries = try file("queries") { $0.pathExtension == "jsonl" && $0.lastPathComponent.hasPrefix("queries") }
        qrels = try file("qrels") { $0.pathExtension == "tsv" }
    }

    /// Adds the corpus as one conversation, each document a message, and the queries that the qrels judge.
    func add(to builder: inout DatasetBuilder) throws {
        let conversation: ConversationID = "beir"
        let people = try builder.addConversation(conversation, people: ["Corpus"], file: corpus.lastPathComponent)
        for (index, entry) in try JSONLines.read(Document.self, from: corpus).enumerated() {
            let document = entry.record
            let title = document.title ?? ""
            try builder.addMessage(
                document.id, to: conversation, sender: people["Corpus"] ?? "", senderName: "Corpus",
                text: title.isEmpty ? document.text : "\(title)\n\(document.text)",
                at: Timestamp(milliseconds: 0) + .seconds(3_600 * Self.hoursApart * index),
                file: corpus.lastPathComponent)
        }
        let grades = try readGrades()
        for (_, query) in try JSONLines.read(Document.self, from: queries) {
            guard let relevant = grades[query.id]?.filter({ $0.grade > 0 }) else { continue }
            builder.addQuestion(
                DatasetBuilder.Question(
                    id: query.id, conversationID: conversation, text: query.text, answer: nil,
                    evidence: relevant.map(\.document), grades: relevant.map(\.grade), category: "beir"))
        }
    }

    /// Reads `query-id <tab> corpus-id <tab> score` lines after the header.
    private func readGrades() throws -> [String: [(document: String, grade: Int)]] {
        guard let text = try? String(contentsOf: qrels, encoding: .utf8) else {
            throw EvaluationError.unreadable(file: qrels.path)
        }
        var grades: [String: [(document: String, grade: Int)]] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if index == 0, fields.first == "query-id" { continue }
            guard fields.count == 3, let grade = Int(fields[2]) else {
                throw EvaluationError.invalidLine(
                    file: qrels.lastPathComponent, line: index + 1, reason: "a line is: query, document and grade")
            }
            grades[fields[0], default: []].append((fields[1], grade))
        }
        return grades
    }
}
