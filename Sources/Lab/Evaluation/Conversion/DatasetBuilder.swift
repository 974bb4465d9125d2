import ChatCore
import Foundation

/// Collects conversations, messages and questions while files are converted.
struct DatasetBuilder {
    /// A question whose evidence is not resolved yet.
    struct Question {
        var id: String
        var conversationID: ConversationID
        var text: String
        var answer: String?
        var evidence: [String]
        var grades: [Int] = []
        var category: String
        var askedAt: Timestamp?
        /// Whether it is known to have no answer; other questions without evidence are left out.
        var isUnanswerable = false
    }

    private let name: String
    private var conversations: [EvaluationConversation] = []
    private var messages: [EvaluationMessage] = []
    private var questions: [Question] = []
    private var messageIDs: [ConversationID: Set<String>] = [:]
    private(set) var droppedEvidence = 0

    init(name: String) {
        self.name = name
    }

    /// Adds a conversation between people of these names, each once.
    ///
    /// - Returns: The ids of the people by name.
    mutating func addConversation(_ id: ConversationID, people names: [String], file: String) throws -> [String: UserID]
    {
        guard messageIDs.updateValue([], forKey: id) == nil else {
            throw EvaluationError.invalidFile(file: file, reason: "the conversation \(id) appears twice")
        }
        var people: [String: UserID] = [:]
        var taken: Set<String> = []
        var participants: [EvaluationConversation.Participant] = []
        for name in names where people[name] == nil {
            var slug = "\(id)-\(Self.slug(name))"
            while !taken.insert(slug).inserted { slug += "-" }
            people[name] = UserID(rawValue: slug)
            participants.append(.init(id: UserID(rawValue: slug), name: name))
        }
        conversations.append(EvaluationConversation(id: id, participants: participants))
        return people
    }

    /// Adds a message to a conversation that was added; messages keep the order of the calls.
    mutating func addMessage(
        _ id: String, to conversation: ConversationID, sender: UserID, senderName: String, text: String,
        at moment: Timestamp,
        file: String
    ) throws {
        guard let messageID = MessageID(validating: id), let known = messageIDs[conversation] else {
            throw EvaluationError.invalidFile(file: file, reason: "an id is empty, too long or has control characters")
        }
        guard !known.contains(id) else {
            throw EvaluationError.invalidFile(file: file, reason: "the message \(id) appears twice")
        }
        messageIDs[conversation, default: []].insert(id)
        messages.append(
            EvaluationMessage(
                id: messageID, conversationID: conversation, seq: known.count, senderID: sender, senderName: senderName,
                text: text, timestamp: moment))
    }

    /// Whether a conversation has a message.
    func hasMessage(_ id: String, in conversation: ConversationID) -> Bool {
        messageIDs[conversation]?.contains(id) == true
    }

    /// Adds a question; evidence that names no message of its conversation is dropped and counted.
    mutating func addQuestion(_ question: Question) {
        questions.append(question)
    }

    /// Counts evidence that is not an id.
    mutating func dropEvidence(_ count: Int) {
        droppedEvidence += count
    }

    /// Returns the dataset, with notes on what was left out.
    func converted() throws -> ConvertedDataset {
        var dropped = droppedEvidence
        var withoutEvidence = 0
        var converted: [EvaluationQuestion] = []
        for question in questions {
            let kept = question.evidence.indices.filter {
                hasMessage(question.evidence[$0], in: question.conversationID)
            }
            dropped += question.evidence.count - kept.count
            guard !kept.isEmpty || question.isUnanswerable else {
                withoutEvidence += 1
                continue
            }
            converted.append(self.question(question, kept: kept))
        }
        let notes = [
            dropped == 0 ? nil : "\(dropped) evidence entries name no message and were left out",
            withoutEvidence == 0 ? nil : "\(withoutEvidence) questions have no evidence and were left out",
        ].compactMap(\.self)
        return ConvertedDataset(
            dataset: EvaluationDataset(
                name: name, conversations: conversations, messages: messages, questions: converted), notes: notes)
    }

    private func question(_ question: Question, kept: [Int]) -> EvaluationQuestion {
        var result = EvaluationQuestion(
            id: question.id, conversationID: question.conversationID, question: question.text, answer: question.answer,
            category: question.category, askedAt: question.askedAt)
        for index in kept {
            let key = MessageKey(
                conversationID: question.conversationID, messageID: MessageID(rawValue: question.evidence[index]))
            guard !result.evidence.contains(key) else { continue }
            result.evidence.append(key)
            if question.grades.indices.contains(index) { result.grades.append(question.grades[index]) }
        }
        if result.grades.allSatisfy({ $0 == 1 }) { result.grades = [] }
        return result
    }

    /// A name as part of an id: lower-case letters and digits, everything else a hyphen.
    static func slug(_ name: String) -> String {
        let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return parts.isEmpty ? "unnamed" : parts.joined(separator: "-")
    }

    /// Numbers questions as `conversation-q007`.
    static func questionID(_ conversation: ConversationID, _ index: Int) -> String {
        let digits = String(index)
        return "\(conversation)-q" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// Reads a file of one JSON value.
    static func decode<Value: Decodable>(_ type: Value.Type, from file: URL) throws -> Value {
        guard let data = try? Data(contentsOf: file) else {
            throw EvaluationError.unreadable(file: file.path)
        }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw EvaluationError.invalidFile(file: file.lastPathComponent, reason: error.fieldReason)
        }
    }
}

/// The dates of the public data sets; they have no zones and are read as UTC.
enum LooseDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads `1:56 pm on 8 May, 2023`, `2023/05/20 (Sat) 02:21`, `29.12.2023, 22:30:05` or ISO 8601; else nil.
    static func moment(in text: String) -> Timestamp? {
        if let moment = Timestamp(iso8601: text) { return moment }
        if let match = text.wholeMatch(of: /(\d{1,2}):(\d{2})\s*([aApP])[mM] on (\d{1,2}) ([A-Za-z]+),? (\d{4})/) {
            guard let month = months.firstIndex(of: String(match.5.lowercased().prefix(3))), let hour = Int(match.1),
                (1...12).contains(hour)
            else { return nil }
            let isAfternoon = match.3.lowercased() == "p"
            return moment(match.6, "\(month + 1)", match.4, "\(hour % 12 + (isAfternoon ? 12 : 0))", match.2, nil)
        }
        if let match = text.wholeMatch(of: /(\d{4})\/(\d{1,2})\/(\d{1,2})(?: \([A-Za-z]+\))? (\d{1,2}):(\d{2})/) {
            return moment(match.1, match.2, match.3, match.4, match.5, nil)
        }
        if let match = text.wholeMatch(of: /(\d{1,2})\.(\d{1,2})\.(\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))?/) {
            return moment(match.3, match.2, match.1, match.4, match.5, match.6)
        }
        return nil
    }

    private static func moment(
        _ year: some StringProtocol, _ month: some StringProtocol, _ day: some StringProtocol,
        _ hour: some StringProtocol, _ minute: some StringProtocol, _ second: Substring?
    ) -> Timestamp? {
        func two(_ digits: some StringProtocol) -> String { digits.count < 2 ? "0\(digits)" : String(digits) }
        let date = "\(year)-\(two(month))-\(two(day))"
        return Timestamp(iso8601: "\(date)T\(two(hour)):\(two(minute)):\(second.map(String.init) ?? "00")Z")
    }
}
