import ChatCore
import NexusModel

extension ProgramRequest: NotedReply {
    static let replyNotes = ReplyNotes(
        "ProgramRequest",
        [
            "scopes": .array(of: .word(AssistantScope.self)),
            "redirectTo": .string.described("Where the browser goes; missing while there is no decision."),
        ])
}

extension SessionDetails.Assistant: NotedReply {
    static let replyNotes = ReplyNotes("ConnectedAssistant", ["scopes": .array(of: .word(AssistantScope.self))])
}

extension JSONSchema {
    fileprivate static let programDecision = closed(
        .always("request", string.described("The query with which the program sent the browser here.")),
        .maybe("consent", word(ProgramDecision.self))
    ).named("ProgramDecision")

    fileprivate static let newProgram = open(
        .always("redirect_uris", array(of: string)), .maybe("client_name", string)
    ).named("NewProgram")
}

extension API {
    /// The requests and responses of ``authorizationRoutes``; the specifications say more.
    var authorizationDocuments: [String: RouteDocument] {
        let metadata = RouteDocument.json(.map(of: .any), failures: [404]).withOtherParameters
        var registration = RouteDocument.json(.map(of: .any), request: .newProgram, failures: [404, 429])
        registration.replies = [201: ["application/json": .map(of: .any)], 400: ["application/json": .map(of: .any)]]
        var asking = RouteDocument(replies: [302: [:]], failures: [404]).withOtherParameters
        asking.replies[400] = ["text/html": .string]
        return [
            "describeMCP": metadata, "describeResource": metadata, "describeAuthorization": metadata,
            "describeOpenID": metadata, "registerProgram": registration, "askForAuthorization": asking,
            "authorize": .json(.reply(ProgramRequest.self), request: .programDecision, failures: [404]),
            "makeToken": Self.form(replies: [200: ["application/json": .map(of: .any)]]),
            "revokeToken": Self.form(replies: [200: [:]]),
        ]
    }

    private static func form(replies: [Int: [String: JSONSchema]]) -> RouteDocument {
        var document = RouteDocument(
            request: .open(.always("client_id", .string)), replies: replies, failures: [404, 503, 507])
        document.requestTypes = ["application/x-www-form-urlencoded"]
        document.replies[400] = ["application/json": .map(of: .any)]
        document.replies[401] = ["application/json": .map(of: .any)]
        return document
    }
}
