import ChatCore
import NexusModel

/// Requests and responses about signing in, sessions and accounts.
extension JSONSchema {
    static let session = reply(SessionState.self)
    static let sessionList = reply(SessionDetailsList.self)
    static let signedIn = reply(SignedInSession.self)
    static let signInMethods = reply(SignInMethods.self)
    static let invitation = reply(AccountInvitationDetails.self)
    static let account = reply(AccountDetails.self)
    static let accountList = reply(AccountDetailsList.self)
    static let accountLink = reply(AccountLinkDetails.self)

    static let signIn = closed(.always("userId", identifier), .always("password", string)).named("SignIn")

    private static let newPassword = string.described("8 to 256 characters.")

    static let invitationAcceptance = closed(.always("password", newPassword), .maybe("name", text(1...256)))
        .named("InvitationAcceptance")

    static let passwordChange = closed(.always("current", string), .always("new", newPassword)).named("PasswordChange")

    static let newAccount = closed(
        .always("userId", identifier), .maybe("name", text(1...256)), .maybe("role", word(AccountRole.self))
    ).named("NewAccount")

    static let firstAccount = closed(
        .always("userId", identifier), .always("password", newPassword), .maybe("name", text(1...256))
    ).named("FirstAccount")

    static let foundPeople = reply(ChatPeople.self)

    static let accountChange = closed(
        .maybe("role", word(AccountRole.self)), .maybe("isDisabled", flag)
    ).named("AccountUpdate")

    /// An object without fields, or no body at all.
    static let nothing = closed().withoutFields
}

extension SessionUser: NotedReply {
    static let replyNotes = ReplyNotes("SessionUser", ["role": .word(AccountRole.self)])
}

extension SessionState: NotedReply {
    static let replyNotes = ReplyNotes(
        "Session",
        [
            "passwordLink": .reply(PasswordLink.self).described(
                "A link with which this password can be replaced now.")
        ])
}

extension PasswordLink: NotedReply {
    static let replyNotes = ReplyNotes(
        "PasswordLink",
        ["madeBy": .identifier.described("The administrator; missing for an operator or a key.")])
}

extension SignedInSession: NotedReply {
    static let replyNotes = ReplyNotes(
        "SignedIn", ["accessToken": .string.described("For Authorization: Bearer.")])
}

extension SignInMethods: NotedReply {
    static let replyNotes = ReplyNotes(
        "SignInMethods",
        [
            "authentication": .word(["none", "required"]),
            "users": .array(of: .reply(ChatPerson.self, notes: ReplyNotes("PickedUser"))).described(
                "The people to pick from, without authentication."),
            "defaultUser": .anyOf(.identifier, .null),
            "password": .flag.described("Whether anybody signs in with a password."),
            "oidc": .anyOf(.reply(SignInMethods.Service.self), .null),
            "isFirstStart": .flag.described("Whether nobody can sign in as an administrator yet."),
            "hasLanguageModel": .flag.described(
                "Whether a language model writes answers, summaries and suggestions."),
        ], always: ["defaultUser", "oidc"])
}

extension SignInMethods.Service: NotedReply {
    static let replyNotes = ReplyNotes("SignInService")
}

extension AccountInvitationDetails: NotedReply {
    static let replyNotes = ReplyNotes("Invitation", ["purpose": .word(["invitation", "reset"])])
}

extension SessionDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "AccountSession",
        ["userAgent": .string.described("What the client said of itself when the person signed in.")])
}

extension SessionDetailsList: NotedReply {
    static let replyNotes = ReplyNotes("SessionList")
}

extension AccountDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "Account",
        [
            "role": .word(AccountRole.self),
            "isInvited": .flag.described("Whether the person has not accepted the invitation yet."),
        ])
}

extension AccountDetailsList: NotedReply {
    static let replyNotes = ReplyNotes("AccountList")
}

extension ChatPeople: NotedReply {
    static let replyNotes = ReplyNotes(
        "FoundPeople", ["people": .array(of: .reply(ChatPerson.self, notes: ReplyNotes("FoundPerson")))])
}

extension AccountLinkDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "AccountLink", ["link": .string.described("Relative to the address of this server.")])
}

extension API {
    /// The requests and responses of ``signInRoutes``, ``sessionRoutes`` and ``accountRoutes``.
    var accountDocuments: [String: RouteDocument] {
        var acceptance = RouteDocument.json(
            .signedIn, request: .invitationAcceptance, failures: [404, 409, 429, 503, 507])
        acceptance.tag = .accounts
        acceptance.setsSession = true
        var signingIn = RouteDocument.json(.signedIn, request: .signIn, failures: [401, 404, 429, 503, 507])
        signingIn.setsSession = true
        var renewal = RouteDocument.json(.signedIn, request: .nothing, failures: [401, 503, 507]).withOptionalBody
        (renewal.takesSession, renewal.setsSession) = (true, true)
        var end = RouteDocument.empty(failures: [503, 507])
        end.takesSession = true
        let redirect = RouteDocument(replies: [302: [:]], failures: [404, 429]).withOtherParameters
        var callback = redirect
        callback.setsSession = true
        callback.query = ["code", "state", "error", "iss"].map { .init(name: $0, schema: .string) }
        return [
            "startOpenID": redirect, "finishOpenID": callback,
            "getSignInMethods": .json(.signInMethods, failures: [503]),
            "signIn": signingIn, "refreshSession": renewal, "signOut": end,
            "getInvitation": .json(.invitation, failures: [404, 429, 503]),
            "acceptInvitation": acceptance,
            "getSession": .json(.session),
            "listSessions": .json(.sessionList),
            "endSession": .empty(failures: [404, 507]),
            "changePassword": RouteDocument(
                request: .passwordChange, replies: [204: [:]], failures: [404, 503, 507]),
            "turnSignInOn": .json(.signedIn, request: .firstAccount, failures: [404, 409, 503, 507]),
            "findPeople": .json(
                .foundPeople,
                query: [
                    .init(name: "q", schema: .string),
                    .init(
                        name: "limit",
                        schema: .integer(Self.peopleRange).standard(.integer(Int64(Self.peopleCount)))),
                ]),
            "listAccounts": .json(.accountList, failures: [404]),
            "inviteAccount": {
                var document = RouteDocument.json(.accountLink, request: .newAccount, failures: [404, 409, 507])
                document.replies = [201: ["application/json": .accountLink]]
                return document
            }(),
            "changeAccount": .json(.account, request: .accountChange, failures: [404, 409, 507]),
            "resetAccount": RouteDocument.json(.accountLink, request: .nothing, failures: [404, 507]).withOptionalBody,
        ]
    }
}
