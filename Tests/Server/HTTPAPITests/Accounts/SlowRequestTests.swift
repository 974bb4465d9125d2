import ChatCore
import ServerTestSupport
import TestSupport
import Testing

/// The rights of a caller are asked for again after a slow body.
@Suite(.hangGuard) struct SlowRequestTests {
    /// Sends a part of a request, changes the account of its caller meanwhile, and returns the answer to the whole request.
    private func answer(
        to path: String, _ body: String, role: String = "member", changing change: String
    ) async throws -> String {
        var answer = ""
        try await SignInTests().withServer { server, _ in
            let (_, _, bearer) = try await SignInTests().join(server, role: role)
            let connection = try RawConnection(port: server.port)
            connection.send(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Authorization: \(bearer[0].value)\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n" + body.prefix(5))
            try await Task.sleep(for: .milliseconds(1_200))
            let changed = try await server.send(
                "PATCH", "/v1/accounts/ada", change, headers: try await server.key(.admin))
            #expect(changed.status == 200, "\(changed.text)")
            connection.send(String(body.dropFirst(5)))
            answer = await connection.readToEnd()
        }
        return answer
    }

    @Test func itEndsWithItsAccount() async throws {
        let answer = try await answer(to: "/v1/ask", #"{"question":"When?"}"#, changing: #"{"isDisabled":true}"#)

        #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.contains("session_ended"), "\(answer)")
    }

    /// Another role ends no session.
    @Test func itGoesThroughWithAnotherRole() async throws {
        let answer = try await answer(
            to: "/v1/search", #"{"query":"When?"}"#, changing: #"{"role":"administrator"}"#)

        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }

    @Test func itIsRefusedWhenTheNewRoleForbidsIt() async throws {
        let answer = try await answer(
            to: "/v1/accounts", #"{"userId":"eve"}"#, role: "administrator", changing: #"{"role":"member"}"#)

        #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("role_required"), "\(answer)")
    }
}
