import ChatCore
import Foundation

/// QMSum (https://github.com/Yale-LILY/QMSum, MIT): meetings with queries whose evidence is spans of turns.
enum QMSumFile {
    private struct Meeting: Decodable {
        private enum CodingKeys: String, CodingKey {
            case turns = "meeting_transcripts"
            case queries = "specific_query_list"
        }

        struct Turn: Decodable {
            var speaker: String
            var content: String
        }

        struct Query: Decodable {
            private enum CodingKeys: String, CodingKey {
                case query, answer
                case spans = "relevant_text_span"
            }

            var query: String
            var answer: String
            var spans: [[LooseText]]
        }

        var turns: [Turn]
        var queries: [Query]
    }

    /// The time of the first turn of every meeting; the next ones are ten seconds apart, because the files have no times.
    private static let start = Timestamp(milliseconds: 1_578_304_800_000)

    /// Adds a file: `ES2002a.json` is the meeting `qmsum-ES2002a`, line 3 of `val.jsonl` is `qmsum-val-3`.
    ///
    /// Marks such as `{vocalsound}` are removed; a turn without other words is left out, with its evidence. Queries for
    /// a summary of the whole meeting have no spans and are left out.
    static func add(_ file: URL, to builder: inout DatasetBuilder) throws {
        let stem = file.deletingPathExtension().lastPathComponent
        if file.pathExtension == "jsonl" {
            for (line, meeting) in try JSONLines.read(Meeting.self, from: file) {
                try add(meeting, named: "\(stem)-\(line)", file: file.lastPathComponent, to: &builder)
            }
        } else {
            let meeting = try DatasetBuilder.decode(Meeting.self, from: file)
            try add(meeting, named: stem, file: file.lastPathComponent, to: &builder)
        }
    }

    private static func add(
        _ meeting: Meeting, named name: String, file: String, to builder: inout DatasetBuilder
    ) throws {
        let conversation = ConversationID(rawValue: "qmsum-\(name)")
        let people = try builder.addConversation(conversation, people: meeting.turns.map(\.speaker), file: file)
        for (index, turn) in meeting.turns.enumerated() {
            let text = turn.content.replacing(/\{[^{}]*\}/, with: " ").split(separator: " ").joined(separator: " ")
            guard !text.isEmpty else { continue }
            try builder.addMessage(
                "\(conversation)/\(index)", to: conversation, sender: people[turn.speaker] ?? "",
                senderName: turn.speaker, text: text, at: start + .seconds(10 * index), file: file)
        }
        for (index, query) in meeting.queries.enumerated() {
            let turns = try query.spans.flatMap { try self.turns(of: $0, in: meeting, file: file) }
            builder.addQuestion(
                DatasetBuilder.Question(
                    id: DatasetBuilder.questionID(conversation, index), conversationID: conversation, text: query.query,
                    answer: query.answer, evidence: turns.map { "\(conversation)/\($0)" }, category: domain(of: name)))
        }
    }

    /// The turns from the first to the last of a span, both included.
    private static func turns(of span: [LooseText], in meeting: Meeting, file: String) throws -> ClosedRange<Int> {
        let ends = span.compactMap { Int($0.text) }
        guard ends.count == 2, span.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[0] < meeting.turns.count else {
            throw EvaluationError.invalidFile(file: file, reason: "a span is not two turns of the meeting")
        }
        return ends[0]...min(ends[1], meeting.turns.count - 1)
    }

    /// Returns a meeting's subject by its corpus: ICSI is academic, AMI is about a product, parliaments are committees.
    private static func domain(of name: String) -> String {
        if name.wholeMatch(of: /B[a-z]{2}\d{3}/) != nil { return "academic" }
        if name.wholeMatch(of: /(ES|IS|TS)\d{4}[a-z]/) != nil { return "product" }
        if name.hasPrefix("covid") || name.hasPrefix("education") { return "committee" }
        return "meeting"
    }
}
