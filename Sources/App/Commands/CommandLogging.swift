import HTTPAPI
import Logging
import Telemetry
import Tracing

/// Loggers of this program: to standard error, never with text of messages.
enum CommandLogging {
    /// Makes a logger.
    static func logger(_ settings: NexusSettings) -> Logger {
        var logger = Logger(label: "nexus") { label -> any LogHandler in
            settings.logsJSON
                ? JSONLogHandler(metadataProvider: present) { LineFile.standardError.write($0) }
                : StreamLogHandler.standardError(label: label, metadataProvider: present)
        }
        logger.logLevel = settings.logLevel
        return logger
    }

    /// What every line of a request carries: its id, and its trace where there is one.
    private static let present = Logger.MetadataProvider {
        guard let context = ServiceContext.current else { return [:] }
        var metadata: Logger.Metadata = [:]
        if let id = context.requestID { metadata["request.id"] = "\(id)" }
        if let trace = context.traceContext { metadata["trace.id"] = "\(trace.traceID)" }
        return metadata
    }
}
