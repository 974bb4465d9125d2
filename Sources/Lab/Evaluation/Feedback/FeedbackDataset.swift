package import ChatCore
package import Foundation

/// A dataset made from askers' feedback on answers.
///
/// For a good answer, the cited messages are the evidence of the question. For a bad answer, or a good one without
/// citations, the evidence is unknown: the question is written to ``unlabelledFile``, so that a person can add the
/// evidence and move the line to `questions.jsonl`.
package struct FeedbackDataset: Sendable {
    /// The file with the questions that need a person.
    package static let unlabelledFile = "unlabelled.jsonl"

    /// A question for which a person must add the evidence.
    package struct Unlabelled: Hashable, Sendable, Codable {
        private enum CodingKeys: String, CodingKey {
            case id
            case conversationID = "conversationId"
            case question, evidence, category
            case askerID = "askerId"
            case askedAt, reason, shown
        }

        /// The id of the turn.
        package var id: String
        /// The conversation of most sources; nil without sources.
        package var conversationID: ConversationID?
        /// The text of the question.
        package var question: String
        /// Empty, so that a person can fill it in.
        package var evidence: [MessageKey]
        /// The rating.
        package var category: String
        /// The asker.
        package var askerID: UserID
        /// When it was asked.
        package var askedAt: Timestamp
        /// The reason for the rating, in the asker's words.
        package var reason: String?
        /// The messages that the language model saw.
        package var shown: [MessageKey]
    }

    /// A turn that its asker judged.
    package struct JudgedTurn: Sendable {
        /// The turn, whole, with its feedback.
        package var turn: Turn
        /// The question, so that it can be understood without the conversation.
        package var question: String
        /// The messages that the answer cites, each once.
        package var citedKeys: [MessageKey]
        /// The answer without its citations; nil if no language model wrote it.
        package var reference: String?

        package init(turn: Turn, question: String, citedKeys: [MessageKey], reference: String?) {
            self.turn = turn
            self.question = question
            self.citedKeys = citedKeys
            self.reference = reference
        }
    }

    /// The questions with evidence, and the conversations that hold it.
    package let dataset: EvaluationDataset
    /// The questions without.
    package let unlabelled: [Unlabelled]

    /// Makes a dataset of judged turns.
    ///
    /// - Parameters:
    ///   - turns: The judged turns; those without feedback are left out.
    ///   - rosters: The conversations that hold their sources.
    ///   - messages: All messages of those, in any order; deleted ones are left out.
    ///   - name: The dataset's name.
    package init(turns: [JudgedTurn], rosters: [ConversationRoster], messages: [Message], name: String) {
        var questions: [EvaluationQuestion] = []
        var unlabelled: [Unlabelled] = []
        var askers: [ConversationID: Set<UserID>] = [:]
        for judged in turns {
            let turn = judged.turn
            guard let feedback = turn.feedback else { continue }
            for key in turn.sourceKeys { askers[key.conversationID, default: []].insert(turn.askerID) }
            if feedback.rating == .up, let question = EvaluationQuestion(judged) {
                questions.append(question)
            } else {
                unlabelled.append(Unlabelled(judged, feedback))
            }
        }
        self.unlabelled = unlabelled
        dataset = EvaluationDataset(
            name: name,
            conversations: rosters.map { EvaluationConversation($0, askers: askers[$0.conversation.id] ?? []) },
            messages: Self.records(of: messages), questions: questions)
    }

    private static func records(of messages: [Message]) -> [EvaluationMessage] {
        let present = messages.filter { $0.deletedAt == nil }
        let places = Dictionary(grouping: present, by: \.key.conversationID).sorted { $0.key < $1.key }
        return places.flatMap { _, messages in
            messages.sorted { ($0.timestamp, $0.key.messageID) < ($1.timestamp, $1.key.messageID) }.enumerated().map {
                EvaluationMessage($0.element, seq: $0.offset)
            }
        }
    }

    /// Writes the files of the dataset, and ``unlabelledFile``, into a folder that is made for its owner alone.
    ///
    /// - Parameter folder: The folder; it must not hold a dataset.
    /// - Throws: ``EvaluationError/invalidFile(file:reason:)`` if there is a dataset already; errors of the file system.
    package func write(to folder: URL) throws {
        let name = "questions.jsonl"
        guard !FileManager.default.fileExists(atPath: folder.appending(path: name).path) else {
            throw EvaluationError.invalidFile(file: name, reason: "exists already: choose another folder")
        }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try JSONLines.encode(unlabelled).write(to: folder.appending(path: Self.unlabelledFile))
        try dataset.write(to: folder)
    }
}

extension Turn {
    /// The conversation of most of its sources; the first of those with equally many.
    fileprivate var mainConversation: ConversationID? {
        let counts = Dictionary(grouping: sourceKeys, by: \.conversationID).mapValues(\.count)
        return sourceKeys.map(\.conversationID).max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
    }
}

extension EvaluationQuestion {
    /// A question with a good answer; nil when the answer cites nothing.
    fileprivate init?(_ judged: FeedbackDataset.JudgedTurn) {
        guard let home = judged.citedKeys.first?.conversationID else { return nil }
        let turn = judged.turn
        self.init(
            id: turn.id.rawValue, conversationID: home, question: judged.question, answer: judged.reference,
            evidence: judged.citedKeys, category: TurnFeedback.Rating.up.rawValue, askerID: turn.askerID,
            askedAt: turn.askedAt)
    }
}

extension FeedbackDataset.Unlabelled {
    /// A question without evidence.
    fileprivate init(_ judged: FeedbackDataset.JudgedTurn, _ feedback: TurnFeedback) {
        let turn = judged.turn
        self.init(
            id: turn.id.rawValue, conversationID: turn.mainConversation, question: judged.question, evidence: [],
            category: feedback.rating.rawValue, askerID: turn.askerID, askedAt: turn.askedAt, reason: feedback.reason,
            shown: turn.sourceKeys)
    }
}

extension EvaluationConversation {
    /// A conversation with its present members and its askers, who may read an open one without being members.
    fileprivate init(_ roster: ConversationRoster, askers: Set<UserID>) {
        let members = roster.members.filter { $0.leftAt == nil }
        let others = askers.subtracting(members.map(\.userID)).sorted()
        self.init(
            id: roster.conversation.id,
            participants: members.map {
                Participant(id: $0.userID, name: $0.displayName, aliases: $0.aliases.isEmpty ? nil : $0.aliases)
            } + others.map { Participant(id: $0, name: $0.rawValue) }, name: roster.conversation.name,
            timeZone: roster.conversation.timeZone)
    }
}

extension EvaluationMessage {
    /// A message at its place in its conversation.
    fileprivate init(_ message: Message, seq: Int) {
        self.init(
            id: message.key.messageID, conversationID: message.key.conversationID, seq: seq,
            senderID: message.senderID, senderName: message.senderName, text: message.text,
            timestamp: message.timestamp)
        kind = message.kind
        threadRootID = message.threadRootID
        replyToID = message.replyToID
        editedAt = message.editedAt
        attachments = message.attachments.isEmpty ? nil : message.attachments
    }
}
