import ChatCore

/// A connection without settings: what is stored of it can still be seen and erased.
package struct UnconfiguredConnection: Sendable {
    /// The sources to which Nexus can connect, in order.
    package static let sources = [MatrixSettings.source, MattermostSettings.source, SlackSettings.source]

    /// One of ``sources``.
    private let source: String

    package init(source: String) { self.source = source }

    /// Returns what an operator reads about the connection.
    ///
    /// - Throws: ``RepositoryError``.
    package func overview(in store: any ConnectorStore) async throws -> ConnectionOverview {
        var overview =
            switch source {
            case MatrixSettings.source: try await report(MatrixProgress.self, "events", in: store)
            case MattermostSettings.source: try await report(MattermostProgress.self, "posts", in: store)
            default: try await report(SlackProgress.self, "messages", in: store)
            }
        overview.isConfigured = false
        return overview
    }

    private func report<Progress: ConnectorProgress>(
        _: Progress.Type, _ unit: String, in store: any ConnectorStore
    ) async throws -> ConnectionOverview {
        try await ConnectorReport<Progress>(
            source: source, address: "", server: "", unit: unit, tokenSetting: "", tokenAdvice: "",
            countsReactions: source == MatrixSettings.source
        ).overview(store, ConnectorStatus(), at: Timestamp(microseconds: 0))
    }
}
