import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import ServerTestSupport
import TestSupport
import Testing

/// The routes of schedules.
@Suite struct ScheduleTests {
    private static let monday = #""days":["monday"],"time":"09:00","timeZone":"Europe/Berlin""#

    private func withTeam(_ body: (StoredServer) async throws -> Void) async throws {
        try await withStoredServer { server in
            _ = try await server.store.store(
                [.of("team", ["ada", "ben"])], source: "api", mode: .posting, at: .second(0))
            _ = try await server.store.store([.of("other", ["ben"])], source: "api", mode: .posting, at: .second(0))
            _ = try await server.store.post(
                [.short("team", "m1", by: "ben", "the launch is on Friday")], source: "api", at: .second(1))
            try await server.embed()
            try await body(server)
        }
    }

    private func fields(_ reply: Reply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any], "\(reply.text)")
    }

    @Test func aScheduleIsSavedChangedPausedAndDeleted() async throws {
        try await withTeam { server in
            let made = try await server.send(
                "POST", "/v1/schedules",
                #"{"question":" When is the launch? ","conversationId":"team",\#(Self.monday)}"#,
                as: "ada")
            #expect(made.status == 201, "\(made.text)")
            let schedule = try fields(made)
            let id = try #require(schedule["id"] as? String)
            #expect(schedule["question"] as? String == "When is the launch?")
            #expect(schedule["time"] as? String == "09:00")
            #expect((schedule["next"] as? String)?.hasSuffix(":00:00.000Z") == true)

            let changed = try await server.send(
                "PATCH", "/v1/schedules/\(id)", #"{"days":["friday","tuesday"],"conversationId":null}"#, as: "ada")
            #expect(try fields(changed)["days"] as? [String] == ["tuesday", "friday"])
            #expect(try fields(changed)["conversationId"] == nil)
            let paused = try await server.send("PATCH", "/v1/schedules/\(id)", #"{"isPaused":true}"#, as: "ada")
            #expect(try fields(paused)["pausedReason"] as? String == "by_person")
            #expect(try fields(paused)["next"] == nil)
            let resumed = try await server.send("PATCH", "/v1/schedules/\(id)", #"{"isPaused":false}"#, as: "ada")
            #expect(try fields(resumed)["pausedReason"] == nil && fields(resumed)["next"] != nil)
            let digest = try await server.send(
                "PATCH", "/v1/schedules/\(id)", #"{"digest":["due","missed"],"language":"de"}"#, as: "ada")
            #expect(try fields(digest)["digest"] as? [String] == ["missed", "due"])
            #expect(try fields(digest)["question"] == nil)

            // Others neither see it nor change it.
            #expect(try await server.send("GET", "/v1/schedules", as: "ben").text.contains(#""schedules":[]"#))
            for method in ["PATCH", "DELETE"] {
                let foreign = try await server.send(
                    method, "/v1/schedules/\(id)", method == "PATCH" ? #"{"isPaused":true}"# : nil, as: "ben")
                #expect(foreign.status == 404 && foreign.text.contains("schedule_not_found"))
            }
            #expect(try await server.send("DELETE", "/v1/schedules/\(id)", as: "ada").status == 204)
            #expect(try await server.send("DELETE", "/v1/schedules/\(id)", as: "ada").status == 404)
        }
    }

    @Test func thePreviewShowsTimesAndCost() async throws {
        try await withTeam { server in
            let question = try await server.send(
                "POST", "/v1/schedules/preview",
                #"{"question":"When is the launch?","days":["monday","friday"],"time":"09:00","timeZone":"UTC"}"#,
                as: "ada")
            let preview = try fields(question)
            #expect((preview["next"] as? [String])?.count == 3)
            #expect(preview["runsPerMonth"] as? Double == 8.7)
            let cost = try #require(preview["cost"] as? [String: Any])
            let prompt = try #require(cost["promptTokens"] as? Int)
            let answer = try #require(cost["answerTokens"] as? Int)
            #expect(prompt > 100 && answer > 0)
            let month = try #require(cost["tokensPerMonth"] as? Int)
            #expect(month == Int((Double(prompt + answer) * 2 * 365.25 / 7 / 12).rounded()))
            // A digest asks no language model.
            let digest = try await server.send(
                "POST", "/v1/schedules/preview", #"{"digest":["missed"],\#(Self.monday)}"#, as: "ada")
            #expect(try fields(digest)["cost"] == nil)
            #expect(try await server.store.schedules(of: "ada").isEmpty)
        }
    }

    @Test(arguments: [
        (#"{"question":"x","digest":["due"],MONDAY}"#, "digest"), (#"{MONDAY}"#, "question"),
        (#"{"digest":[],MONDAY}"#, "digest"), (#"{"digest":["weather"],MONDAY}"#, "digest[0]"),
        (#"{"digest":["due"],"conversationId":"team",MONDAY}"#, "conversationId"),
        (#"{"question":"  ",MONDAY}"#, "question"),
        (#"{"question":"x","time":"09:00","timeZone":"UTC"}"#, "days"),
        (#"{"question":"x","days":["monday"],"timeZone":"UTC"}"#, "time"),
        (#"{"question":"x","days":["monday"],"time":"09:00"}"#, "timeZone"),
        (#"{"question":"x","days":["someday"],"time":"09:00","timeZone":"UTC"}"#, "days[0]"),
        (#"{"question":"x","days":["monday"],"time":"25:00","timeZone":"UTC"}"#, "time"),
        (#"{"question":"x","days":["monday"],"time":"09:00","timeZone":"Mars/Base"}"#, "timeZone"),
        (#"{"digest":["due"],"language":"<b>",MONDAY}"#, "language"),
    ])
    func aWrongFieldIsNamed(_ body: String, _ field: String) async throws {
        try await withTeam { server in
            let reply = try await server.send(
                "POST", "/v1/schedules", body.replacingOccurrences(of: "MONDAY", with: Self.monday), as: "ada")

            #expect(reply.status == 400 && reply.text.contains(#""field":"\#(field)""#), "\(reply.text)")
            #expect(try await server.store.schedules(of: "ada").isEmpty)
        }
    }

    @Test func aForeignConversationIsRefusedAndTheLimitHolds() async throws {
        try await withTeam { server in
            let foreign = try await server.send(
                "POST", "/v1/schedules", #"{"question":"x","conversationId":"other",\#(Self.monday)}"#, as: "ada")
            #expect(foreign.status == 403 && foreign.text.contains("conversation_forbidden"))
            for _ in 0..<20 {
                let made = try await server.send(
                    "POST", "/v1/schedules", #"{"digest":["due"],\#(Self.monday)}"#, as: "ada")
                #expect(made.status == 201)
            }
            let full = try await server.send(
                "POST", "/v1/schedules", #"{"digest":["due"],\#(Self.monday)}"#, as: "ada")
            #expect(full.status == 409 && full.text.contains("schedules_full"))
            #expect(try await server.send("GET", "/v1/schedules", as: "ada").text.contains(#""limit":20"#))
        }
    }
}
