import Assistant
import CBLAS
import ChatCore
import Foundation
import HTTPAPI
import Ingest
import MessageStore
import ModelClients
import Retrieval
import SentenceEncoder
import Synchronization
import UseCases

extension Workspace {
    /// Reports the state of the data folder.
    func status(isServed: Bool = false) async throws -> WorkspaceStatus {
        try await index.follow()
        let reports = try await embeddingReports()
        var shown: [WorkspaceStatus.Generation] = []
        for generation in try await store.generations() {
            guard let report = reports.first(where: { $0.generation == generation.number.rawValue }) else { continue }
            let oldest = try await store.oldestWaiting(of: generation.number)
            shown.append(
                WorkspaceStatus.Generation(
                    number: generation.number.rawValue, state: generation.state,
                    provider: generation.space.provider, model: generation.space.model,
                    dimensions: generation.space.dimensions, queue: QueueStatus(report.coverage, oldestPending: oldest),
                    failures: report.failures, report: report))
        }
        return WorkspaceStatus(
            dataFolder: settings.dataFolder.path, isServed: isServed, address: address.withLock { $0 },
            generations: shown,
            searchablePassages: index.passageCount, embeddingTrouble: worker.serviceTrouble?.code,
            notes: try await generations.unusable() + notes())
    }

    /// Notes and advice for the operator.
    func notes() async throws -> [String] {
        var notes: [String] = []
        if let trouble = store.storageTrouble {
            notes.append(
                "nothing can be stored, but stored messages are served: \(ErrorText.line(for: trouble.error))")
        }
        let generations = try await store.generations()
        if let serving = generations.last(where: { $0.state == .serving && $0.space.isUsable }),
            !embedders.isConfigured(serving),
            !generations.contains(where: { $0.state == .filling && embedders.isConfigured($0) })
        {
            let standby = generations.last { $0.state == .standby && embedders.isConfigured($0) }
            notes.append(
                "the configured embedder is not the one that serves (\(serving.space.model)); "
                    + (standby.map { "nexus generations switch \($0.number.rawValue) switches to it" }
                        ?? "nexus reembed switches to it"))
        }
        for (part, error) in serviceTroubles {
            let effect =
                switch part {
                case "embedding": "embedding does not work; messages are found by their words"
                case "model": "the language model does not work; questions are answered by chat.fallback"
                default: "reranking does not work; the order of the search is used"
                }
            notes.append("\(effect): \(ErrorText.line(for: error))")
        }
        if worker.isBacklogCapped {
            notes.append(
                "the day's tokens are used up (embedding.daily-token-cap): the backlog waits for the next day (UTC); "
                    + "new messages are still embedded")
        }
        if settings.authentication?.takesTokensOfAnyIssuer == true {
            notes.append(
                "auth.secret-file without auth.issuer and auth.audience: every token that is signed with this secret "
                    + "is accepted, even one that was made for another service: set both")
        }
        return notes
    }

    /// Looks for problems.
    func examine() async -> [Finding] {
        var findings = [blasFinding(), modelFinding()]
        findings.append(await storeFinding())
        findings += await dataFindings()
        for line in (try? await generations.unusable()) ?? [] {
            findings.append(Finding(subject: "generations", verdict: .bad, detail: line))
        }
        findings.append(await embedderFinding())
        findings.append(await chatFinding())
        if let finding = await rerankFinding() { findings.append(finding) }
        for note in (try? await notes()) ?? [] {
            findings.append(Finding(subject: "note", verdict: .warning, detail: note))
        }
        return findings
    }

    private func blasFinding() -> Finding {
        guard nexus_blas_is_loaded() == 1 else {
            return Finding(subject: "BLAS", verdict: .bad, detail: "none found; install libopenblas0-pthread")
        }
        guard let description = nexus_blas_description().map({ String(cString: $0) }) else {
            return Finding(
                subject: "BLAS", verdict: .warning, detail: "the reference BLAS: slow; install libopenblas0-pthread")
        }
        let isOldKernel = ["Prescott", "Core2", "Nehalem", "Sandybridge"].contains { description.contains($0) }
        return Finding(
            subject: "BLAS", verdict: isOldKernel ? .warning : .good,
            detail: isOldKernel ? "\(description): kernels for an old processor; see OPENBLAS_CORETYPE" : description)
    }

    private func modelFinding() -> Finding {
        do {
            try ModelFiles.standard.verify(folder: settings.encoderFolder)
            return Finding(subject: "sentence model", verdict: .good, detail: settings.encoderFolder.path)
        } catch {
            let isNeeded = settings.embedding.service == nil
            return Finding(
                subject: "sentence model", verdict: isNeeded ? .bad : .warning, detail: ErrorText.line(for: error))
        }
    }

    private func storeFinding() async -> Finding {
        do {
            let report = try await store.checkIntegrity()
            return Finding(
                subject: "database", verdict: report.isSound ? .good : .bad,
                detail: "\(report.isSound ? "sound" : "damaged: restore a backup"), "
                    + (store.isShared
                        ? "PostgreSQL \(report.engineVersion)"
                        : "SQLite \(report.engineVersion)" + Self.remark(onSQLite: report.engineVersion)))
        } catch {
            return Finding(subject: "database", verdict: .bad, detail: ErrorText.line(for: error))
        }
    }

    /// Asks the language model's service for its models, then for one token.
    private func chatFinding() async -> Finding {
        let subject = "answers"
        guard let model, let service = settings.chat?.service else {
            return Finding(subject: subject, verdict: .good, detail: "extractive, no language model is configured")
        }
        let place = "\(service.model) at \(service.baseURL)"
        do {
            let names = try await ServiceModels.names(
                at: ServiceAddress(baseURL: service.baseURL, key: service.key), transport: transport)
            let start = ContinuousClock.now
            try await withTimeLimit(Self.doctorsPatience) { try await GuardedModel.probe(model.base) }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            // Ollama lists "llama3:latest" and takes "llama3".
            let isListed = names?.contains { $0 == service.model || $0.hasPrefix(service.model + ":") } ?? true
            return Finding(
                subject: subject, verdict: isListed ? .good : .warning,
                detail: "\(place) answers (\(String(format: "%.1f", seconds)) s)"
                    + (isListed ? "" : ", but the service does not list this model"))
        } catch is TimeLimitExceeded {
            return Finding(subject: subject, verdict: .bad, detail: "\(place): no answer in time")
        } catch {
            return Finding(subject: subject, verdict: .bad, detail: "\(place): \(ErrorText.line(for: error))")
        }
    }

    /// Asks the reranking service for one score; nil when none is configured.
    private func rerankFinding() async -> Finding? {
        guard let reranker, let service = settings.rerank?.service else { return nil }
        let place = "\(service.model) at \(service.baseURL)"
        do {
            _ = try await reranker.base.scores(of: ["hello"], for: "hello")
            return Finding(subject: "reranking", verdict: .good, detail: "\(place) answers")
        } catch {
            return Finding(subject: "reranking", verdict: .bad, detail: "\(place): \(ErrorText.line(for: error))")
        }
    }

    private static let doctorsPatience = Duration.seconds(60)

    private func embedderFinding() async -> Finding {
        let subject = "embeddings"
        do {
            let space = try await embedders.configured.space()
            _ = try await embedders.configured.embedQuery("hello")
            return Finding(
                subject: subject, verdict: .good,
                detail: "\(space.provider) \(space.model), \(space.dimensions) dimensions")
        } catch {
            return Finding(subject: subject, verdict: .bad, detail: ErrorText.line(for: error))
        }
    }
}
