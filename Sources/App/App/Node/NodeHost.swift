import ChatCore
import Foundation
import HTTPAPI

/// The process of a server, or of a command that serves itself.
struct NodeHost: ServerHost {
    private let lines: OperatorLines
    private let state: Readiness
    private let checks: ModelChecks
    private let metrics: MetricsPage?
    private let listening: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - node: The parts of the process.
    ///   - showsMetrics: Whether there is a page of metrics.
    ///   - listening: Called once with the bound port.
    init(_ node: Node, showsMetrics: Bool, listening: @escaping @Sendable (Int) -> Void) {
        lines = OperatorLines(desk: OperatorDesk(node))
        state = node.readiness
        checks = ModelChecks(settings: node.workspace.settings, models: node.models)
        metrics = showsMetrics ? node.metricsPage : nil
        self.listening = listening
    }

    func readiness() async -> ReadinessReport { await state.report() }

    func metricsPage(isStopping: Bool) async -> String { await metrics?.text(isStopping: isStopping) ?? "" }

    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error> { lines.perform(command) }

    func administer(
        _ command: Data, by actor: AuditActor, from origin: AuditOrigin
    ) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error> {
        try lines.administer(command, by: actor, from: origin)
    }

    func importHistory(
        _ upload: HistoryUpload, by actor: AuditActor, from origin: AuditOrigin
    ) -> AsyncThrowingStream<Data, any Error> { lines.importHistory(upload, by: actor, from: origin) }

    func checkModels() async -> [ModelCheck] { await checks.run() }

    func line(for error: any Error) -> String? { lines.line(for: error) }

    func isListening(port: Int) { listening(port) }
}
