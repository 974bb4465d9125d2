import Accounts
import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

/// The accounts of this server, for administrators.
extension API {
    private static let account = "v1/accounts/:user"

    var accountRoutes: [Route] {
        [
            Route(.get, "v1/accounts", .admin, id: "listAccounts", "Lists the accounts of this server.") {
                incoming, _ in
                try reply(AccountDetailsList(accounts: try await accounts.accounts().map { AccountDetails($0) }))
            },
            Route(
                .post, "v1/accounts", .admin, id: "inviteAccount",
                "Makes an account and a link with which its person sets a password."
            ) { try await invite($0, $1) },
            Route(
                .post, "v1/session/first", .admin, id: "turnSignInOn",
                "Turns sign-in on for a server that trusts its callers: makes the account of an administrator who is present."
            ) { try await turnSignInOn($0, $1) },
            Route(
                .patch, Self.account, .admin, id: "changeAccount",
                "Disables or enables an account, or changes its role."
            ) { try await changeAccount($0, $1) },
            Route(
                .post, Self.account + "/reset", .admin, id: "resetAccount",
                "Makes a link with which a person sets a new password."
            ) { incoming, caller in
                try refuseOtherPages(incoming)
                _ = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                let id = try incoming.userID()
                AuditAct.current?.add(AuditChange(.accountLinkMade, .user(id)))
                return try reply(AccountLinkDetails(try await accounts.reset(id, by: caller.linkMaker)))
            },
        ]
    }

    private var accounts: AccountService {
        get throws(Failure) {
            guard let accounts = services.accounts else { throw .signInNotConfigured }
            return accounts
        }
    }

    private func invite(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        try refuseOtherPages(incoming)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let name = try body["name"].optionalString()
        if let name, let fault = TextLimit.name.fault(of: name, mayBeEmpty: false) { throw body["name"].error(fault) }
        let (id, role): (UserID, AccountRole) = (
            try body["userId"].identifier(), try body["role"].optionalWord() ?? .member
        )
        AuditAct.current?.add(AuditChange(.accountInvited, .user(id), detail: role.rawValue))
        let link = try await accounts.invite(id, name: name, role: role, by: caller.linkMaker)
        return try reply(AccountLinkDetails(link), status: .created)
    }

    /// Makes the first administrator of a server without authentication, and requires it from then on.
    private func turnSignInOn(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        try refuseOtherPages(incoming)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        guard case .trusted = caller else { throw Failure.signInIsOn }
        guard let signIn = services.signIn else { throw Failure.signInIsOff }
        let name = try body["name"].optionalString()
        if let name, let fault = TextLimit.name.fault(of: name, mayBeEmpty: false) { throw body["name"].error(fault) }
        let (id, password): (UserID, String) = (try body["userId"].identifier(), try body["password"].string())
        AuditAct.current?.add(AuditChange(.signInTurnedOn, .user(id)))
        let signedIn = try await accounts.begin(
            id, name: name, password: password, userAgent: incoming.userAgent, address: incoming.address)
        signIn.turnOn()
        return try await reply(signedIn, incoming)
    }

    private func changeAccount(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        try refuseOtherPages(incoming)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let id = try incoming.userID()
        let isDisabled = try body["isDisabled"].optionalFlag()
        let role: AccountRole? = try body["role"].optionalWord()
        for change in AuditChange.ofAccount(id, role: role, isDisabled: isDisabled) { AuditAct.current?.add(change) }
        // Somebody must be left who can undo it.
        if case .person(let person, _) = caller, person.id == id, isDisabled == true || role == .member {
            throw Failure.ownAccount
        }
        return try reply(AccountDetails(try await accounts.change(id, role: role, isDisabled: isDisabled)))
    }
}

extension Caller {
    /// By whose right the caller makes a link; nil for the operator, and without authentication.
    fileprivate var linkMaker: LinkMaker? {
        switch self {
        case .person(let person, _), .assistant(let person, _): .account(person.id)
        case .key(let id, _): .key(id)
        case .trusted, .operator, .stranger: nil
        }
    }
}
