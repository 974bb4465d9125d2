import Assistant
import ChatCore
import Foundation
import Ingest
import Logging
import MessageStore
import Retrieval
import ServiceLifecycle
import UnixSignals
import WebServer

extension NexusSettings.Service {
    /// The name of the service in a ``ServiceHealth``.
    var name: ModelServiceName { ModelServiceName(baseURL: baseURL, model: model) }
}

/// Probes the language and the reranking model while they are known not to work.
struct ModelProber: Service {
    let probe: ServiceProbe

    func run() async throws {
        await cancelWhenGracefulShutdown { await probe.run() }
    }
}

extension Workspace {
    /// Probes those services that the worker does not.
    var modelProber: ModelProber {
        var probes: [ModelServiceName: @Sendable () async throws -> Void] = [:]
        // One service may be used for both.
        if let model { probes[model.service] = { try await GuardedModel.probe(model.base) } }
        if let reranker, probes[reranker.service] == nil {
            probes[reranker.service] = { _ = try await reranker.base.scores(of: ["hello"], for: "hello") }
        }
        return ModelProber(probe: ServiceProbe(health: modelHealth, probes: probes))
    }

    /// The services that do not work at present, each with its part.
    var serviceTroubles: [(part: String, error: ModelServiceError)] {
        var troubles: [(part: String, error: ModelServiceError)] = []
        if let error = worker.serviceTrouble { troubles.append(("embedding", error)) }
        if let model, let error = modelHealth.failures[model.service] { troubles.append(("model", error)) }
        if let reranker, let error = modelHealth.failures[reranker.service] { troubles.append(("rerank", error)) }
        return troubles
    }
}

/// Detects when the store can be written again, and logs it.
struct StorageWatch: Service {
    private static let interval = Duration.seconds(2)

    let store: SQLStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: StorageTrouble?
            await store.storageFailed.repeating(failed: { _ in }) {
                var found = store.storageTrouble
                if found != known { tell(found) }
                known = found
                // A write may wait for long.
                if found != nil { found = await store.retryWriting() }
                if found != known { tell(found) }
                known = found
                return found == nil ? nil : Self.interval
            }
        }
    }

    private func tell(_ trouble: StorageTrouble?) {
        if trouble == .damaged {
            logger.critical(
                "The database is damaged: nothing is stored any more. Stop the server and restore a backup",
                metadata: ["storage": "\(StorageTrouble.damaged.rawValue)"])
        } else if let trouble {
            logger.error(
                "Nothing can be stored; stored messages are still served", metadata: ["storage": "\(trouble.rawValue)"])
        } else {
            logger.notice("Messages can be stored again")
        }
    }
}

/// Reads the certificate again on SIGHUP; without one the signal does nothing.
struct ReloadSignal: Service {
    let credentials: TLSCredentials?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            guard let credentials else { continue }
            do {
                try credentials.reload()
                logger.notice("certificate and key were read again")
            } catch {
                logger.error("the previous certificate stays in use", metadata: ["error": "\(error)"])
            }
        }
    }
}
