import Assistant
import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import LiveChat
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The description of the API against the table of routes; every other test of this target checks replies with it.
struct OpenAPITests {
    private func served(_ parts: ServerParts = ServerParts()) async throws -> APIDescription {
        let reply = try await withServer(parts) { try await $0.send("GET", "/openapi.json") }
        #expect(reply.status == 200)
        #expect(reply.headers["Content-Type"] == "application/json")
        return try APIDescription(data: Data(reply.text.utf8))
    }

    private func server(_ parts: ServerParts = ServerParts()) throws -> HTTPAPIServer {
        try HTTPAPIServer(
            settings: parts.settings, services: parts.services(store: parts.store) { _ in })
    }

    private func operation(_ description: APIDescription, _ path: String, _ method: String) throws -> [String: Any] {
        let paths = try #require(description.document["paths"] as? [String: [String: Any]])
        return try #require(paths[path]?[method] as? [String: Any], "\(method) \(path)")
    }

    @Test func whatIsMadeOnceIsKeptAndAFailureIsNot() throws {
        struct Fault: Error {}
        let once = MadeOnce<Int>()
        var count = 0

        #expect(throws: Fault.self) { try once.value { throw Fault() } }
        for _ in 0..<2 {
            let value = once.value {
                count += 1
                return 6 + count
            }
            #expect(value == 7)
        }
        #expect(count == 1)
    }

    @Test func everyRouteIsDescribedAndNothingElse() async throws {
        let description = try await served()

        let routes = try server().routes.map { route in
            let segments = route.path.split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : "\($0)" }
            return APIDescription.Operation(
                method: route.method.rawValue, path: "/" + segments.joined(separator: "/"))
        }
        #expect(routes.count >= 29)
        #expect(description.operations == Set(routes))
    }

    @Test func everyOperationSaysWhatItTakesAndGives() async throws {
        let description = try await served()
        let components = try #require(description.document["components"] as? [String: [String: Any]])
        var operationIDs: [String] = []

        for operation in description.operations {
            let value = try self.operation(description, operation.path, operation.method.lowercased())
            operationIDs.append(try #require(value["operationId"] as? String))
            let responses = try #require(value["responses"] as? [String: [String: Any]])
            #expect(responses.keys.contains { $0.hasPrefix("2") || $0 == "302" }, "\(operation)")
            #expect(responses["500"] != nil, "\(operation)")
            let named = Set(operation.path.matches(of: /\{(\w+)\}/).map { String($0.1) })
            let parameters = value["parameters"] as? [[String: Any]] ?? []
            let inPath = parameters.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String }
            #expect(Set(inPath) == named, "\(operation)")
            #expect(
                (value["requestBody"] != nil) == ["POST", "PUT", "PATCH"].contains(operation.method), "\(operation)")
        }

        #expect(Set(operationIDs) == Set(try server().routes.map(\.operationID)))
        let text = String(decoding: description.data, as: UTF8.self)
        for reference in text.matches(of: /"\$ref":"#\/components\/schemas\/(\w+)"/) {
            #expect(components["schemas"]?[String(reference.1)] != nil, "\(reference.1)")
        }
    }

    @Test func everyOperationHasATagAndExamplesThatFit() async throws {
        let description = try await served()
        let (document, checker) = (description.document, description.checker)
        let tags = try #require(document["tags"] as? [[String: String]]).compactMap { $0["name"] }
        var used: Set<String> = []
        func check(_ media: [String: Any], _ place: String) throws {
            let example = try #require(media["example"], "\(place)")
            #expect(checker.faults(example, media["schema"]) == [], "\(place)")
        }

        for operation in description.operations {
            let value = try self.operation(description, operation.path, operation.method.lowercased())
            let tag = try #require((value["tags"] as? [String])?.first)
            used.insert(tag)
            #expect(tags.contains(tag), "\(operation)")
            let request = (value["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]] ?? [:]
            for media in request.values { try check(media, "\(operation)") }
            let responses = try #require(value["responses"] as? [String: [String: Any]])
            for (status, response) in responses where status.hasPrefix("2") {
                for (type, media) in response["content"] as? [String: [String: Any]] ?? [:] where type.hasSuffix("json")
                {
                    try check(media, "\(operation) \(status)")
                }
            }
        }
        #expect(used == Set(tags))
    }

    @Test func theEventsOfStreamsAreDescribedAsTheyAreSent() async throws {
        let description = try await served()
        let checker = description.checker
        var parts = ServerParts()
        parts.answering = StubAnswering([.progress(part: 0, parts: 1), .reading(0.5)] + Sample.events)
        let chat = #"{"model":"nexus","stream":true,"messages":[{"role":"user","content":"q"}]}"#
        let settings = parts

        for (path, body, count) in [
            ("/v1/ask", #"{"question":"q"}"#, 7), ("/ragQuery", #"{"data":{"question":"q"}}"#, 3),
            ("/v1/chat/completions", chat, 5),
        ] {
            let text = try await withServer(settings) { server in
                try await server.send("POST", path, body, headers: [("Accept", "text/event-stream")]).text
            }
            let responses = try operation(description, path, "post")["responses"] as? [String: [String: Any]]
            let content = try #require(responses?["200"]?["content"] as? [String: [String: Any]])
            let events = try #require(content["text/event-stream"]?["x-nexus-events"] as? [[String: Any]])
            for event in events { #expect(checker.faults(event["example"] ?? "", event["data"]) == [], "\(event)") }
            let frames = text.components(separatedBy: "\n\n").filter { $0.contains("data: {") }
            #expect(frames.count == count, "\(text)")
            for frame in frames {
                let name = frame.firstMatch(of: /event: (\w+)/).map { String($0.1) }
                let line = try #require(frame.split(separator: "\n").first { $0.hasPrefix("data: ") })
                let data = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
                let schemas = events.filter { $0["event"] as? String == name }.map { $0["data"] }
                #expect(schemas.contains { checker.faults(data, $0) == [] }, "\(frame)")
            }
        }
    }

    @Test func theMessagesOfSocketsAreDescribedAsTheyAreSent() async throws {
        var parts = ServerParts()
        parts.live = LiveSettings()
        let description = try await served(parts)
        let checker = description.checker
        let socket = try operation(description, "/v1/socket", "get")
        let messages = try #require(socket["x-nexus-messages"] as? [String: Any])
        #expect(messages["subprotocol"] as? String == "nexus.v1")
        let fromServer = try #require(messages["fromServer"] as? [[String: Any]])
        let fromClient = try #require(messages["fromClient"] as? [[String: Any]])
        for message in fromServer + fromClient {
            #expect(checker.faults(message["example"] ?? "", message["data"]) == [], "\(message)")
        }
        #expect(fromClient.compactMap { $0["type"] as? String } == ["active", "ack", "open", "typing", "watch"])

        let cursor = ChangeCursor(epoch: 7, positions: [ChangeNumber(rawValue: 3)])
        let sent = [
            try LiveDocuments.frame(FeedPage(changes: [], end: cursor), after: cursor),
            try LiveDocuments.heartbeat(cursor), try LiveDocuments.resync(),
            try LiveDocuments.presence(PresenceFrame(time: .second(0), presences: [])),
            try LiveDocuments.error(code: "invalid_field", detail: "type must be a text"),
        ]
        for data in sent {
            let value = try JSONSerialization.jsonObject(with: data)
            let type = (value as? [String: Any])?["type"] as? String
            let described = try #require(fromServer.first { $0["type"] as? String == type })
            #expect(checker.faults(value, described["data"]) == [], "\(value)")
        }
        // Without sockets there is no such route.
        #expect(try await !served().operations.contains { $0.path == "/v1/socket" })
    }

    /// A type that cannot be recorded gives an object without fields.
    @Test func everyObjectOfAReplyHasFields() async throws {
        func faults(_ value: Any, at path: String) -> [String] {
            if let list = value as? [Any] {
                return list.enumerated().flatMap { faults($0.element, at: "\(path)[\($0.offset)]") }
            }
            guard let object = value as? [String: Any] else { return [] }
            let mayBeEmpty = object["additionalProperties"] is [String: Any] || object["maxProperties"] != nil
            let isEmpty = object["type"] as? String == "object" && object["properties"] == nil && !mayBeEmpty
            return (isEmpty ? [path] : []) + object.flatMap { faults($0.value, at: "\(path).\($0.key)") }
        }

        let document = try await served().document

        #expect(faults(document, at: "") == [])
        #expect(faults(["a": [["type": "object"]]], at: "") == [".a[0]"])
    }

    /// Generators stop at a schema of null alone, or make a type of it that nothing fits.
    @Test func nullIsNeverAloneInASchema() async throws {
        func faults(_ value: Any, at path: String, isChoice: Bool = false) -> [String] {
            if let list = value as? [Any] {
                return list.enumerated().flatMap {
                    faults($0.element, at: "\(path)[\($0.offset)]", isChoice: path.hasSuffix(".anyOf"))
                }
            }
            guard let object = value as? [String: Any] else { return [] }
            let isAlone = object["type"] as? String == "null" && !isChoice
            return (isAlone ? [path] : []) + object.flatMap { faults($0.value, at: "\(path).\($0.key)") }
        }

        #expect(faults(try await served().document, at: "") == [])
        #expect(faults(["a": ["type": "null"]], at: "") == [".a"])
    }

    @Test func eachChangeOfTheFeedHasItsSchema() async throws {
        let description = try await served()
        let schemas = description.checker.components
        let changes = try #require(schemas["FeedChange"] as? [String: Any])
        let discriminator = try #require(changes["discriminator"] as? [String: Any])
        let mapping = try #require(discriminator["mapping"] as? [String: String])
        #expect(discriminator["propertyName"] as? String == "type")
        #expect(mapping.count == 13)
        #expect((changes["oneOf"] as? [[String: String]])?.count == 13)
        func fields(_ word: String) throws -> (all: [String], required: [String]) {
            let name = try #require(mapping[word]?.split(separator: "/").last)
            let schema = try #require(schemas[String(name)] as? [String: Any])
            return (
                (schema["properties"] as? [String: Any] ?? [:]).keys.sorted(),
                (schema["required"] as? [String] ?? []).sorted()
            )
        }

        #expect(try fields("message").all == ["mentions", "message", "type"])
        #expect(try fields("message").required == ["message", "type"])
        #expect(try fields("deletion").all == ["conversationId", "messageId", "seq", "type"])
        #expect(try fields("deletion").required == ["conversationId", "messageId", "type"])
        #expect(try fields("threads").all == ["type"])
        #expect(try fields("settings").required == ["settings", "type"])
    }

    @Test func bodiesAndSessionsAreDescribedAsTheyAreSent() async throws {
        let description = try await served()
        func body(_ path: String, _ method: String) throws -> [String: Any] {
            try #require(try operation(description, path, method)["requestBody"] as? [String: Any])
        }
        func isRequired(_ path: String, _ method: String = "post") throws -> Bool? {
            try body(path, method)["required"] as? Bool
        }

        for path in ["/v1/feed/ticket", "/v1/session/refresh", "/v1/conversations/{conversation}/summary"] {
            #expect(try isRequired(path) == false, "\(path)")
        }
        #expect(try isRequired("/v1/ask") == true)
        let content = try #require(try body("/v1/files", "post")["content"] as? [String: [String: Any]])
        let schema = try #require(content["application/octet-stream"]?["schema"] as? [String: Any])
        #expect(schema["format"] as? String == "binary")
        let refresh = try operation(description, "/v1/session/refresh", "post")
        #expect((refresh["security"] as? [[String: Any]])?.map(\.keys.first) == ["session"])
        let replies = try #require(refresh["responses"] as? [String: [String: Any]])
        #expect((replies["200"]?["headers"] as? [String: Any])?["Set-Cookie"] != nil)
        #expect((description.document["servers"] as? [[String: String]])?.map { $0["url"] } == ["/"])
    }

    /// A client that was made from the document reads the replies of a later server.
    @Test func onlyRequestsForbidOtherFields() async throws {
        let schemas = try await served().checker.components
        func isClosed(_ name: String) throws -> Bool {
            (try #require(schemas[name] as? [String: Any]))["additionalProperties"] as? Bool == false
        }

        for name in ["Question", "NewMessage", "PreferencesChange"] { #expect(try isClosed(name)) }
        for name in ["Message", "Answer", "FeedFrame", "CallableQuestion", "NewChatCompletion"] {
            #expect(try !isClosed(name))
        }
        // The list of codes may grow.
        let problem = try #require(schemas["Problem"] as? [String: Any])
        let code = try #require((problem["properties"] as? [String: [String: Any]])?["code"])
        #expect((code["x-extensible-enum"] as? [String])?.contains("adding_forbidden") == true)
        #expect(code["enum"] == nil)
    }

    /// A new code has to be added to the list.
    @Test func everyCodeOfAnErrorIsListed() async throws {
        let listed = try #require(try await served().document["x-nexus-error-codes"] as? [String: String])
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Server/HTTPAPI")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var codes = Set(["token_expired", "token_invalid"])
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /Failure\(\s*\d{3}, "(\w+)"/) { codes.insert(String(match.1)) }
            for match in source.matches(of: /invalidToken\("(\w+)"/) { codes.insert(String(match.1)) }
        }
        codes.formUnion(
            [
                ModelServiceError.unreachable(reason: ""), .slow(.working), .busy(retryAfter: nil),
                .failed(status: 500),
                .unauthorized(status: 401), .quotaExhausted, .rejected(status: 400, code: ""), .tooLong,
                .invalidReply(reason: ""), .incompleteReply,
                .misconfigured(reason: ""),
            ].map { "model_\($0.code)" })

        #expect(codes.count > 40)
        #expect(codes.subtracting(listed.keys) == [])
        #expect(Set(listed.keys).subtracting(codes) == [])
        #expect(listed.values.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func tokensAreAskedForWhereTheyAreChecked() async throws {
        func security(_ parts: ServerParts, _ path: String, _ method: String) async throws -> [String] {
            let operation = try operation(try await served(parts), path, method)
            return try #require(operation["security"] as? [[String: Any]]).flatMap(\.keys)
        }
        let closed = ServerParts(try TokenForge().settings())

        #expect(try await security(closed, "/v1/ask", "post") == ["bearer"])
        #expect(try await security(closed, "/v1/events/firestore", "post") == ["source"])
        #expect(try await security(closed, "/ready", "get") == [])
        #expect(try await security(ServerParts(), "/v1/ask", "post") == [])
    }

    @Test func errorsHaveTheShapeOfTheirRoute() async throws {
        let description = try await served()
        func content(_ path: String, _ status: String) throws -> [String: [String: [String: String]]] {
            let responses = try operation(description, path, "post")["responses"] as? [String: [String: Any]]
            return try #require(responses?[status]?["content"] as? [String: [String: [String: String]]])
        }

        #expect(
            try content("/v1/ask", "403")
                == ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]])
        #expect(
            try content("/ragQuery", "403")
                == ["application/json": ["schema": ["$ref": "#/components/schemas/CallableError"]]])
    }

    @Test(arguments: CallableTimestamps.allCases) func callableTimesAreDescribedAsTheyAreWritten(
        form: CallableTimestamps
    ) async throws {
        var parts = ServerParts()
        parts.settings.callableTimestamps = form
        parts.answering = StubAnswering(Sample.events)
        parts.searching = StubSearching(.success([Sample.hit]))

        // The replies are compared with the description as they come.
        let statuses = try await withServer(parts) { server in
            let question = try await server.send("POST", "/ragQuery", #"{"data":{"question":"q"}}"#)
            let search = try await server.send("POST", "/ragSearch", #"{"data":{"query":"q"}}"#)
            return [question.status, search.status]
        }
        #expect(statuses == [200, 200])
    }

    @Test(
        arguments: [
            (#"{"id":"x"}"#, ["$: lacks at"]), (#"{"id":"","at":"2025-10-23T10:30:00.000Z"}"#, ["$.id: is too short"]),
            (#"{"id":"x","at":"yesterday"}"#, ["$.at: is no time"]),
            (#"{"id":"x","at":"2025-10-23T10:30:00.000Z","more":1}"#, ["$: has more"]),
            (
                #"{"id":"x","at":"2025-10-23T10:30:00.000Z","list":[1,"a",11,true,1.5]}"#,
                [
                    "$.list[1]: is no number", "$.list[2]: is too great", "$.list[3]: is no number",
                    "$.list[4]: is not whole",
                ]
            ),
            (#"{"id":"x","at":"2025-10-23T10:30:00.000Z","list":[1,10]}"#, []), ("[]", ["$: is no object"]),
        ] as [(String, [String])]) func theCheckerFindsWhatDoesNotFit(text: String, faults: [String]) throws
    {
        let item: [String: Any] = ["type": "integer", "minimum": 1, "maximum": 10]
        let schema: [String: Any] = [
            "type": "object", "required": ["id", "at"], "additionalProperties": false,
            "properties": [
                "id": ["$ref": "#/components/schemas/ID"], "at": ["type": "string", "format": "date-time"],
                "list": ["type": "array", "items": item],
            ],
        ]
        let checker = SchemaChecker(components: ["ID": ["type": "string", "minLength": 1]])

        let found = checker.faults(try JSONSerialization.jsonObject(with: Data(text.utf8)), schema)

        #expect(found == faults)
        #expect(checker.faults("x", ["type": "string", "pattern": "y"]) == ["$: the schema has [\"pattern\"]"])
    }

    @Test func aReplyThatIsNotDescribedIsNoticed() throws {
        let description = try APIDescription(data: try server().openAPI())
        func faults(_ status: Int, _ type: String, _ text: String) throws -> [String] {
            let response = Reply(status: status, headers: [("Content-Type", type)], text: text)
            return try description.faults("GET", "/health", response)
        }

        #expect(try faults(200, "application/json", #"{"status":"ok"}"#) == [])
        #expect(try faults(200, "application/json", #"{"status":"ok","new":1}"#) == ["$: has new"])
        #expect(try faults(418, "application/json", #"{"status":"ok"}"#) == ["the status is not described"])
        #expect(try faults(200, "text/plain", "ok") == ["the type text/plain is not described"])
    }
}
