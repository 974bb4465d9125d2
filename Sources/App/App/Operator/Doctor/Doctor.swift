import Assistant
import CBLAS
import ChatCore
import Foundation
import MessageStore
import ModelClients
import Retrieval
import SentenceEncoder
import Transport
import UseCases

/// Looks for problems: libraries, model, database, indexes, services.
struct Doctor: Sendable {
    /// How long a language model may take for one token.
    private static let patience = Duration.seconds(60)

    let settings: NexusSettings
    let store: SQLStore
    let indexes: Indexes
    let models: ModelServices
    let transport: CurlTransport
    let status: NodeStatus

    /// Looks for problems.
    func examine() async -> [Finding] {
        var findings = [blasFinding(), modelFinding()]
        findings.append(await storeFinding())
        findings += await dataFindings()
        for line in (try? await status.generations.unusable()) ?? [] {
            findings.append(Finding(subject: "generations", verdict: .bad, detail: line))
        }
        findings.append(await embedderFinding())
        findings.append(await chatFinding())
        if let finding = await rerankFinding() { findings.append(finding) }
        for note in (try? await status.notes()) ?? [] {
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
            try settings.embedding.builtInModel.verify(folder: settings.encoderFolder)
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
                    + "\(report.engineName) \(report.engineVersion)" + (report.remark.map { ", \($0)" } ?? ""))
        } catch {
            return Finding(subject: "database", verdict: .bad, detail: ErrorText.line(for: error))
        }
    }

    /// Asks the language model's service for its models, then for one token.
    private func chatFinding() async -> Finding {
        let subject = "answers"
        guard let model = models.model, let service = settings.chat?.service else {
            return Finding(subject: subject, verdict: .good, detail: "extractive, no language model is configured")
        }
        let place = "\(service.model) at \(service.baseURL)"
        do {
            let names = try await ServiceModels.names(
                at: ServiceAddress(baseURL: service.baseURL, key: service.key), transport: transport)
            let start = ContinuousClock.now
            try await withTimeLimit(Self.patience) { try await GuardedModel.probe(model.base) }
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
        guard let reranker = models.reranker, let service = settings.rerank?.service else { return nil }
        let place = "\(service.model) at \(service.baseURL)"
        do {
            _ = try await reranker.base.scores(of: ["hello"], for: "hello")
            return Finding(subject: "reranking", verdict: .good, detail: "\(place) answers")
        } catch {
            return Finding(subject: "reranking", verdict: .bad, detail: "\(place): \(ErrorText.line(for: error))")
        }
    }

    private func embedderFinding() async -> Finding {
        let subject = "embeddings"
        do {
            let space = try await models.embedders.configured.space()
            _ = try await models.embedders.configured.embedQuery("hello")
            return Finding(
                subject: subject, verdict: .good,
                detail: "\(space.provider) \(space.model), \(space.dimensions) dimensions")
        } catch {
            return Finding(subject: subject, verdict: .bad, detail: ErrorText.line(for: error))
        }
    }
}
