import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Fields and parameters that no route describes.
struct UnknownFieldTests {
    /// Routes whose body is no JSON object of this server's own: a command, files, and other protocols' envelopes.
    private static let others: Set<String> = [
        "administer", "importHistory", "uploadFile", "setPicture", "setGroupPicture", "takeFirestoreEvent", "mcp",
    ]
    private func routes(_ parts: ServerParts) throws -> [Route] {
        try HTTPAPIServer(settings: parts.settings, services: parts.services(store: parts.store) { _ in }).routes
    }

    private static func path(of route: Route) -> String {
        let values = [":conversation": "team", ":message": "m1", ":user": "ada", ":item": "i1", ":thread": "h1"]
        return "/"
            + route.path.split(separator: "/").map { values[String($0)] ?? String($0.trimmingPrefix(":")) }
            .joined(separator: "/")
    }

    private func withTeam<Value: Sendable>(
        _ parts: ServerParts = ServerParts(), _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = parts
        parts.answering = StubAnswering(Sample.events)
        return try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            return try await body(server)
        }
    }

    @Test func everyRouteNamesAFieldThatItDoesNotKnow() async throws {
        let parts = ServerParts()
        let routes = try routes(parts)
        let checked = try await withTeam(parts) { server in
            var count = 0
            for route in routes where !Self.others.contains(route.operationID) {
                guard let body = RouteAccessTests.bodies[route.operationID] else { continue }
                let isCall = route.errors == .callable
                let end = isCall ? body.dropLast(2) : body.dropLast()
                let more = (end.hasSuffix("{") ? "" : ",") + #""zzz":1"# + (isCall ? "}}" : "}")
                let reply = try await server.send(route.method.rawValue, Self.path(of: route), end + more)
                if route.errors == .problem {
                    #expect(reply.status == 400, "\(route.operationID) \(reply.text)")
                    #expect(reply.field("field") == "zzz", "\(route.operationID) \(reply.text)")
                } else if reply.status == 200 {
                    #expect(reply.headers["Nexus-Ignored"]?.contains("zzz") == true, "\(route.operationID)")
                }
                count += 1
            }
            return count
        }
        #expect(checked > 50)
    }

    @Test func everyRouteNamesAParameterThatItDoesNotKnow() async throws {
        let parts = ServerParts()
        let routes = try routes(parts)
        try await withTeam(parts) { server in
            for route in routes where route.path.hasPrefix("v1/") && !route.path.hasPrefix("v1/session/oidc") {
                let reply = try await server.send(
                    route.method.rawValue, Self.path(of: route) + "?zzz=1", RouteAccessTests.bodies[route.operationID])
                if route.errors == .problem {
                    #expect(reply.status == 400, "\(route.operationID) \(reply.text)")
                    #expect(reply.field("field") == "zzz", "\(route.operationID) \(reply.text)")
                } else if reply.status == 200 {
                    #expect(reply.headers["Nexus-Ignored"] == "zzz", "\(route.operationID)")
                }
            }
            #expect(try await server.send("GET", "/ready?zzz=1").status == 200)
        }
    }

    @Test(
        arguments: [
            ("/v1/ask", #"{"question":"q","conversationId":"team"}"#, "conversationId", "conversationIds"),
            ("/v1/search", #"{"query":"q","sender_ids":["ada"]}"#, "sender_ids", "senderIds"),
            ("/v1/conversations/team/messages", #"{"text":"a","localID":"x"}"#, "localID", "localId"),
            ("/v1/conversations/team/messages", #"{"text":"a","reply_to":"m1"}"#, "reply_to", "replyTo"),
            (
                "/v1/conversations/team/messages", #"{"text":"a","attachments":[{"name":"a","media_type":"b"}]}"#,
                "attachments[0].media_type", "mediaType"
            ),
            ("/v1/conversations", #"{"members":[{"userID":"ada"}]}"#, "members[0].userID", "userId"),
            ("/v1/conversations/team/messages", #"{"text":"a","imageURL":"x"}"#, "imageURL", nil),
            ("/v1/conversations", #"{"participantIds":["ada"]}"#, "participantIds", nil),
        ] as [(String, String, String, String?)])
    func theNearestNameIsSuggested(path: String, body: String, field: String, near: String?) async throws {
        let reply = try await withTeam { try await $0.send("POST", path, body) }

        #expect(reply.status == 400)
        #expect(reply.field("field") == field)
        let detail = try #require(reply.field("detail"))
        #expect(detail.hasPrefix("\(field) is not known here"))
        #expect(detail.contains("did you mean \(near ?? "")") == (near != nil))
        #expect(near.map { detail.contains("mean \($0)?") } ?? true, "\(detail)")
        #expect(detail.contains("ields are "))
    }

    @Test func onlyTheMessageOfABatchIsRefused() async throws {
        let (reply, stored) = try await withTeam { server in
            (
                try await server.send(
                    "POST", "/v1/conversations/team/messages",
                    #"{"messages":[{"id":"m1","text":"a"},{"id":"m2","text":"b","localID":"x"}]}"#),
                try await server.store.teamMessages()
            )
        }
        #expect(reply.status == 200)
        #expect(reply.text.contains(#""status":"inserted""#))
        #expect(reply.text.contains(#""field":"messages[1].localID""#))
        #expect(stored.map(\.key.messageID) == ["m1"])
    }

    @Test func fieldsOfOldDocumentsAreTakenAndNamed() async throws {
        let reply = try await withTeam { server in
            try await server.send(
                "POST", "/v1/conversations/team/messages",
                #"{"id":"m1","text":"a","readBy":["ada"],"deliveredTo":[],"status":"sent"}"#)
        }
        #expect(reply.status == 201)
        #expect(reply.headers["Nexus-Ignored"] == "deliveredTo, readBy, status")
    }

    @Test func otherProtocolsNameWhatTheyIgnored() async throws {
        let (chat, call) = try await withTeam { server in
            (
                try await server.send(
                    "POST", "/v1/chat/completions",
                    #"{"model":"nexus","messages":[{"role":"user","content":"q","name":"a"}],"temperature":1,"stop":[]}"#
                ),
                try await server.send("POST", "/ragQuery", #"{"data":{"question":"q","tone":"dry"}}"#)
            )
        }
        #expect(statuses(chat, call) == [200, 200])
        #expect(chat.headers["Nexus-Ignored"] == "stop, temperature, messages[].name")
        #expect(call.headers["Nexus-Ignored"] == "data.tone")
    }

    @Test func theHeaderIsShortAndHoldsNamesOnly() async throws {
        let many = (0..<100).map { #""f\#($0)":1"# }.joined(separator: ",")
        let odd = #""a\r\nSet-Cookie: x":1,"\#(String(repeating: "y", count: 5_000))":1"#
        let (first, second) = try await withTeam { server in
            (
                try await server.send("POST", "/ragQuery", #"{"data":{"question":"q",\#(many)}}"#),
                try await server.send("POST", "/ragQuery", #"{"data":{"question":"q",\#(odd)}}"#)
            )
        }
        #expect(statuses(first, second) == [200, 200])
        #expect(first.headers["Nexus-Ignored"]?.split(separator: ",").count == 20)
        let names = try #require(second.headers["Nexus-Ignored"])
        #expect(names.utf8.count < 200)
        #expect(names.hasPrefix("data.a__Set-Cookie__x, "))
        #expect(second.headers["Set-Cookie"] == nil)
    }
}
