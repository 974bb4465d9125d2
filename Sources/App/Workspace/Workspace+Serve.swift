import ChatCore
import Foundation
import HTTPAPI
import Ingest
import Logging
import Retrieval
import ServiceLifecycle

extension Workspace {
    /// The local socket of a data folder, through which commands reach the server that owns it.
    static func socketPath(in folder: URL) -> String { folder.appending(path: "nexus.sock").path }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameter isListening: Called with the bound port once requests are answered.
    /// - Throws: ``HTTPAPIError`` when the address cannot be bound.
    func serve(isListening: @escaping @Sendable (Int) -> Void) async throws {
        for note in try await notes() { logger.warning("\(note)") }
        let server = HTTPAPIServer(settings: apiSettings(), services: apiServices(isListening: isListening))
        let follower = IndexFollower(index: index, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [follower, worker, server].map {
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    private func operatorEndpoint() -> OperatorEndpoint {
        { [self] body in
            AsyncThrowingStream { continuation in
                let work = Task {
                    do {
                        let command = try JSONDecoder().decode(OperatorCommand.self, from: body)
                        try await self.perform(command) { event in
                            try Task.checkCancellation()
                            continuation.yield(try JSONEncoder().encode(event))
                        }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in work.cancel() }
            }
        }
    }
}
