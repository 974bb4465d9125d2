import ChatCore
import Hummingbird
import NexusModel
import UseCases

extension API {
    private static let membersPath = "v1/conversations/:conversation/members"
    private static let memberPath = membersPath + "/:user"
    private static let userPath = "v1/users/:user"

    /// The members of a conversation.
    ///
    /// The asker must be permitted to see it. A person joins and leaves for himself or herself; administrators of a
    /// group remove others.
    var memberRoutes: [Route] {
        [
            Route(.get, Self.membersPath, .user, id: "listMembers", "Lists a conversation's members, by user.") {
                try await listMembers($0, $1)
            },
            Route(.get, Self.memberPath, .user, id: "getMember", "Shows a member.") { try await member($0, $1) },
            Route(.put, Self.memberPath, .writer, id: "setMember", "Adds or updates a member.") {
                try await setMember($0, $1)
            },
            Route(.delete, Self.memberPath, .writer, id: "removeMember", "Removes a member.") {
                try await removeMember($0, $1)
            },
        ]
    }

    /// The kinds of users.
    var userRoutes: [Route] {
        [
            Route(.get, Self.userPath, .admin, id: "getUser", "Shows the kind of a user.") {
                incoming, _ in
                let user = try incoming.userID()
                return try reply(
                    UserDetails(userId: user.rawValue, kind: .init(try await incoming.useCases.kind(of: user))))
            },
            Route(.put, Self.userPath, .ingest, id: "setUser", "Sets the kind of a user.") {
                incoming, _ in
                let body = try await incoming.json(limit: settings.bodyByteLimit)
                let user = try incoming.userID()
                guard let kind: UserKind = try body.object()["kind"].optionalWord() else {
                    throw body["kind"].error("is missing")
                }
                try await incoming.useCases.setKind(kind, of: user)
                return try reply(UserDetails(userId: user.rawValue, kind: .init(kind)))
            },
        ]
    }

    private func listMembers(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let after: UserID? = try incoming.cursor("after")
        let (page, admins) = try await incoming.useCases.members(
            of: try incoming.conversationID(), asker: try incoming.asker(caller), after: after, limit: limit)
        return try reply(
            ChatMemberPage(
                members: page.elements.map { ChatMember($0, isAdmin: admins.contains($0.userID)) },
                next: page.hasMore ? page.elements.last?.userID.rawValue : nil))
    }

    private func member(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let userID = try incoming.userID()
        let roster = try await incoming.useCases.roster(
            of: try incoming.conversationID(), only: [userID], asker: try incoming.asker(caller))
        guard let member = roster.members.first(where: { $0.userID == userID }) else {
            throw Failure(404, "member_not_found", "there is no such member", .notFound)
        }
        let admins = try await incoming.useCases.admins(of: roster)
        return try reply(ChatMember(member, isAdmin: admins.contains(userID)))
    }

    /// Adds or updates a member; without `joinedAt` a present member keeps the date.
    private func setMember(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let writer = try incoming.writer(caller)
        let userID = try incoming.userID()
        try await refuseUnknown([userID], of: caller, field: nil)
        let member = try await incoming.useCases.setMember(
            userID, in: try incoming.conversationID(), by: writer
        ) { present, names in
            let joinedAt = present?.joinedAt ?? incoming.receivedAt
            let member = try ConversationFields.member(body, userID: userID, joinedAt: joinedAt)
            guard case .person = writer else { return member }
            let name = try PersonFields.name(ofMember: body, names: names)
            return Member(
                userID: userID, displayName: name ?? names.first ?? userID.rawValue, aliases: present?.aliases ?? [],
                joinedAt: joinedAt, leftAt: present?.leftAt)
        }
        return try reply(ChatMember(member))
    }

    private func removeMember(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let writer = try incoming.writer(caller)
        let (id, user) = (try incoming.conversationID(), try incoming.userID())
        try await incoming.useCases.removeMember(user, from: id, by: writer)
        return Response(status: .noContent)
    }
}
