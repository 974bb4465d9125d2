import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NexusModel
import UseCases
import WebServer

/// What people show of themselves: title, time zone, picture.
extension API {
    private static let ownPicture = "v1/profile/picture"
    private static let group = "v1/conversations/:conversation"

    var profileRoutes: [Route] {
        [
            Route(.get, "v1/profile", .user, id: "getProfile", "Shows the asker's own profile.") { incoming, caller in
                try reply(
                    UserProfile(try await incoming.useCases.profile(of: try incoming.asker(caller))))
            },
            Route(
                .put, "v1/profile", .person, id: "setProfile",
                "Changes the asker's own profile: the fields that it names, and nothing else."
            ) { try await setProfile($0, $1) },
            Route(
                .put, Self.ownPicture, .person, id: "setPicture",
                "Sets the asker's picture: the server makes a small square of a PNG or JPEG."
            ) { try await setPicture($0, $1) },
            Route(.delete, Self.ownPicture, .person, id: "removePicture", "Removes the asker's picture.") {
                incoming, caller in
                try reply(UserProfile(try await incoming.useCases.removePicture(of: try incoming.asker(caller))))
            },
            Route(
                .get, "v1/profiles", .user, id: "listProfiles",
                "Shows the profiles of people; those without one are left out."
            ) { try await listProfiles($0, $1) },
            Route(
                .get, "v1/people/:user/pictures/:picture", .user, id: "getPicture",
                "Sends the picture of a person. Its bytes never change: another picture has another id."
            ) { try await getPicture($0, $1) },
            Route(
                .get, "v1/groups", .user, id: "listGroups",
                "Shows who made groups that the asker sees, and their pictures."
            ) { try await listGroups($0, $1) },
            Route(
                .put, Self.group + "/picture", .person, id: "setGroupPicture",
                "Sets the picture of a group: the server makes a small square of a PNG or JPEG."
            ) { try await setGroupPicture($0, $1) },
            Route(
                .delete, Self.group + "/picture", .person, id: "removeGroupPicture", "Removes the picture of a group."
            ) { incoming, caller in
                try await incoming.useCases.removePicture(
                    of: try incoming.conversationID(), by: try incoming.writer(caller))
                return Response(status: .noContent)
            },
            Route(
                .get, Self.group + "/pictures/:picture", .user, id: "getGroupPicture",
                "Sends the picture of a group. Its bytes never change: another picture has another id."
            ) { incoming, caller in
                let asker = try incoming.asker(caller)
                let found = try await incoming.useCases.picture(
                    try incoming.parameter("picture"), ofGroup: try incoming.conversationID(), asker: asker)
                guard let found else { throw Failure.noSuchPicture }
                return Self.response(found)
            },
        ]
    }

    private func setProfile(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let title = try body["title"].optionalString().map { try Self.title($0, at: body["title"]) }
        let zone = try AskFields.timeZone(body)
        let given = Set(["title", "timeZone"].filter { body[$0].isGiven })
        let changed = try await incoming.useCases.changeProfile(of: asker) { profile in
            if given.contains("title") { profile.title = title.flatMap { $0.isEmpty ? nil : $0 } }
            if given.contains("timeZone") { profile.timeZone = zone }
        }
        return try reply(UserProfile(changed))
    }

    /// Returns a title without spaces around it.
    private static func title(_ text: String, at field: JSONField) throws(FieldError) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if let fault = Profile.titleLimit.fault(of: text) { throw field.error(fault) }
        let isLine = text.unicodeScalars.allSatisfy { scalar in
            ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        guard isLine else { throw field.error("must be one line without control characters") }
        return text
    }

    private func setPicture(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let file = try await pictureFile(incoming, of: asker)
        return try reply(UserProfile(try await incoming.useCases.setPicture(madeFrom: file, of: asker)))
    }

    private func setGroupPicture(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let (asker, writer) = (try incoming.asker(caller), try incoming.writer(caller))
        let file = try await pictureFile(incoming, of: asker)
        try await incoming.useCases.setPicture(
            madeFrom: file, of: try incoming.conversationID(), by: asker, writer)
        return Response(status: .noContent)
    }

    private func listGroups(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let groups: Set<ConversationID> = try identifiers("conversation", incoming)
        let found = try await incoming.useCases.groupProfiles(of: groups, asker: asker)
        return try reply(ChatGroupProfileList(groups: found.map { ChatGroupProfile($0) }))
    }

    /// Returns the ids of a query parameter that is repeated.
    private func identifiers<Subject>(
        _ name: String, _ incoming: IncomingRequest
    ) throws(FieldError) -> Set<Identifier<Subject>> {
        let texts = incoming.queries(name)
        guard texts.count <= Profile.requestLimit else {
            throw FieldError(FieldPath(name), "must be given at most \(Profile.requestLimit) times")
        }
        var ids: Set<Identifier<Subject>> = []
        for text in texts { ids.insert(try JSONField(.string(text), at: FieldPath(name)).identifier()) }
        return ids
    }

    /// Returns the bytes of a picture that arrives.
    private func pictureFile(_ incoming: IncomingRequest, of asker: UserID) async throws -> [UInt8] {
        try incoming.refuseForm()
        try shares.holdUpload(incoming.channel, by: asker)
        return Array(buffer: try await incoming.body(limit: Picture.fileByteLimit))
    }

    private func listProfiles(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let found = try await incoming.useCases.profiles(of: try identifiers("user", incoming), asker: asker)
        return try reply(UserProfileList(profiles: found.map { UserProfile($0) }))
    }

    private func getPicture(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let id = try incoming.parameter("picture")
        let found = try await incoming.useCases.picture(
            id, of: try incoming.userID(), asker: try incoming.asker(caller))
        guard let found else { throw Failure.noSuchPicture }
        return Self.response(found)
    }

    /// Sends a picture; the browser of the asker keeps it for a week, and nobody between.
    private static func response(_ picture: Picture) -> Response {
        var headers: HTTPFields = [
            .contentType: MediaType.jpeg.contentType, .cacheControl: "private, max-age=604800, immutable",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "sandbox; default-src 'none'",
        ]
        headers.set("Cross-Origin-Resource-Policy", to: "same-origin")
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }
}

extension UserProfile {
    init(_ profile: Profile) {
        self.init(
            userId: profile.userID.rawValue, title: profile.title, timeZone: profile.timeZone,
            pictureId: profile.pictureID)
    }
}

extension ChatGroupProfile {
    init(_ profile: GroupProfile) {
        self.init(
            conversationId: profile.conversationID.rawValue, createdBy: profile.creatorID?.rawValue,
            pictureId: profile.pictureID)
    }
}

extension Failure {
    fileprivate static let noSuchPicture = Failure(
        404, "picture_not_found", "there is no such picture that this user may see", .notFound)

    init(_ error: PictureError) {
        switch error {
        case .unknownFormat:
            self = Failure(
                415, "unsupported_media_type", "the body must be a picture: the bytes of a PNG or a JPEG",
                .invalidArgument)
        case .tooLarge:
            self = Failure(
                400, "picture_too_large", "the picture has too many pixels: make it smaller, then send it again",
                .invalidArgument)
        case .unreadable:
            self = Failure(
                400, "picture_unreadable", "the picture cannot be read: save it again as PNG or JPEG", .invalidArgument)
        case .notInstalled:
            self = Failure(
                404, "pictures_not_configured",
                "this server cannot read pictures: whoever runs it must install poppler-utils", .notFound)
        }
    }
}

/// Requests and responses about profiles.
extension JSONSchema {
    fileprivate static let zone = text(1...64).described("The IANA name of a time zone.")

    fileprivate static let profileChange = closed(
        .maybe(
            "title",
            anyOf(text(0...Profile.titleLimit.characters), null).described("What the person does, in one line.")),
        .maybe("timeZone", anyOf(zone, null)),
        .maybe("userId", identifier.described("The asker, if the caller may name one."))
    ).named("ProfileChange")
}

extension UserProfile: NotedReply {
    static let replyNotes = ReplyNotes(
        "Profile",
        [
            "timeZone": .zone,
            "pictureId": .identifier.described("Names the picture; another picture has another id."),
        ])
}

extension UserProfileList: NotedReply {
    static let replyNotes = ReplyNotes("ProfileList")
}

extension ChatGroupProfile: NotedReply {
    static let replyNotes = ReplyNotes(
        "GroupProfile",
        ["createdBy": .identifier, "pictureId": .identifier.described("Names the picture of the group.")])
}

extension ChatGroupProfileList: NotedReply {
    static let replyNotes = ReplyNotes("GroupProfileList")
}

extension API {
    /// The requests and responses of ``profileRoutes``.
    var profileDocuments: [String: RouteDocument] {
        let profile = JSONSchema.reply(UserProfile.self)
        var picture = RouteDocument.json(
            profile, request: .bytes.described("The bytes of a PNG or JPEG of at most 8 MiB."), failures: [404, 507])
        picture.requestTypes = ["application/octet-stream"]
        var groupPicture = picture
        groupPicture.replies = [204: [:]]
        let jpeg = JSONSchema.bytes.described("A square of \(Picture.side) pixels.")
        return [
            "getProfile": .json(profile),
            "setProfile": .json(profile, request: .profileChange, failures: [507]),
            "setPicture": picture,
            "removePicture": .json(profile, failures: [507]),
            "listProfiles": .json(
                .reply(UserProfileList.self),
                query: [.init(name: "user", schema: .array(of: .identifier, atMost: Profile.requestLimit))]),
            "getPicture": RouteDocument(replies: [200: [MediaType.jpeg.rawValue: jpeg]]),
            "getGroupPicture": RouteDocument(replies: [200: [MediaType.jpeg.rawValue: jpeg]]),
            "setGroupPicture": groupPicture,
            "removeGroupPicture": .empty(failures: [507]),
            "listGroups": .json(
                .reply(ChatGroupProfileList.self),
                query: [.init(name: "conversation", schema: .array(of: .identifier, atMost: Profile.requestLimit))]),
        ]
    }
}
