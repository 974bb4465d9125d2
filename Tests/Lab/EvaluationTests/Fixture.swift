import ChatCore
import Evaluation
import Foundation

/// Files beside these tests.
enum Fixture {
    static func url(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures").appending(path: path)
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: url(path), encoding: .utf8)
    }

    /// Runs `body` with an empty folder that is gone afterwards.
    @discardableResult static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "evaluation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Writes the three files of a dataset.
    static func write(
        conversations: String = #"{"id":"c1","participants":[{"id":"ada","name":"Ada"}]}"#,
        messages: String, questions: String, to folder: URL
    ) throws {
        let files = ["conversations": conversations, "messages": messages, "questions": questions]
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: "\(name).jsonl"))
        }
    }

    static func message(_ id: String, in conversation: String = "c1", seq: Int = 0, text: String = "hi") -> String {
        #"{"id":"\#(id)","conversationId":"\#(conversation)","seq":\#(seq),"senderId":"ada","senderName":"Ada","#
            + #""text":"\#(text)","timestamp":"2026-01-02T03:04:05Z"}"#
    }
}

extension MessageKey {
    init(_ conversation: String, _ message: String) {
        self.init(conversationID: ConversationID(rawValue: conversation), messageID: MessageID(rawValue: message))
    }
}

/// A dataset of one conversation `c` with messages `m1`, `m2`, …, and the questions given.
func smallDataset(messages count: Int, questions: [EvaluationQuestion], text: String = "words") -> EvaluationDataset {
    EvaluationDataset(
        name: "small",
        conversations: [EvaluationConversation(id: "c", participants: [.init(id: "ada", name: "Ada")])],
        messages: (1...count).map {
            EvaluationMessage(
                id: MessageID(rawValue: "m\($0)"), conversationID: "c", seq: $0 - 1, senderID: "ada", senderName: "Ada",
                text: "\(text) \($0)", timestamp: Timestamp(milliseconds: Int64($0) * 1000))
        }, questions: questions)
}

func question(_ id: String, _ evidence: [String], _ category: String = "plain", answer: String? = nil)
    -> EvaluationQuestion
{
    EvaluationQuestion(
        id: id, conversationID: "c", question: "What of \(id)?", answer: answer,
        evidence: evidence.map { MessageKey("c", $0) }, category: category)
}
