import ChatCore
import Histories

extension MatrixConnector {
    /// Returns what an operator reads about the homeserver and its rooms.
    ///
    /// - Throws: ``RepositoryError``.
    package func overview() async throws -> ConnectionOverview {
        let report = ConnectorReport<MatrixProgress>(
            source: MatrixSettings.source, address: settings.homeserver, server: "homeserver", unit: "events",
            tokenSetting: "matrix.as-token", tokenAdvice: "compare it with the registration")
        return try await report.overview(store, status, at: now())
    }

    /// Asks the homeserver whose token it is.
    package func test() async throws -> [ConnectionCheck] {
        let test = ConnectorTest(server: "homeserver")
        let token = try await test.check("matrix.as-token", advice: "compare it with as_token in the registration") {
            let reply = try await client.call("GET", ["v3", "account", "whoami"])
            guard reply.text("user_id") == settings.userID else { throw ConnectorError.unreadable }
            return "it is the user \(settings.userID)"
        }
        let heard =
            status.lastArrivalAt.map {
                ConnectionCheck("matrix.hs-token", isWorking: true, "events came at \($0.iso8601)")
            }
            ?? ConnectionCheck(
                "matrix.hs-token", isWorking: false,
                "no event came since the start: write something in a room with Nexus; if nothing comes, see the "
                    + "homeserver's log, and url and hs_token in the registration")
        return [token, heard]
    }
}
