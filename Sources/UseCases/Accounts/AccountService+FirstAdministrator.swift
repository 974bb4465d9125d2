package import ChatCore

extension Sequence<Account> {
    /// Whether anybody can sign in as an administrator.
    package var hasAdministrator: Bool {
        contains { $0.role == .administrator && $0.acceptedAt != nil && !$0.isDisabled }
    }
}

extension AccountService {
    /// Makes the account of an administrator who is present, and signs the person in.
    ///
    /// For a server that trusts its callers until then: the person has shown nothing.
    ///
    /// - Parameters:
    ///   - id: The person.
    ///   - name: The name; nil for none.
    ///   - password: The password.
    ///   - userAgent: What the client says of itself.
    ///   - address: The network address of the client.
    /// - Returns: A new session.
    /// - Throws: ``AccountError/exists``, ``AccountError/reservedID``, ``AccountError/passwordTooShort``,
    ///   ``AccountError/passwordTooLong``, ``AccountError/overloaded``.
    package func begin(
        _ id: UserID, name: String?, password: String, userAgent: String?, address: String? = nil
    ) async throws -> SignedIn {
        // Checked first, so that no invitation stays behind.
        try Self.check(password)
        let link = try await invite(id, name: name, role: .administrator)
        return try await accept(link.code, password: password, name: name, userAgent: userAgent, address: address)
    }
}
