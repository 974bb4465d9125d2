import ChatCore

extension MatrixConnector {
    /// Returns lines about the homeserver and about each room, for an operator.
    ///
    /// - Throws: ``RepositoryError``.
    package func report() async throws -> [String] {
        let report = ConnectorReport<MatrixProgress>(
            source: MatrixSettings.source, address: settings.homeserver, server: "homeserver", unit: "events",
            tokenAdvice: "matrix.as-token: compare it with the registration")
        return try await report.lines(store, status, at: now())
    }
}
