import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

/// Links between the asker's account and people of other chats.
extension API {
    var linkRoutes: [Route] {
        [
            Route(
                .get, "v1/links", .user, id: "listLinks",
                "Lists the people of other chats with whom the asker's account is joined."
            ) { incoming, caller in
                let asker = try incoming.asker(caller)
                let links = try await services.links?.links(of: asker) ?? []
                return try reply(
                    PersonLinkList(links: links.map { PersonLinkDetails($0) }, sources: services.links?.sources ?? []))
            },
            Route(
                .post, "v1/links/code", .person, id: "makeLinkCode",
                "Makes a code that joins the asker's account with the person who writes it in another chat."
            ) { incoming, caller in
                let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                let asker = try incoming.asker(caller, body: body)
                guard let links = services.links, !links.sources.isEmpty else { throw Failure.noConnections }
                let made = try await links.makeCode(for: asker)
                return try reply(LinkCodeDetails(code: made.code, expiresAt: made.expiresAt.wireDate))
            },
            Route(.delete, "v1/links/:source", .person, id: "endLink", "Ends the asker's link with another chat.") {
                incoming, caller in
                let asker = try incoming.asker(caller)
                guard try await services.links?.end(try incoming.parameter("source"), of: asker) == true else {
                    throw Failure.noSuchLink
                }
                return Response(status: .noContent)
            },
        ]
    }

    var linkDocuments: [String: RouteDocument] {
        [
            "listLinks": .json(.reply(PersonLinkList.self)),
            "makeLinkCode": RouteDocument.json(.reply(LinkCodeDetails.self), request: .askerOnly, failures: [404, 507])
                .withOptionalBody,
            "endLink": .empty(failures: [404, 507]),
        ]
    }
}

extension Failure {
    static let noConnections = Failure(
        404, "connections_not_configured", "this server is connected to no other chat: see docs/connections.md",
        .notFound)
    static let noSuchLink = Failure(
        404, "link_not_found", "the asker's account is not joined with anybody of this chat", .notFound)
}

extension PersonLinkDetails {
    init(_ link: PersonLink) {
        self.init(
            source: link.source, authorId: link.authorID, name: link.name, way: link.way == .email ? .email : .code,
            linkedAt: link.linkedAt.wireDate)
    }
}

extension PersonLinkDetails: NotedReply {
    static let replyNotes = ReplyNotes("PersonLink", ["way": .word(PersonLinkDetails.Way.self)])
}

extension PersonLinkList: NotedReply {
    static let replyNotes = ReplyNotes("PersonLinkList")
}

extension LinkCodeDetails: NotedReply {
    static let replyNotes = ReplyNotes("LinkCode")
}
