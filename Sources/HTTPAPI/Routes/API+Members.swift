import ChatCore
import Hummingbird

extension API {
    private static let membersPath = "v1/conversations/:conversation/members"

    /// Who is in a conversation; the asker must be permitted to see it.
    var memberRoutes: [Route] {
        [
            Route(.get, Self.membersPath) { incoming in
                try reply(MemberList(members: try await roster(incoming).members.map { MemberWire($0) }))
            },
            Route(.get, Self.membersPath + "/:user") { try await member($0) },
            Route(.put, Self.membersPath + "/:user") { try await setMember($0) },
            Route(.delete, Self.membersPath + "/:user") { try await removeMember($0) },
        ]
    }

    private func member(_ incoming: IncomingRequest) async throws -> Response {
        let roster = try await roster(incoming)
        let userID = try incoming.userID()
        guard let member = roster.members.first(where: { $0.userID == userID }) else {
            throw Failure(404, "member_not_found", "there is no such member", .notFound)
        }
        return try reply(MemberWire(member))
    }

    /// Adds or renews a member; without `joinedAt` one who is there keeps the date.
    private func setMember(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let roster = try await roster(incoming)
        let userID = try incoming.userID()
        let present = roster.members.first { $0.userID == userID && $0.leftAt == nil }
        let moment = services.now()
        let member = try ConversationFields.member(body, userID: userID, joinedAt: present?.joinedAt ?? moment)
        try await services.store.setMember(member, in: roster.conversation.id, source: Self.source, at: moment)
        return try reply(MemberWire(member))
    }

    private func removeMember(_ incoming: IncomingRequest) async throws -> Response {
        let roster = try await roster(incoming)
        try await services.store.removeMember(
            try incoming.userID(), from: roster.conversation.id, at: services.now())
        return Response(status: .noContent)
    }
}
