import Accounts
import ChatCore
import HTTPAPI
import LiveChat
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Who may try how often.
extension SignInTests {
    @Test func attemptsAreLimitedForEachUser() async throws {
        try await withServer { server, _ in
            _ = try await join(server)
            for user in ["ada", "eve"] {
                var replies: [Int] = []
                // On a busy machine an attempt comes back while others are made.
                while replies.last != 429, replies.count < 100 {
                    replies.append(try await signIn(server, user, password: "wrong horse").status)
                }
                #expect(replies.count > 10)
                #expect(replies.last == 429)
                #expect(replies.dropLast().allSatisfy { $0 == 401 })
            }
            // The right password does not help, either, unless on a busy machine an attempt has come back.
            var reply: Reply
            repeat {
                while try await signIn(server, password: "wrong horse").status != 429 {}
                reply = try await signIn(server)
            } while reply.status != 429
            #expect(reply.field("code") == "too_many_sign_ins")
            #expect(Int(reply.headers["Retry-After"] ?? "") ?? 0 > 0)
        }
    }

    /// A server behind a proxy on this machine.
    private func withProxy(_ body: (RunningServer) async throws -> Void) async throws {
        var parts = parts()
        parts.settings.proxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
        try await ServerTestSupport.withServer(parts) { try await body($0) }
    }

    /// The field that a proxy adds for a client.
    private static func from(_ address: String) -> Headers { [("X-Forwarded-For", address)] }

    /// The cookie that marks a device.
    private static func device(of reply: Reply) -> Headers {
        let values = reply.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
        return values.first { $0.hasPrefix("nexus-device=") }.map { [("Cookie", String($0.prefix { $0 != ";" }))] }
            ?? []
    }

    @Test func aStrangerWhoGuessesLocksOnlyHimselfOut() async throws {
        try await withProxy { server in
            let joined = try await join(server)
            let device = Self.device(of: joined.reply)
            #expect(!device.isEmpty)
            let stranger = Self.from("203.0.113.9")
            var guess: Reply
            repeat {
                guess = try await signIn(server, password: "wrong horse", headers: stranger)
            } while guess.status == 401
            #expect(guess.field("code") == "too_many_sign_ins")

            #expect(try await signIn(server, headers: Self.from("198.51.100.7")).status == 200)
            #expect(try await signIn(server, headers: stranger + device).status == 200)
            let change = try await server.send(
                "PUT", "/v1/account/password", #"{"current":"\#(Self.password)","new":"battery staple"}"#,
                headers: stranger + joined.bearer)
            #expect(change.status == 204)
            // What a client writes into the field means nothing.
            let forged = Self.from("198.51.100.8, 203.0.113.9")
            while try await signIn(server, password: "wrong horse", headers: stranger).status == 401 {}
            #expect(try await signIn(server, password: "wrong horse", headers: forged).status == 429)
        }
    }

    @Test func strangersFromManyAddressesAreLimitedTogether() async throws {
        try await withProxy { server in
            let joined = try await join(server)
            var (count, status) = (0, 401)
            while status == 401, count < 1_000 {
                count += 1
                let address = "203.0.113.\(count % 250)"
                status = try await signIn(server, password: "wrong horse", headers: Self.from(address)).status
            }
            #expect(status == 429 && count > 60)

            let device = Self.device(of: joined.reply)
            #expect(try await signIn(server, headers: Self.from("198.51.100.7") + device).status == 200)
        }
    }

    @Test func onlyTheServersOwnMarkOfTheSamePersonCounts() async throws {
        try await withServer { server, parts in
            let ada = try await join(server)
            let ben = try await join(server, "ben")
            let accounts = AccountService(
                store: parts.accounts, now: parts.now, makeID: { "x" }, sessionsEnded: { _ in })
            func mark(_ reply: Reply) -> String? { Self.device(of: reply).first.map { String($0.value.dropFirst(13)) } }
            let own = try #require(mark(ada.reply))

            #expect(try await accounts.device(of: own, for: "ada")?.mark == own)
            #expect(try await accounts.device(of: mark(ben.reply), for: "ada") == nil)
            for text in ["", ".", "a.b", String(own.dropLast()), own + "A", "A" + own] {
                #expect(try await accounts.device(of: text, for: "ada") == nil, "\(text)")
            }
            let again = try await signIn(server, headers: Self.device(of: ada.reply))
            #expect(mark(again) == own)
        }
    }
}
