import ChatCore

/// Requests and responses about signing in, sessions and accounts.
extension JSONSchema {
    static let sessionUser = closed(
        .always("userId", identifier), .always("name", string), .always("role", word(AccountRole.self)),
        .always("hasPassword", flag)
    ).named("SessionUser")

    private static let passwordLink = closed(
        .maybe("madeAt", time), .always("expiresAt", time),
        .maybe("madeBy", identifier.described("The administrator; missing for an operator or a key."))
    ).named("PasswordLink")

    static let session = closed(
        .always("user", sessionUser),
        .maybe("passwordLink", passwordLink.described("A link with which this password can be replaced now."))
    ).named("Session")

    static let signedIn = closed(
        .always("accessToken", string.described("For Authorization: Bearer.")), .always("expiresAt", time),
        .always("user", sessionUser)
    ).named("SignedIn")

    private static let picked = closed(.always("userId", identifier), .always("name", string)).named("PickedUser")
    private static let service = closed(.always("name", string)).named("SignInService")

    static let signInMethods = closed(
        .always("authentication", word(["none", "required"])),
        .always("users", array(of: picked).described("The people to pick from, without authentication.")),
        .always("defaultUser", anyOf(identifier, null)),
        .always("password", flag.described("Whether anybody signs in with a password.")),
        .always("oidc", anyOf(service, null)),
        .always("isFirstStart", flag.described("Whether nobody can sign in before the first administrator does."))
    ).named("SignInMethods")

    static let signIn = open(.always("userId", identifier), .always("password", string)).named("SignIn")

    static let invitation = closed(
        .always("userId", identifier), .maybe("name", string), .always("purpose", word(["invitation", "reset"]))
    ).named("Invitation")

    private static let newPassword = string.described("8 to 256 characters.")

    static let invitationAcceptance = open(.always("password", newPassword), .maybe("name", text(1...256)))
        .named("InvitationAcceptance")

    static let passwordChange = open(.always("current", string), .always("new", newPassword)).named("PasswordChange")

    private static let accountSession = closed(
        .always("id", identifier), .always("createdAt", time), .always("lastUsedAt", time),
        .maybe("userAgent", string.described("What the client said of itself when the person signed in.")),
        .always("isCurrent", flag)
    ).named("AccountSession")

    static let sessionList = closed(.always("sessions", array(of: accountSession))).named("SessionList")

    static let account = closed(
        .always("userId", identifier), .always("name", string), .always("role", word(AccountRole.self)),
        .always("isDisabled", flag), .always("createdAt", time), .maybe("lastSignInAt", time),
        .always("isInvited", flag.described("Whether the person has not accepted the invitation yet."))
    ).named("Account")

    static let accountList = closed(.always("accounts", array(of: account))).named("AccountList")

    static let newAccount = open(
        .always("userId", identifier), .maybe("name", text(1...256)), .maybe("role", word(AccountRole.self))
    ).named("NewAccount")

    static let accountChange = open(
        .maybe("role", word(AccountRole.self)), .maybe("isDisabled", flag)
    ).named("AccountUpdate")

    static let accountLink = closed(
        .always("userId", identifier), .always("link", string.described("Relative to the address of this server.")),
        .always("expiresAt", time)
    ).named("AccountLink")

    /// A body that may be missing, and whose fields are ignored.
    static let nothing = open()
}

extension API {
    /// The requests and responses of ``signInRoutes``, ``sessionRoutes`` and ``accountRoutes``.
    var accountDocuments: [String: RouteDocument] {
        var acceptance = RouteDocument.json(
            .signedIn, request: .invitationAcceptance, failures: [404, 409, 429, 503, 507])
        acceptance.tag = .accounts
        let redirect = RouteDocument(replies: [302: [:]], failures: [404, 429])
        var callback = redirect
        callback.query = ["code", "state", "error", "iss"].map { .init(name: $0, schema: .string) }
        return [
            "startOpenID": redirect, "finishOpenID": callback,
            "getSignInMethods": .json(.signInMethods, failures: [503]),
            "signIn": .json(.signedIn, request: .signIn, failures: [401, 404, 429, 503, 507]),
            "refreshSession": .json(.signedIn, request: .nothing, failures: [401, 503, 507]),
            "signOut": .empty(failures: [503, 507]),
            "getInvitation": .json(.invitation, failures: [404, 429, 503]),
            "acceptInvitation": acceptance,
            "getSession": .json(.session),
            "listSessions": .json(.sessionList),
            "endSession": .empty(failures: [404, 507]),
            "changePassword": RouteDocument(
                request: .passwordChange, replies: [204: [:]], failures: [404, 503, 507]),
            "listAccounts": .json(.accountList, failures: [404]),
            "inviteAccount": {
                var document = RouteDocument.json(.accountLink, request: .newAccount, failures: [404, 409, 507])
                document.replies = [201: ["application/json": .accountLink]]
                return document
            }(),
            "changeAccount": .json(.account, request: .accountChange, failures: [404, 409, 507]),
            "resetAccount": .json(.accountLink, request: .nothing, failures: [404, 507]),
        ]
    }
}
