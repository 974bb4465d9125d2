import Accounts
import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Accounts over both stores.
@Suite(.hangGuard) struct AccountServiceTests {
    private static let cheap = PasswordHasher(cost: .init(logarithm: 4, blockSize: 1, parallelism: 1))
    private static let password = "correct horse"

    /// What a test acts on.
    struct Scene: Sendable {
        let accounts: AccountService
        let store: any AccountRepository
        let clock: ManualNow
        let ended: EndedSessions

        /// Invites a person who accepts.
        func join(_ id: UserID = "ada", _ role: AccountRole = .member) async throws -> AccountService.SignedIn {
            let link = try await accounts.invite(id, role: role)
            return try await accounts.accept(
                link.code, password: AccountServiceTests.password, name: "Ada", userAgent: "test")
        }
    }

    /// The sessions whose connections were told to close.
    final class EndedSessions: Sendable {
        private let kept = Mutex<[AccountSession.ID]>([])
        var all: [AccountSession.ID] { kept.withLock { $0 } }
        func add(_ sessions: [AccountSession.ID]) { kept.withLock { $0 += sessions } }
    }

    private func withBoth(
        hasher: PasswordHasher = AccountServiceTests.cheap, _ body: (Scene) async throws -> Void
    ) async throws {
        try await body(scene(InMemoryAccounts(), hasher))
        let folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(scene(store, hasher))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func scene(_ store: any AccountRepository, _ hasher: PasswordHasher) -> Scene {
        let clock = ManualNow(Timestamp(milliseconds: 1_761_215_400_000))
        let ended = EndedSessions()
        let number = Mutex(0)
        return Scene(
            accounts: AccountService(
                store: store, hasher: hasher, reserved: ["assistant"], now: clock.now,
                makeID: {
                    let next = number.withLock {
                        $0 += 1
                        return $0
                    }
                    return "s\(next)"
                }, sessionsEnded: { ended.add($0) }), store: store, clock: clock, ended: ended)
    }

    @Test func aLinkSetsThePasswordOnce() async throws {
        try await withBoth { scene in
            let link = try await scene.accounts.invite("ada", name: "Ada L", role: .administrator)
            #expect(link.path == "/#/invitation/\(link.code)")
            let (account, purpose) = try await scene.accounts.invitation(link.code)
            #expect(account.userID == "ada" && purpose == .invitation && account.acceptedAt == nil)

            let joined = try await scene.accounts.accept(
                link.code, password: Self.password, name: nil, userAgent: nil)

            #expect(joined.account.role == .administrator && joined.account.name == "Ada L")
            await #expect(throws: AccountError.invitationUnknown) {
                _ = try await scene.accounts.accept(link.code, password: "another one", name: nil, userAgent: nil)
            }
            _ = try await scene.accounts.signIn("ada", password: Self.password, userAgent: nil)
            #expect(try await scene.accounts.account("ada")?.lastSignInAt == scene.clock.now())
        }
    }

    @Test func linksExpireAndALaterOneReplacesAnEarlier() async throws {
        try await withBoth { scene in
            let first = try await scene.accounts.invite("ada")
            let second = try await scene.accounts.invite("ada", role: .administrator)
            await #expect(throws: AccountError.invitationUnknown) { try await scene.accounts.invitation(first.code) }
            #expect(try await scene.accounts.invitation(second.code).account.role == .administrator)
            scene.clock.advance(by: AccountService.invitationLifetime)
            await #expect(throws: AccountError.invitationUnknown) { try await scene.accounts.invitation(second.code) }
            for code in ["", "x", second.code + "A", String(second.code.dropLast())] {
                await #expect(throws: AccountError.invitationUnknown) { try await scene.accounts.invitation(code) }
            }
        }
    }

    @Test func aWrongPasswordAndAnUnknownUserLookTheSame() async throws {
        try await withBoth { scene in
            _ = try await scene.join()
            _ = try await scene.accounts.invite("ben")
            for (user, password) in [("ada", "wrong horse"), ("eve", Self.password), ("ben", Self.password)] {
                await #expect(throws: AccountError.signInFailed) {
                    try await scene.accounts.signIn(UserID(rawValue: user), password: password, userAgent: nil)
                }
            }
        }
    }

    @Test func oneSpellingOfAPasswordIsAsGoodAsAnother() async throws {
        try await withBoth { scene in
            let link = try await scene.accounts.invite("ada")
            _ = try await scene.accounts.accept(link.code, password: "caf\u{E9} caf\u{E9}", name: nil, userAgent: nil)
            _ = try await scene.accounts.signIn("ada", password: "cafe\u{301} cafe\u{301}", userAgent: nil)
        }
    }

    @Test(
        arguments: [
            ("1234567", AccountError.passwordTooShort), (String(repeating: "x", count: 257), .passwordTooLong),
        ])
    func passwordsHaveALength(password: String, error: AccountError) async throws {
        try await withBoth { scene in
            let link = try await scene.accounts.invite("ada")
            await #expect(throws: error) {
                try await scene.accounts.accept(link.code, password: password, name: nil, userAgent: nil)
            }
            #expect(try await scene.accounts.invitation(link.code).account.userID == "ada")
        }
    }

    @Test func aSessionIsRenewedWithANewTokenEachTime() async throws {
        try await withBoth { scene in
            var token = try await scene.join().refreshToken
            var tokens: Set<String> = [token]
            for _ in 0..<3 {
                scene.clock.advance(by: .seconds(60))
                let renewed = try await scene.accounts.renew(token)
                #expect(renewed.session.lastUsedAt == scene.clock.now())
                token = renewed.refreshToken
                #expect(tokens.insert(token).inserted)
            }
            #expect(try await scene.accounts.sessions(of: "ada").count == 1)
            scene.clock.advance(by: AccountService.sessionLifetime)
            await #expect(throws: AccountError.sessionEnded) { try await scene.accounts.renew(token) }
        }
    }

    @Test func aLostReplyIsNotTheEnd() async throws {
        try await withBoth { scene in
            let first = try await scene.join().refreshToken
            let second = try await scene.accounts.renew(first).refreshToken
            scene.clock.advance(by: .seconds(30))

            #expect(try await scene.accounts.renew(first).refreshToken == second)
            _ = try await scene.accounts.renew(second)
        }
    }

    @Test func anOldTokenEndsTheSession() async throws {
        try await withBoth { scene in
            let joined = try await scene.join()
            let second = try await scene.accounts.renew(joined.refreshToken).refreshToken
            scene.clock.advance(by: .seconds(31))

            await #expect(throws: AccountError.sessionEnded) { try await scene.accounts.renew(joined.refreshToken) }
            await #expect(throws: AccountError.sessionEnded) { try await scene.accounts.renew(second) }
            #expect(scene.ended.all == [joined.session.id])
            #expect(try await scene.accounts.session(joined.session.id) == nil)
        }
    }

    @Test func aTokenThatThisServerDidNotMakeEndsNothing() async throws {
        try await withBoth { scene in
            let joined = try await scene.join()
            let parts = joined.refreshToken.split(separator: ".")
            let forged = [
                "", "x", "\(parts[0])", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[2]).\(parts[2])",
                "s9.\(parts[1]).\(parts[2])", joined.refreshToken + "A",
            ]
            for token in forged {
                await #expect(throws: AccountError.sessionEnded) { try await scene.accounts.renew(token) }
            }
            _ = try await scene.accounts.renew(joined.refreshToken)
            #expect(scene.ended.all == [])
        }
    }

    @Test func aDisabledAccountIsOutAtOnce() async throws {
        try await withBoth { scene in
            let joined = try await scene.join()
            let account = try await scene.accounts.change("ada", isDisabled: true)

            #expect(account.isDisabled && scene.ended.all == [joined.session.id])
            await #expect(throws: AccountError.sessionEnded) { try await scene.accounts.renew(joined.refreshToken) }
            await #expect(throws: AccountError.disabled) {
                try await scene.accounts.signIn("ada", password: Self.password, userAgent: nil)
            }
            await #expect(throws: AccountError.signInFailed) {
                try await scene.accounts.signIn("ada", password: "wrong horse", userAgent: nil)
            }
            await #expect(throws: AccountError.disabled) { try await scene.accounts.reset("ada") }
            _ = try await scene.accounts.change("ada", isDisabled: false)
            _ = try await scene.accounts.signIn("ada", password: Self.password, userAgent: nil)
        }
    }

    @Test func aPasswordThatWasReplacedMeanwhileOpensNothing() async throws {
        try await withBoth { scene in
            let (joined, store) = (try await scene.join(), scene.store)
            let checked = try #require(try await store.password(of: "ada"))
            let link = try await scene.accounts.reset("ada")
            _ = try await scene.accounts.accept(link.code, password: "battery staple", name: nil, userAgent: nil)
            let session = AccountSession(
                id: "late", userID: "ada", createdAt: scene.clock.now(), lastUsedAt: scene.clock.now(),
                expiresAt: joined.session.expiresAt, userAgent: nil)
            let digest = [UInt8](repeating: 7, count: 32)

            #expect(try await !store.openSession(session, digest: digest, password: checked))
            #expect(try await store.setPassword("hash", of: "ada", insteadOf: checked, keeping: nil) == nil)
            _ = try await scene.accounts.signIn("ada", password: "battery staple", userAgent: nil)
            let present = try await store.password(of: "ada")
            #expect(try await store.openSession(session, digest: digest, password: present))
        }
    }

    @Test func aNewPasswordEndsTheOtherSessions() async throws {
        try await withBoth { scene in
            let first = try await scene.join()
            let second = try await scene.accounts.signIn("ada", password: Self.password, userAgent: nil)
            await #expect(throws: AccountError.signInFailed) {
                try await scene.accounts.changePassword(
                    of: "ada", from: "wrong horse", to: "battery staple", keeping: second.session.id)
            }

            try await scene.accounts.changePassword(
                of: "ada", from: Self.password, to: "battery staple", keeping: second.session.id)

            #expect(scene.ended.all == [first.session.id])
            #expect(try await scene.accounts.sessions(of: "ada").map(\.id) == [second.session.id])
            _ = try await scene.accounts.signIn("ada", password: "battery staple", userAgent: nil)
        }
    }

    @Test func aResetKeepsThePasswordUntilItIsUsed() async throws {
        try await withBoth { scene in
            let joined = try await scene.join()
            let link = try await scene.accounts.reset("ada")
            _ = try await scene.accounts.renew(joined.refreshToken)
            #expect(try await scene.accounts.invitation(link.code).purpose == .reset)

            _ = try await scene.accounts.accept(link.code, password: "battery staple", name: nil, userAgent: nil)

            #expect(scene.ended.all == [joined.session.id])
            #expect(try await scene.accounts.account("ada")?.name == "Ada")
            let late = try await scene.accounts.reset("ada")
            scene.clock.advance(by: AccountService.resetLifetime)
            await #expect(throws: AccountError.invitationUnknown) { try await scene.accounts.invitation(late.code) }
        }
    }

    @Test func aLinkEndsWithTheRightOfItsMaker() async throws {
        try await withBoth { scene in
            let accounts = scene.accounts
            for id in ["ada", "ben", "cyd"] as [UserID] { _ = try await scene.join(id, .administrator) }
            func isOpen(_ link: AccountLink) async throws -> Bool { (try? await accounts.invitation(link.code)) != nil }
            let link = try await accounts.reset("ada", by: .account("ben"))
            #expect(try await accounts.openReset(of: "ada")?.maker == .account("ben"))

            _ = try await accounts.change("ben", role: .member)

            #expect(try await !isOpen(link))
            #expect(try await accounts.openReset(of: "ada") == nil)
            await #expect(throws: AccountError.invitationUnknown) {
                try await accounts.accept(link.code, password: "battery staple", name: nil, userAgent: nil)
            }
            // A right that comes back brings no link back.
            _ = try await accounts.change("ben", role: .administrator)
            #expect(try await !isOpen(link))
            let invited = try await accounts.invite("eve", by: .account("cyd"))
            let operators = try await accounts.reset("ben")
            _ = try await accounts.change("cyd", isDisabled: true)
            #expect(try await !isOpen(invited))
            #expect(try await isOpen(operators))
        }
    }

    @Test func signingOutEndsOneSession() async throws {
        try await withBoth { scene in
            let joined = try await scene.join()
            let other = try await scene.accounts.signIn("ada", password: Self.password, userAgent: nil)
            try await scene.accounts.signOut("nonsense")
            try await scene.accounts.signOut(joined.refreshToken)

            #expect(scene.ended.all == [joined.session.id])
            #expect(try await scene.accounts.end(other.session.id, of: "eve") == false)
            #expect(try await scene.accounts.end(other.session.id, of: "ada"))
            #expect(try await scene.accounts.sessions(of: "ada") == [])
        }
    }

    @Test func thereAreNotTooManySessions() async throws {
        try await withBoth { scene in
            let joined = try await scene.join()
            for _ in 0..<AccountSession.countLimit {
                scene.clock.advance(by: .seconds(1))
                _ = try await scene.accounts.signIn(identified: "ada", name: nil, userAgent: nil)
            }
            let sessions = try await scene.accounts.sessions(of: "ada")
            #expect(sessions.count == AccountSession.countLimit)
            #expect(!sessions.contains { $0.id == joined.session.id })
        }
    }

    @Test func idsAreUsedOnce() async throws {
        try await withBoth { scene in
            _ = try await scene.join()
            await #expect(throws: AccountError.exists) { try await scene.accounts.invite("ada") }
            await #expect(throws: AccountError.reservedID) { try await scene.accounts.invite("assistant") }
            await #expect(throws: AccountError.unknownAccount) { try await scene.accounts.reset("eve") }
            await #expect(throws: AccountError.unknownAccount) {
                try await scene.accounts.change("eve", role: .administrator)
            }
            await #expect(throws: RepositoryError.invalid(field: "name", reason: "holds a NUL character")) {
                try await scene.accounts.invite("eve", name: "a\0b")
            }
        }
    }

    @Test func aPersonOfAnotherServiceGetsAnAccount() async throws {
        try await withBoth { scene in
            let joined = try await scene.accounts.signIn(identified: "ada", name: "Ada L", userAgent: nil)
            #expect(joined.account.role == .member && joined.account.acceptedAt != nil)
            await #expect(throws: AccountError.signInFailed) {
                try await scene.accounts.signIn("ada", password: "", userAgent: nil)
            }
            _ = try await scene.accounts.change("ada", isDisabled: true)
            await #expect(throws: AccountError.disabled) {
                try await scene.accounts.signIn(identified: "ada", name: nil, userAgent: nil)
            }
            await #expect(throws: AccountError.reservedID) {
                try await scene.accounts.signIn(identified: "assistant", name: nil, userAgent: nil)
            }
        }
    }

    @Test func thePasswordIsHashedAgainWhenTheCostRises() async throws {
        let store = InMemoryAccounts()
        _ = try await scene(store, Self.cheap).join()
        let old = try await store.password(of: "ada")

        let costly = scene(store, PasswordHasher(cost: .init(logarithm: 5, blockSize: 1, parallelism: 1)))
        _ = try await costly.accounts.signIn("ada", password: Self.password, userAgent: nil)

        #expect(old?.hasPrefix("scrypt$4$1$1$") == true)
        #expect(try await store.password(of: "ada")?.hasPrefix("scrypt$5$1$1$") == true)
        _ = try await costly.accounts.signIn("ada", password: Self.password, userAgent: nil)
    }
}
