import ChatCore
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// The allowed numbers of rows of a page.
    static let pageRange = 1...200
    /// The default number of rows of a page.
    static let pageSize = 50

    private static let conversationPath = "v1/conversations/:conversation"

    /// Conversations; the asker must be permitted to see one.
    var conversationRoutes: [Route] {
        [
            Route(
                .post, "v1/conversations", .writer, id: "createConversation", "Creates a conversation.",
                takesIdempotencyKey: true
            ) { try await createConversation($0, $1) },
            Route(
                .get, "v1/conversations", .user, id: "listConversations",
                "Lists the asker's conversations: pinned ones first, then by last activity."
            ) { try await listConversations($0, $1) },
            Route(.get, Self.conversationPath, .user, id: "getConversation", "Shows a conversation and its members.") {
                let roster = try await roster($0, $1)
                let embedding = try await $0.useCases.embedding(of: roster)
                let admins = try await $0.useCases.admins(of: roster)
                return try reply(
                    ConversationDetails(
                        roster.conversation, members: roster.members, admins: admins, embedding: embedding))
            },
            Route(
                .patch, Self.conversationPath, .ingest, id: "changeConversation",
                "Sets whether a conversation is embedded."
            ) { try await changeConversation($0, $1) },
        ]
    }

    /// Returns the path's conversation; `conversation_forbidden` unless the asker may see it.
    func roster(_ incoming: IncomingRequest, _ caller: Caller) async throws -> ConversationRoster {
        try await incoming.useCases.roster(of: try incoming.conversationID(), asker: try incoming.asker(caller))
    }

    /// Returns the path's conversation; `conversation_forbidden` unless the writer may write there.
    func roster(_ incoming: IncomingRequest, for writer: Writer) async throws -> ConversationRoster {
        try await incoming.useCases.roster(of: try incoming.conversationID(), for: writer)
    }

    /// Answers 201 for a new one, 200 if the same conversation exists.
    ///
    /// A person may not choose its id, because a conflict would reveal a foreign conversation.
    private func createConversation(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let newID = incoming.repeatableIDs?[0] ?? services.makeID()
        var roster = try ConversationFields.roster(body, newID: newID, at: incoming.receivedAt)
        var person: IdentifiedPerson?
        var maker: UserID?
        switch caller {
        case .person(let known, _), .assistant(let known, _):
            _ = try incoming.asker(caller, body: body)
            roster = try await checked(roster, body, madeBy: known, incoming)
            try await refuseUnknown(roster.members.map(\.userID), of: caller, field: "members")
            person = known
        case .trusted, .operator: maker = try? incoming.asker(caller, body: body)
        case .key, .stranger: break
        }
        let isNew = try await incoming.useCases.create(roster, by: person, for: maker)
        let wire = ConversationDetails(roster.conversation, members: roster.members)
        return try reply(wire, status: isNew ? .created : .ok)
    }

    /// Returns a conversation with only those names and times that its creator may set.
    private func checked(
        _ roster: ConversationRoster, _ body: JSONField, madeBy person: IdentifiedPerson, _ incoming: IncomingRequest
    ) async throws -> ConversationRoster {
        guard !body["id"].isPresent else { throw Failure.conversationIDForbidden }
        try incoming.useCases.requireMaking(roster, by: person)
        let moment = incoming.receivedAt
        var roster = roster
        roster.conversation.createdAt = moment
        let names = try await incoming.useCases.knownNames(of: Set(roster.members.map(\.userID)), to: person)
        let items = try body["members"].optionalArray() ?? []
        roster.members = try zip(roster.members, items).map { member, item in
            let known = names[member.userID] ?? []
            let name = try PersonFields.name(ofMember: item, names: known)
            return Member(
                userID: member.userID, displayName: name ?? known.first ?? member.userID.rawValue, joinedAt: moment)
        }
        return roster
    }

    /// Sets whether a conversation is embedded, `{"embedding": "default" | "included" | "excluded"}`.
    private func changeConversation(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let choice: ConversationEmbedding.Choice? = try body["embedding"].optionalWord()
        guard let choice else { throw body["embedding"].missing }
        let writer = try incoming.writer(caller, body: body)
        let id = try incoming.conversationID()
        let embedding = try await incoming.useCases.setEmbedding(choice, of: id, for: writer)
        guard !writer.isWriteOnly else { return try reply(EmbeddingChoice(id: id, embedding)) }
        let roster = try await incoming.useCases.roster(of: id, for: writer)
        return try reply(ConversationDetails(roster.conversation, members: roster.members, embedding: embedding))
    }

    /// Lists conversations as the asker has them; the page after a conversation that moved begins behind its new place.
    private func listConversations(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let after: ConversationID? = try incoming.cursor("after")
        let query = incoming.query("q")
        if let fault = query.flatMap({ TextLimit.question.fault(of: $0) }) { throw Failure.invalid(field: "q", fault) }
        let (entries, _) = try await incoming.useCases.inbox(of: asker, matching: query)
        var rest = entries[...]
        if let after {
            guard let place = entries.firstIndex(where: { $0.conversation.id == after }) else {
                throw Failure.conversationForbidden
            }
            rest = entries[(place + 1)...]
        }
        let page = rest.prefix(limit)
        return try reply(
            ChatConversationPage(
                conversations: page.map { ChatConversation($0) },
                next: rest.count > limit ? page.last?.conversation.id.rawValue : nil))
    }
}
