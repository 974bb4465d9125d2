import ChatCore
import HTTPTypes
import NexusModel

/// The description of the API (OpenAPI 3.1), made from the routes.
struct OpenAPIDocument {
    private static let phrases = [
        101: "The connection is a WebSocket now; see x-nexus-messages.", 200: "Done.", 201: "Created.",
        202: "Accepted.", 204: "Done, without a body.",
        302: "The browser goes on at `Location`.", 503: "Not ready.",
    ]

    private let routes: [Route]
    private let documents: [String: RouteDocument]
    /// Whether callers are identified; otherwise no route requires a token.
    private let asksForTokens: Bool
    private let version: String
    /// The address at which people reach the server; nil if it is not known.
    private let address: String?

    /// - Parameters:
    ///   - routes: The routes.
    ///   - documents: Their requests and responses, by operation.
    ///   - asksForTokens: Whether callers are identified.
    ///   - version: The version of the program.
    ///   - address: The address at which people reach the server; nil if it is not known.
    init(
        routes: [Route], documents: [String: RouteDocument], asksForTokens: Bool, version: String,
        address: String? = nil
    ) {
        (self.version, self.address) = (version, address)
        self.routes = routes
        self.documents = documents
        self.asksForTokens = asksForTokens
    }

    /// The document.
    var value: JSONValue {
        var components: [String: JSONValue] = [:]
        var paths: [String: [String: JSONValue]] = [:]
        for route in routes {
            paths[Self.path(of: route), default: [:]][route.method.rawValue.lowercased()] =
                operation(of: route, &components)
        }
        return .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string("Nexus"), "version": .string(version),
                "description": .string("Finds messages of team chat, and answers questions from them."),
            ]),
            "servers": .array([.object(["url": .string(address ?? "/")])]),
            "tags": .array(
                APITag.allCases.map {
                    .object(["name": .string($0.rawValue), "description": .string($0.description)])
                }),
            "x-nexus-error-codes": .object(FailureCode.all.mapValues { .string($0) }),
            "paths": .object(paths.mapValues { .object($0) }),
            "components": .object([
                "schemas": .object(components),
                "securitySchemes": .object([
                    "bearer": Self.scheme("A token of the configured issuer, or a key of this server."),
                    "source": Self.scheme("The configured secret of the source of events."),
                    "session": .object([
                        "type": .string("apiKey"), "in": .string("cookie"),
                        "name": .string(SessionCookie.session.name),
                        "description": .string(
                            "The session of an account. Signing in sets it; each renewal replaces it."),
                    ]),
                ]),
            ]),
        ])
    }

    private static func scheme(_ description: String) -> JSONValue {
        .object(["type": .string("http"), "scheme": .string("bearer"), "description": .string(description)])
    }

    /// Writes `:name` as `{name}`.
    private static func path(of route: Route) -> String {
        "/" + segments(of: route).map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }.joined(separator: "/")
    }

    private static func segments(of route: Route) -> [String] { route.path.split(separator: "/").map(String.init) }

    private func operation(of route: Route, _ components: inout [String: JSONValue]) -> JSONValue {
        let document = documents[route.operationID] ?? RouteDocument(replies: [:])
        var operation: [String: JSONValue] = [
            "operationId": .string(route.operationID), "summary": .string(route.summary),
            "tags": .array([.string(document.tag.rawValue)]), "x-nexus-access": .string(route.access.rawValue),
            "security": security(of: route, document),
            "responses": responses(of: route, document, &components),
        ]
        let parameters = parameters(of: route, document)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let request = document.request {
            let schema = JSONValue.object([
                "schema": request.reference(&components, isReply: false),
                "example": request.example(isRequest: true),
            ])
            let types = document.requestTypes.reduce(into: [:]) { $0[$1] = schema }
            operation["requestBody"] = .object([
                "required": .bool(!document.isRequestOptional),
                "content": .object(types),
            ])
        }
        if let socket = document.socket {
            operation["x-nexus-messages"] = .object([
                "subprotocol": .string(socket.subprotocol),
                "fromServer": Self.events(socket.fromServer, named: "type", &components),
                "fromClient": Self.events(socket.fromClient, named: "type", isReply: false, &components),
                "schemas": .object([
                    "fromServer": JSONSchema.socketMessage.reference(&components, isReply: true),
                    "fromClient": SocketDocument.saying.reference(&components, isReply: false),
                ]),
            ])
        }
        return .object(operation)
    }

    private func security(of route: Route, _ document: RouteDocument) -> JSONValue {
        if document.takesSession { return .array([.object(["session": .array([])])]) }
        return switch route.access {
        case .everyone: .array([])
        case .source: .array([.object(["source": .array([])])])
        case .person, .user, .tools, .userOrAdmin, .writer, .ingest, .admin:
            .array(asksForTokens ? [.object(["bearer": .array([])])] : [])
        }
    }

    private func parameters(of route: Route, _ document: RouteDocument) -> [JSONValue] {
        let inPath = Self.segments(of: route).filter { $0.hasPrefix(":") }.map {
            Self.parameter(String($0.dropFirst()), in: "path", .identifier, isRequired: true)
        }
        let inQuery = document.query.map { Self.parameter($0.name, in: "query", $0.schema) }
        let isOpen = route.access == .everyone || route.access == .source
        let user = JSONSchema.identifier.described("The asker, if the caller may name one.")
        let key = JSONSchema.text(1...255).described("The same post with the same key is carried out once.")
        return inPath + inQuery + (isOpen ? [] : [Self.parameter("X-Nexus-User", in: "header", user)])
            + (route.takesIdempotencyKey ? [Self.parameter("Idempotency-Key", in: "header", key)] : [])
    }

    private static func parameter(
        _ name: String, in place: String, _ schema: JSONSchema, isRequired: Bool = false
    ) -> JSONValue {
        var parameter: [String: JSONValue] = [
            "name": .string(name), "in": .string(place), "required": .bool(isRequired), "schema": schema.inline,
        ]
        if isRequired { parameter["example"] = .string(ExampleText.text(for: name, isTime: false)) }
        return .object(parameter)
    }

    private func responses(
        of route: Route, _ document: RouteDocument, _ components: inout [String: JSONValue]
    ) -> JSONValue {
        var replies = document.replies
        for status in document.failures(of: route) {
            let (type, schema) = Self.failure(of: route)
            replies[status, default: [:]][type] = schema
        }
        var responses: [String: JSONValue] = [:]
        for (status, types) in replies {
            let isFailure = status >= 400 && status != 503 || document.replies[status] == nil
            let phrase = isFailure ? ChatProblem.title(of: status) + "." : Self.phrases[status] ?? "Done."
            var response: [String: JSONValue] = ["description": .string(phrase)]
            if !types.isEmpty {
                var content: [String: JSONValue] = [:]
                for (type, schema) in types {
                    var media = ["schema": schema.reference(&components, isReply: true)]
                    if !isFailure, type.hasSuffix("json") { media["example"] = schema.example(isRequest: false) }
                    if type == "text/event-stream" {
                        media["x-nexus-events"] = Self.events(document.events, named: "event", &components)
                    }
                    content[type] = .object(media)
                }
                response["content"] = .object(content)
            }
            if document.setsSession, status < 400 { response["headers"] = Self.sessionHeaders }
            responses[String(status)] = .object(response)
        }
        return .object(responses)
    }

    private static let sessionHeaders = JSONValue.object([
        "Set-Cookie": .object([
            "description": .string(
                "\(SessionCookie.session.name), which renews the session, and \(SessionCookie.device.name)."),
            "schema": JSONSchema.string.inline,
        ])
    ])

    /// Writes the events of a stream in their order; the field with the name is missing for those without one.
    private static func events(
        _ events: [StreamEvent], named field: String, isReply: Bool = true,
        _ components: inout [String: JSONValue]
    ) -> JSONValue {
        .array(
            events.map { event in
                var value: [String: JSONValue] = [
                    "description": .string(event.summary), "data": event.data.reference(&components, isReply: isReply),
                    "example": event.data.example(isRequest: false),
                ]
                value[field] = event.name.map { .string($0) }
                return .object(value)
            })
    }

    private static func failure(of route: Route) -> (type: String, schema: JSONSchema) {
        switch route.errors {
        case .problem: ("application/problem+json", .problem)
        case .callable: ("application/json", .callableProblem)
        case .openAI: ("application/json", .openAIProblem)
        }
    }
}
