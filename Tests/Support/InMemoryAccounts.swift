package import ChatCore
import Synchronization

/// Accounts, links and sessions in memory.
package final class InMemoryAccounts: AccountRepository {
    private struct Session {
        var session: AccountSession
        var digest: [UInt8]
        var previous: [UInt8]?
        var renewedAt: Timestamp?
    }

    private struct State {
        var accounts: [UserID: Account] = [:]
        var passwords: [UserID: String] = [:]
        var links: [UserID: AccountInvitation] = [:]
        var sessions: [AccountSession.ID: Session] = [:]
        var readings: [(user: UserID, reading: AssistantReading)] = []
        var key: [UInt8]?

        mutating func endSessions(of id: UserID, except kept: AccountSession.ID? = nil) -> [AccountSession.ID] {
            let ended = sessions.values.map(\.session).filter { $0.userID == id && $0.id != kept }.map(\.id).sorted()
            for session in ended { sessions[session] = nil }
            return ended
        }

        func link(_ digest: [UInt8], at moment: Timestamp) -> AccountInvitation? {
            links.values.first { $0.digest == digest && isValid($0, at: moment) }
        }

        func isValid(_ link: AccountInvitation, at moment: Timestamp) -> Bool {
            guard link.expiresAt > moment, accounts[link.userID]?.isDisabled == false else { return false }
            // Keys are not kept here.
            guard case .account(let id) = link.maker else { return true }
            return accounts[id]?.role == .administrator && accounts[id]?.isDisabled == false
        }

        mutating func endLinks(madeBy id: UserID) { links = links.filter { $0.value.maker != .account(id) } }
    }

    private let state = Mutex(State())

    package init() {}

    package func invite(_ account: Account, with invitation: AccountInvitation) async throws {
        try Self.check(account)
        try state.withLock { state in
            if var known = state.accounts[account.userID] {
                guard known.acceptedAt == nil else { throw RepositoryError.conflict("an account with this id exists") }
                known.name = account.name
                known.role = account.role
                state.accounts[account.userID] = known
            } else {
                state.accounts[account.userID] = account
            }
            state.links[account.userID] = invitation
        }
    }

    package func acceptAccount(_ account: Account, at moment: Timestamp) async throws -> Account {
        try Self.check(account)
        return state.withLock { state in
            var known = state.accounts[account.userID] ?? account
            known.acceptedAt = known.acceptedAt ?? moment
            state.accounts[account.userID] = known
            return known
        }
    }

    package func accounts() async throws -> [Account] {
        state.withLock { $0.accounts.values.sorted { $0.userID < $1.userID } }
    }

    package func account(_ id: UserID) async throws -> Account? { state.withLock { $0.accounts[id] } }

    package func changeAccount(_ id: UserID, role: AccountRole?, isDisabled: Bool?) async throws -> AccountChange? {
        state.withLock { state in
            guard var account = state.accounts[id] else { return nil }
            account.role = role ?? account.role
            account.isDisabled = isDisabled ?? account.isDisabled
            state.accounts[id] = account
            if isDisabled == true || role == .member { state.endLinks(madeBy: id) }
            guard isDisabled == true else { return AccountChange(account: account, endedSessions: []) }
            state.links[id] = nil
            return AccountChange(account: account, endedSessions: state.endSessions(of: id))
        }
    }

    package func password(of id: UserID) async throws -> String? { state.withLock { $0.passwords[id] } }

    package func setPassword(
        _ password: String, of id: UserID, insteadOf old: String, keeping session: AccountSession.ID?
    ) async throws -> AccountChange? {
        state.withLock { state in
            guard state.passwords[id] == old else { return nil }
            state.accounts[id]?.hasPassword = true
            guard let account = state.accounts[id] else { return nil }
            state.passwords[id] = password
            state.links[id] = nil
            return AccountChange(account: account, endedSessions: state.endSessions(of: id, except: session))
        }
    }

    package func rewritePassword(_ password: String, of id: UserID, insteadOf old: String) async throws {
        state.withLock { state in
            if state.passwords[id] == old { state.passwords[id] = password }
        }
    }

    package func addInvitation(_ invitation: AccountInvitation) async throws -> Bool {
        state.withLock { state in
            guard state.accounts[invitation.userID] != nil else { return false }
            state.links[invitation.userID] = invitation
            return true
        }
    }

    package func invitation(of user: UserID, at moment: Timestamp) async throws -> AccountInvitation? {
        state.withLock { state in state.links[user].flatMap { state.isValid($0, at: moment) ? $0 : nil } }
    }

    package func invitation(_ digest: [UInt8], at moment: Timestamp) async throws -> AccountInvitation? {
        state.withLock { $0.link(digest, at: moment) }
    }

    package func acceptInvitation(
        _ digest: [UInt8], password: String, name: String?, at moment: Timestamp
    ) async throws -> AccountChange? {
        try state.withLock { state in
            guard let link = state.link(digest, at: moment), var account = state.accounts[link.userID] else {
                return nil
            }
            account.name = name ?? account.name
            try Self.check(account)
            account.acceptedAt = account.acceptedAt ?? moment
            account.hasPassword = true
            state.accounts[account.userID] = account
            state.passwords[account.userID] = password
            state.links[account.userID] = nil
            return AccountChange(account: account, endedSessions: state.endSessions(of: account.userID))
        }
    }

    package func openSession(_ session: AccountSession, digest: [UInt8], password: String?) async throws -> Bool {
        state.withLock { state in
            guard state.accounts[session.userID]?.isDisabled == false else { return false }
            if let password, state.passwords[session.userID] != password { return false }
            if session.assistant == nil { state.accounts[session.userID]?.lastSignInAt = session.createdAt }
            state.sessions[session.id] = Session(session: session, digest: digest)
            let own = state.sessions.values.map(\.session).filter {
                $0.userID == session.userID
                    && ($0.expiresAt <= session.createdAt || ($0.assistant == nil) == (session.assistant == nil))
            }
            let valid = own.filter { $0.expiresAt > session.createdAt }.sorted {
                ($1.lastUsedAt, $0.id) < ($0.lastUsedAt, $1.id)
            }
            let kept = Set(valid.prefix(AccountSession.countLimit).map(\.id))
            for session in own where !kept.contains(session.id) { state.sessions[session.id] = nil }
            return true
        }
    }

    package func session(_ id: AccountSession.ID, at moment: Timestamp) async throws -> (
        session: AccountSession, account: Account
    )? {
        state.withLock { state in
            guard let session = state.sessions[id]?.session, session.expiresAt > moment,
                let account = state.accounts[session.userID], !account.isDisabled
            else { return nil }
            return (session, account)
        }
    }

    package func sessions(of id: UserID, at moment: Timestamp) async throws -> [AccountSession] {
        state.withLock { state in
            state.sessions.values.map(\.session).filter { $0.userID == id && $0.expiresAt > moment }
                .sorted { ($1.lastUsedAt, $0.id) < ($0.lastUsedAt, $1.id) }
        }
    }

    package func renewSession(
        _ id: AccountSession.ID, digest: [UInt8], next: [UInt8], grace: Duration, until expiry: Timestamp,
        at moment: Timestamp
    ) async throws -> SessionRenewal {
        state.withLock { state in
            guard var known = state.sessions[id], known.session.expiresAt > moment,
                let account = state.accounts[known.session.userID]
            else { return .unknown }
            if known.digest == digest {
                guard !account.isDisabled else { return .disabled }
                known.previous = digest
                known.digest = next
                known.renewedAt = moment
                known.session.lastUsedAt = moment
                known.session.expiresAt = expiry
                state.sessions[id] = known
                return .renewed(known.session, account)
            }
            if known.previous == digest, let renewedAt = known.renewedAt, moment - renewedAt <= grace {
                return account.isDisabled ? .disabled : .renewed(known.session, account)
            }
            state.sessions[id] = nil
            return .reused
        }
    }

    package func endSession(_ id: AccountSession.ID, of user: UserID) async throws -> Bool {
        state.withLock { state in
            guard state.sessions[id]?.session.userID == user else { return false }
            state.sessions[id] = nil
            return true
        }
    }

    package func recordReadings(_ readings: [AssistantReading], of user: UserID) async throws {
        state.withLock { state in
            guard state.accounts[user] != nil else { return }
            state.readings += readings.map { (user, $0) }
        }
    }

    package func readings(of user: UserID, before: Int64?, limit: Int) async throws -> AssistantReadingPage {
        state.withLock { state in
            let found = state.readings.enumerated().reversed().filter {
                $0.element.user == user && Int64($0.offset) < before ?? .max
            }
            let page = found.prefix(limit)
            return AssistantReadingPage(
                readings: page.map(\.element.reading),
                next: found.count > limit ? page.last.map { Int64($0.offset) } : nil)
        }
    }

    package func deleteReadings(of user: UserID) async throws {
        state.withLock { $0.readings.removeAll { $0.user == user } }
    }

    package func tokenKey(orStoring new: [UInt8]) async throws -> [UInt8] {
        state.withLock { state in
            state.key = state.key ?? new
            return state.key ?? new
        }
    }

    private static func check(_ account: Account) throws(RepositoryError) {
        guard UserID(validating: account.userID.rawValue) != nil else {
            throw .invalid(field: "userId", reason: "is not a usable id")
        }
        if let name = account.name, name.contains("\0") {
            throw .invalid(field: "name", reason: "holds a NUL character")
        }
        if let name = account.name, let fault = TextLimit.name.fault(of: name) {
            throw .invalid(field: "name", reason: fault)
        }
    }
}
