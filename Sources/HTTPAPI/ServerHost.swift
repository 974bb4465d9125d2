public import Foundation

/// The process that a server runs in: what only it knows or can do.
public protocol ServerHost: Sendable {
    /// Reports whether the server can do its work.
    func readiness() async -> ReadinessReport

    /// Returns all metrics in Prometheus' text format.
    func metricsPage(isStopping: Bool) async -> String

    /// Performs an operator's command that came through the local socket.
    ///
    /// - Parameter command: The body as it came.
    /// - Returns: Lines of JSON without line ends; the work stops when nobody reads them any more.
    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error>

    /// Returns one line on an error for the operator, who may know more than other callers; nil to say no more.
    func line(for error: any Error) -> String?

    /// Called once when all addresses are bound; `port` is 0 without a TCP address.
    func isListening(port: Int)
}
