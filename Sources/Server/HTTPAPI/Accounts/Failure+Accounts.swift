import Accounts

extension Failure {
    static let signInNotConfigured = Failure(
        404, "sign_in_not_configured", "this way to sign in is not set up on this server", .notFound)
    static let sessionEnded = Failure(
        401, "session_ended", "the session has ended: sign in again", .unauthenticated,
        challenge: #"Bearer realm="nexus", error="invalid_token", error_description="the session has ended""#)
    static let noSuchSession = Failure(404, "session_not_found", "this user has no such session", .notFound)
    static let wrongPassword = Failure(
        403, "password_wrong", "the present password is wrong", .permissionDenied, field: "current")
    static let signInIsOn = Failure(
        409, "sign_in_on", "people sign in here already: an administrator can invite more", .failedPrecondition)
    static let signInIsOff = Failure(
        409, "sign_in_off", "auth.mode is none: remove that setting, and start the server again", .failedPrecondition)
    static func unknownUser(field: String?) -> Failure {
        Failure(404, "user_unknown", "nobody here has this id", .notFound, field: field)
    }
    static let ownAccount = Failure(
        409, "own_account", "administrators cannot disable their own accounts, or give up their own role",
        .failedPrecondition)

    init(_ error: AccountError) {
        switch error {
        case .signInFailed:
            self = Failure(401, "sign_in_failed", "the user or the password is wrong", .unauthenticated)
        case .disabled: self = Failure(403, "account_disabled", "the account is disabled", .permissionDenied)
        case .sessionEnded: self = .sessionEnded
        case .invitationUnknown:
            self = Failure(404, "invitation_unknown", "the link is unknown, used, or too old", .notFound)
        case .passwordTooShort:
            self = Failure(
                400, "password_too_short",
                "a password has at least \(AccountService.passwordRange.lowerBound) characters", .invalidArgument,
                field: "password")
        case .passwordTooLong:
            self = Failure(
                400, "password_too_long",
                "a password has at most \(AccountService.passwordRange.upperBound) characters", .invalidArgument,
                field: "password")
        case .unknownAccount: self = Failure(404, "account_not_found", "there is no such account", .notFound)
        case .exists: self = Failure(409, "account_exists", "there is an account with this id", .alreadyExists)
        case .reservedID: self = .invalid(field: "userId", "is reserved")
        case .overloaded: self = .overloaded
        }
    }
}
