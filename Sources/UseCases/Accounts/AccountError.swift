/// Why something cannot be done with an account.
package enum AccountError: Error, Hashable, Sendable {
    /// The user or the password is wrong; the two look the same.
    case signInFailed
    /// The account is disabled.
    case disabled
    /// The session has ended, or there was none.
    case sessionEnded
    /// The link is unknown, used, or too old.
    case invitationUnknown
    /// The password has too few characters.
    case passwordTooShort
    /// The password has too many characters.
    case passwordTooLong
    /// There is no such account.
    case unknownAccount
    /// There is an account with this id.
    case exists
    /// The id cannot be used for a person.
    case reservedID
    /// Too many sign-ins wait.
    case overloaded
}
