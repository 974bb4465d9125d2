import Assistant
import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

/// Commands about links in rooms of other chats, and what is answered.
@Suite(.hangGuard) struct LinkCommandTests {
    private static let author = UserID(rawValue: "slack-U1")

    /// Lets somebody write in a room of Slack, as its connector stores it.
    private func write(
        _ question: String, _ id: MessageID, at second: Int, hidesCode: Bool = true, _ fixture: MentionFixture
    ) async throws {
        var page = ConnectorPage(source: "slack", room: "C1")
        let command = LinkCommand(question: question)
        var text = "@nexus \(question)"
        if case .join? = command { text = "@nexus \(LinkCommand.hiddenCode)" }
        let message = Message.short("slack-C1", id, by: Self.author, text, at: second)
        var state = ConnectorMessage(id: id, message: message, readAt: message.timestamp)
        if hidesCode { state.linkCommand = command }
        page.messages = [state]
        page.events = [ConnectorEvent(id: id.rawValue, kind: .message)]
        try await fixture.store.take(page, at: fixture.clock.now())
    }

    @Test func commandsAreAnsweredWithWhatBecameOfThemAndAskNobody() async throws {
        let model = RepeatingModel(end: "[1]")
        try await MentionFixture.with(model: model) { fixture in
            let room = ConnectorRoom(id: "C1", conversationID: "slack-C1", progress: "{}")
            try await fixture.store.store(room, of: "slack")
            try await fixture.store.store(
                ConversationRoster.of("slack-C1", [Self.author]), connectedTo: "slack", at: fixture.clock.now())
            _ = try await fixture.service.look(from: nil)
            _ = try await fixture.store.keepLinkCode(
                LinkCode.digest("7KQXM2PD"), of: "ada", until: .second(600), at: .second(0))

            try await write("link 7KQX-M2PE", "m1", at: 1, fixture)
            try await write("link 7KQX-M2PD", "m2", at: 2, fixture)
            // An edit that shows a command, or a message whose command was not taken.
            try await write("link 7KQX-M2PF", "m3", at: 3, hidesCode: false, fixture)
            try await fixture.work()

            let texts = try await fixture.answers(in: "slack-C1").map(\.text)
            #expect(texts.count == 3)
            #expect(texts.contains { $0.hasPrefix("(No account of Nexus has this code.") })
            #expect(texts.contains { $0.contains("joined with the account “ada” of Nexus") })
            #expect(texts.contains { $0.hasPrefix("(Nothing was done") })
            #expect(texts.allSatisfy { !$0.contains("M2P") })

            try await write("unlink", "m4", at: 4, fixture)
            try await fixture.work()
            let after = try await fixture.answers(in: "slack-C1", asker: Self.author).map(\.text)
            #expect(after.contains("(You are not joined with an account of Nexus any more.)"))
            #expect(try await fixture.store.links(of: nil).isEmpty)
            // None of them is a question, which a follow-up would be based on.
            #expect(try await fixture.states() == ["failed": 4])
        }
    }

    @Test(
        arguments: [
            ("link 7KQX-M2PD", "7KQXM2PD"), ("LINK 7kqxm2pd", "7KQXM2PD"), ("link 7KQX M2PD", "7KQXM2PD"),
            ("link 7KQX-M2P0", "7KQXM2P0"), ("link budgets?", nil), ("link analysis", nil), ("link 7KQX-M2P", nil),
            ("link", nil), ("link the two reports of 2024", nil), ("unlink me", nil),
            ("please link 7KQX-M2PD", "7KQXM2PD"), ("link 7KQX-M2PD.", "7KQXM2PD"), ("`link 7KQX-M2PD`", "7KQXM2PD"),
            ("please _link_ *7KQX-M2PD*, thanks", "7KQXM2PD"), ("link 7KQX-M2PD thanks", "7KQXM2PD"),
            ("what is the link 20261130 for?", nil), ("which link?", nil),
        ] as [(String, String?)])
    func aCodeIsReadAndQuestionsAreNot(question: String, code: String?) {
        #expect(LinkCommand(question: question) == code.map { .join(code: $0) })
        #expect(LinkCommand(question: "Unlink") == .end)
    }

    @Test func codesHaveNoLettersThatLookAlike() {
        for byte in UInt8.min...UInt8.max {
            let code = LinkCode.make(of: Array(repeating: byte, count: 8))
            #expect(code.count == 9 && !code.contains { "01OI".contains($0) })
            #expect(LinkCode.normalized(code + " ") == nil)
        }
        #expect(LinkCode.make(of: [0, 1, 2, 3, 4, 5, 6, 7]) == "2345-6789")
    }

    @Test(
        arguments: [
            ("Ada@Example.ORG", "ada@example.org"), (" ada+x@example.org ", "ada+x@example.org"), ("ada@example", nil),
            ("ada", nil), ("a@b@example.org", nil), ("@example.org", nil), ("ada@", nil), ("adа@example.org", nil),
            ("\u{212A}im@example.org", nil), ("ada@example.org.", nil), ("a da@example.org", nil),
            ("\"ada\"@example.org", nil), ("ada@example.org,eve@example.org", nil), ("ada\n@example.org", nil),
        ] as [(String, String?)])
    func addressesAreComparedInOneForm(given: String, expected: String?) {
        #expect(EmailAddress.normalized(given) == expected)
    }
}
