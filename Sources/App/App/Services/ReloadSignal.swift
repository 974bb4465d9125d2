import HTTPAPI
import Logging
import ServiceLifecycle
import UnixSignals
import WebServer

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
