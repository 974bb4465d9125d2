import Foundation
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The errors of paths and methods that there are not, for the clients of both protocols.
struct UnknownPathTests {
    @Test(arguments: [
        ("POST", "/v1/completions"), ("POST", "/v1/images/generations"),
        ("GET", "/v1/responses/resp_1/output_items"),
        ("POST", "/v1/responses/resp_1/cancel"), ("GET", "/v1/chat/completions/chatcmpl-1"),
        ("POST", "/v1/audio/speech"), ("GET", "/v1/fine_tuning/jobs?limit=2"),
        ("POST", "/v1/moderations"),
        ("POST", "/v1/threads/t/runs"), ("GET", "/v1/files/f/content"),
        ("GET", "/v1/conversations/c/items"), ("DELETE", "/v1/vector_stores/v"),
        ("POST", "/v1/uploads"), ("GET", "/v1/realtime?model=m"), ("GET", "/v1/organization/costs"),
    ])
    func unknownPathsOfOpenAIClientsHaveTheirErrors(method: String, path: String) async throws {
        let reply = try await withServer { try await $0.send(method, path, method == "POST" ? "{}" : nil) }

        #expect(reply.status == 404)
        #expect(reply.text.hasPrefix(#"{"error":{"code":"not_found","message":""#), "\(reply.text)")
        #expect(reply.headers["Content-Type"] == "application/json")
    }

    /// A path or method that nobody can tell apart has the error of both.
    @Test(arguments: [
        ("PUT", "/v1/files", 405), ("PUT", "/v1/threads", 405), ("DELETE", "/v1/threads/t/turns", 404),
        ("POST", "/v1/threads/t", 405), ("PUT", "/v1/conversations/c", 405), ("GET", "/v1", 404),
        ("POST", "/v1/", 404), ("GET", "/v1/nonsense", 404), ("POST", "/v1/nonsense/a?b=c", 404),
    ])
    func otherPathsAndMethodsBelowV1HaveBothErrors(method: String, path: String, status: Int) async throws {
        let reply = try await withServer { try await $0.send(method, path, method == "GET" ? nil : "{}") }

        let body = try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any])
        let error = try #require(body["error"] as? [String: Any])
        #expect(reply.status == status && body["status"] as? Int == status, "\(reply.text)")
        #expect(reply.headers["Content-Type"] == "application/problem+json")
        #expect(error["code"] as? String == body["code"] as? String)
        #expect(error["message"] as? String == body["detail"] as? String)
        #expect(error["type"] as? String == "invalid_request_error" && error["param"] is NSNull)
    }

    @Test(arguments: ["/v2/completions", "/nothing", "/v1beta/models"])
    func pathsThatAreNotBelowV1HaveProblems(path: String) async throws {
        let reply = try await withServer { try await $0.send("GET", path) }

        #expect(reply.status == 404 && reply.field("code") == "not_found")
        #expect(!reply.text.contains("error"))
    }
}
