import ChatCore

/// The turns of LoCoMo's and REALTALK's chats: keys `session_1`, `session_1_date_time` and so on.
struct SessionTranscript: Decodable {
    /// One message.
    struct Turn: Decodable {
        private enum CodingKeys: String, CodingKey {
            case id = "dia_id"
            case speaker, text
            case cleanText = "clean_text"
            case caption = "blip_caption"
            case dateTime = "date_time"
        }

        var id: String
        var speaker: String
        var text: String?
        var cleanText: String?
        var caption: String?
        var dateTime: String?

        /// The words with the picture's caption in brackets.
        var searchableText: String {
            let words = cleanText ?? text ?? ""
            guard let caption, !caption.isEmpty else { return words }
            return words.isEmpty ? "[\(caption)]" : "\(words) [\(caption)]"
        }
    }

    /// The turns of each session with its date, in the sessions' order.
    var sessions: [(date: String?, turns: [Turn])] = []

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let numbers = container.allKeys.compactMap { key in
            key.stringValue.hasPrefix("session_") ? Int(key.stringValue.dropFirst("session_".count)) : nil
        }
        for number in numbers.sorted() {
            let turns = try container.decode([Turn].self, forKey: Key(stringValue: "session_\(number)"))
            let date = try container.decodeIfPresent(
                String.self, forKey: Key(stringValue: "session_\(number)_date_time"))
            sessions.append((date, turns))
        }
    }

    /// All speakers, in order of their first turn.
    var speakers: [String] {
        var seen: Set<String> = []
        return sessions.flatMap(\.turns).map(\.speaker).filter { seen.insert($0).inserted }
    }
}

/// A question as LoCoMo and REALTALK write it.
struct TranscriptQuestion: Decodable {
    private enum CodingKeys: String, CodingKey {
        case question, answer, evidence, category
        case adversarialAnswer = "adversarial_answer"
    }

    var question: String
    var answer: LooseText?
    var adversarialAnswer: LooseText?
    var evidence: [String]
    var category: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        question = try container.decode(String.self, forKey: .question)
        answer = try container.decodeIfPresent(LooseText.self, forKey: .answer)
        adversarialAnswer = try container.decodeIfPresent(LooseText.self, forKey: .adversarialAnswer)
        category = try container.decode(Int.self, forKey: .category)
        // Some files have a bare text instead of a list of one.
        if let list = try? container.decode([String].self, forKey: .evidence) {
            evidence = list
        } else {
            evidence = try container.decodeIfPresent(String.self, forKey: .evidence).map { [$0] } ?? []
        }
    }

    /// The category's name; both data sets use the same numbers.
    var categoryName: String {
        switch category {
        case 1: "multi-hop"
        case 2: "temporal"
        case 3: "open-domain"
        case 4: "single-hop"
        case 5: EvaluationQuestion.adversarialCategory
        default: "category-\(category)"
        }
    }
}

/// Ids of turns in the evidence of LoCoMo and REALTALK: `D1:3`, several in one text, ranges as `D1:3-5` or `D1:3-D1:5`.
enum TurnReference {
    /// The longest range that is accepted.
    private static let rangeLimit = 200

    /// Returns the ids in a text, without leading zeros; empty when it names none.
    static func ids(in text: String) -> [String] {
        var ids: [String] = []
        var last: (session: Int, turn: Int)?
        for match in text.matches(of: /(?:([-–—])\s*)?(?:D(\d+):(\d+)|(\d+))/) {
            let isRange = match.1 != nil
            if let session = match.2.flatMap({ Int($0) }), let turn = match.3.flatMap({ Int($0) }) {
                let start = isRange && last?.session == session ? last.map { $0.turn.addingClamped(1) } ?? turn : turn
                ids += span(session, start, turn)  // bounded: a list
                last = (session, turn)
            } else if isRange, let end = match.4.flatMap({ Int($0) }), let before = last {
                ids += span(before.session, before.turn.addingClamped(1), end)
                last = (before.session, end)
            }
        }
        return ids
    }

    private static func span(_ session: Int, _ start: Int, _ end: Int) -> [String] {
        start <= end && end - start < rangeLimit ? (start...end).map { "D\(session):\($0)" } : ["D\(session):\(end)"]
    }
}
