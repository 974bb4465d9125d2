import ChatCore
import Crypto
package import Foundation
import TextAnalysis

extension EvaluationDataset {
    /// How evidence that names no message is treated.
    package enum EvidencePolicy: Sendable {
        /// It is an error.
        case strict
        /// It is left out and listed in ``EvaluationDataset/unknownEvidence``.
        case lenient
    }

    /// Reads a folder with `conversations.jsonl`, `messages.jsonl` and `questions.jsonl`.
    ///
    /// - Throws: ``EvaluationError`` with the file and line of the first fault.
    package init(folder: URL, evidence policy: EvidencePolicy = .strict) throws {
        func file(_ name: String) -> URL { folder.appending(path: "\(name).jsonl") }
        let conversations = try JSONLines.records(
            EvaluationConversation.self, from: file("conversations"), id: \.id.rawValue)
        let known = Set(conversations.map(\.id))
        let messages = try JSONLines.records(
            EvaluationMessage.self, from: file("messages"), id: { "\($0.conversationID)/\($0.id)" },
            fault: { known.contains($0.conversationID) ? nil : "no conversation has the id \($0.conversationID)" })
        let lines = try JSONLines.records(
            QuestionLine.self, from: file("questions"), id: \.id,
            fault: { known.contains($0.conversationID) ? nil : "no conversation has the id \($0.conversationID)" })
        let resolver = EvidenceResolver(messages: messages)
        let resolved = lines.map(resolver.question(from:))
        let unknown = resolved.flatMap(\.unknown)
        guard policy == .lenient || unknown.isEmpty else {
            throw EvaluationError.unknownEvidence(count: unknown.count, first: Array(unknown.prefix(10)))
        }
        self.init(
            name: folder.standardizedFileURL.lastPathComponent, conversations: conversations, messages: messages,
            questions: resolved.map(\.question), unknownEvidence: unknown)
    }

    /// Writes the three files into a folder, which is made when it does not exist.
    ///
    /// - Throws: An error of the file system.
    package func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONLines.encode(conversations).write(to: folder.appending(path: "conversations.jsonl"))
        try JSONLines.encode(messages).write(to: folder.appending(path: "messages.jsonl"))
        try JSONLines.encode(questionLines).write(to: folder.appending(path: "questions.jsonl"))
    }

    /// Returns the SHA-256 of all records in hexadecimal; they are hashed as JSON with sorted keys, ordered by id.
    ///
    /// Runs on two folders can be compared exactly if the hashes are equal. The order of lines does not matter, nor do
    /// fields that are ignored.
    ///
    /// - Throws: An encoding error, which these records do not cause.
    package func contentHash() throws -> String {
        var hash = SHA256()
        hash.update(data: try JSONLines.encode(conversations.sorted { $0.id < $1.id }))
        hash.update(data: Data([0]))
        hash.update(data: try JSONLines.encode(messages.sorted { $0.key < $1.key }))
        hash.update(data: Data([0]))
        hash.update(data: try JSONLines.encode(questionLines.sorted { $0.id < $1.id }))
        return hash.finalize().hexadecimal
    }

    /// Returns the name of a folder that holds the dataset with its vectors.
    ///
    /// - Parameter embedder: The name of the embedder; characters that do not suit a file name are replaced.
    /// - Returns: A name that changes with the content, the embedder and the preparation of passages.
    /// - Throws: An encoding error, which these records do not cause.
    package func cacheName(embedder: String) throws -> String {
        let safe = embedder.map { $0.isLetter || $0.isNumber || "-._".contains($0) ? $0 : "_" }
        return try "\(contentHash().prefix(16))-\(String(safe))-\(PassagePreparation.version)"
    }

    /// The questions as lines; evidence names its conversation only if the id alone means another message.
    private var questionLines: [QuestionLine] {
        let resolver = EvidenceResolver(messages: messages)
        func reference(to key: MessageKey, in conversation: ConversationID) -> QuestionLine.Reference {
            let short = QuestionLine.Reference.id(key.messageID)
            return resolver.place(of: short, in: conversation) == key ? short : .key(key)
        }
        return questions.map { question in
            let home = question.conversationID
            return QuestionLine(
                id: question.id, conversationID: home, question: question.question,
                answer: question.answer.map(LooseText.init),
                evidence: question.evidence.map { reference(to: $0, in: home) },
                evidenceGrades: question.grades.isEmpty ? nil : question.grades, category: question.category,
                askerID: question.askerID, askedAt: question.askedAt,
                hiddenEvidence: question.hiddenEvidence.isEmpty
                    ? nil : question.hiddenEvidence.map { reference(to: $0, in: home) })
        }
    }
}

extension SHA256Digest {
    /// The digest in lower-case hexadecimal.
    var hexadecimal: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// A folder that exists only while something is measured.
package enum TemporaryFolder {
    /// Runs `body` with a path at which nothing exists, and deletes what is there afterwards.
    ///
    /// - Parameter body: Makes the folder and works in it.
    /// - Returns: The value that `body` returns.
    /// - Throws: What `body` throws.
    package static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "nexus-eval-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
