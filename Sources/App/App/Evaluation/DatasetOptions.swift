import ArgumentParser
import Assistant
import ChatCore
import Evaluation
import Foundation
import Retrieval

/// The options of every measurement on a dataset.
struct DatasetOptions: ParsableArguments {
    @Option(help: "A folder with conversations.jsonl, messages.jsonl and questions.jsonl.", completion: .directory)
    var dataset: String

    @Option(help: "Which messages are searched: conversation (that of the question) or all.")
    var scope = SearchSystem.Scope.conversation

    @Option(help: "Use the first questions only; for other tasks than search, the first conversations or cases.")
    var limit: Int?

    @Option(help: "The folder of embedded datasets; the default is ~/.cache/nexus/eval.", completion: .directory)
    var cache: String?

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more") }
    }

    /// Reads the dataset; evidence that names no message is reported and left out.
    func read() throws -> EvaluationDataset {
        let read = try EvaluationDataset(folder: URL(filePath: dataset), evidence: .lenient)
        if !read.unknownEvidence.isEmpty {
            Console.note("\(read.unknownEvidence.count) evidence ids name no message and are left out")
        }
        return read
    }

    /// Returns the questions, conversations or cases within the limit.
    func first<Element>(_ elements: [Element]) -> [Element] { Array(elements.prefix(limit ?? .max)) }

    /// Opens the dataset's data folder, filling it first when it is new, and closes it afterwards.
    func withFolder<Value>(
        of dataset: EvaluationDataset, settings: NexusSettings, _ body: (EvaluationFolder) async throws -> Value
    ) async throws -> Value {
        let progress = SharedProgress()
        let folder = try await EvaluationFolder(
            dataset, at: URL(filePath: self.dataset), cache: cacheFolder, settings: settings,
            logger: CommandLogging.logger(settings)
        ) { progress.show($0) }
        progress.close()
        do {
            let value = try await body(folder)
            await folder.node.close()
            return value
        } catch {
            await folder.node.close()
            throw error
        }
    }

    private var cacheFolder: URL {
        if let cache { return URL(filePath: cache, directoryHint: .isDirectory) }
        return FileManager.default.homeDirectoryForCurrentUser
            .appending(path: ".cache/nexus/eval", directoryHint: .isDirectory)
    }
}

extension SearchSystem.Scope: ExpressibleByArgument {}

/// The search as a system that can be measured.
struct SearchSystem: EvaluatedSystem {
    /// Which messages are searched.
    enum Scope: String, CaseIterable, Sendable {
        /// The messages of the question's conversation.
        case conversation
        /// All messages that the asker may see.
        case all
    }

    let searcher: any MessageSearching
    let scope: Scope

    /// Ranks messages; see ``EvaluatedSystem/rank(_:limit:)``.
    func rank(_ question: EvaluationQuestion, limit: Int) async throws -> RankedList {
        let result = try await searcher.search(
            SearchRequest(
                question: question.question,
                scope: SearchScope(
                    asker: question.askerID ?? EvaluationQuestion.defaultAskerID,
                    conversations: scope == .all ? .all : .only([question.conversationID])),
                // Later messages did not exist when it was asked.
                filter: SearchFilter(to: question.askedAt),
                limit: min(limit, SearchRequest.limitRange.upperBound), askedAt: question.askedAt, explains: true))
        let falls = zip(result.hits, result.hits.dropFirst()).allSatisfy { $0.score >= $1.score }
        return RankedList(
            hits: result.hits.map { hit in
                // A reranker's order does not follow from the scores of the fusion.
                RankedHit(
                    key: hit.message.key, score: falls ? hit.score : 1 / Double(hit.rank),
                    signals: hit.explanation?.contributions ?? [:], duplicates: hit.duplicates)
            }, latencies: result.trace.durations, confidence: result.confidence)
    }
}

extension Answer {
    /// The cited messages; one that stands for evidence counts as this evidence.
    func cited(among evidence: [MessageKey]) -> [MessageKey] {
        let hits = Dictionary(sources.map { ($0.hit.message.key, $0.hit) }, uniquingKeysWith: { first, _ in first })
        return citations.map(\.messageKey).flatMap { key in
            let found = ([key] + (hits[key]?.duplicates ?? [])).filter(evidence.contains)
            return found.isEmpty ? [key] : found
        }
    }
}

extension HitExplanation {
    /// The contribution of each signal by name.
    fileprivate var contributions: [String: Double] {
        Dictionary(signals.map { ($0.name, $0.contribution) }, uniquingKeysWith: +)
    }
}

extension RetrievalSettings {
    /// Returns the settings as a report keeps them.
    func runConfiguration(_ scope: SearchSystem.Scope) throws -> RunConfiguration {
        RunConfiguration(
            value: try JSONDecoder().decode(JSONValue.self, from: encoded()), hash: fingerprint, scope: scope.rawValue)
    }
}
