import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Lines of Mattermost that are not the usual ones.
@Suite struct MattermostContentTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static func user(_ name: String, more: String = "", channel: String = #"{"name": "crane"}"#) -> String {
        #"{"type": "user", "user": {"username": "\#(name)", "teams": [{"name": "yard", "channels": [\#(channel)]}]\#(more)}}"#
    }

    private static func post(_ user: String, _ message: String, more: String = "", at second: Int = 0) -> String {
        #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "\#(user)", "message": "\#(message)", "#
            + #""create_at": \#(1_600_000_000_000 + second * 1_000)\#(more)}}"#
    }

    private static func direct(_ members: [String], _ message: String, at second: Int = 0) -> String {
        let list = members.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"type": "direct_post", "direct_post": {"channel_members": [\#(list)], "user": "\#(members[0])", "#
            + #""message": "\#(message)", "create_at": \#(1_600_000_000_000 + second * 1_000)}}"#
    }

    private func run(_ lines: [String], type: String = "O") async throws -> HistoryBench.Result {
        let all =
            [
                #"{"type": "version", "version": 1}"#, #"{"type": "team", "team": {"name": "yard", "type": "O"}}"#,
                #"{"type": "channel", "channel": {"team": "yard", "name": "crane", "type": "\#(type)"}}"#,
            ] + lines
        return try await bench.run(try bench.write(all.joined(separator: "\n"), to: "export.jsonl"))
    }

    @Test func botsHaveTheirNameAndKind() async throws {
        let bot = #"{"type": "bot", "bot": {"username": "pagerbot", "display_name": "Pager", "owner": "ada"}}"#

        let result = try await run([Self.user("ada"), bot, Self.post("pagerbot", "gauge 8 is low")])

        #expect(result.refusals == [])
        #expect(result.report.notes == [])
        let messages = try await bench.messages(in: "mattermost-yard:crane", asker: "mattermost-ada")
        #expect(messages.map(\.senderName) == ["Pager"])
        #expect(messages.map(\.kind) == [.bot])
        #expect(try await bench.store.kind(of: "mattermost-pagerbot") == .bot)
    }

    @Test func directPostsNeedNoLineOfTheirChannel() async throws {
        let result = try await run([
            Self.user("ada"), Self.user("ben"), Self.user("cyd"),
            Self.direct(["ada", "ben", "cyd"], "we three"), Self.direct(["cyd", "ben", "ada"], "again", at: 1),
            Self.direct(["ben", "ada"], "we two", at: 2),
            #"{"type": "direct_channel", "direct_channel": {"members": ["ben", "ada"]}}"#,
        ])

        #expect(result.refusals == [])
        #expect(result.report.newConversations == 3)
        let three = try await bench.messages(in: "mattermost-direct:ada,ben,cyd", asker: "mattermost-cyd")
        #expect(three.map(\.text) == ["we three", "again"])
        let two = try await bench.roster(of: "mattermost-direct:ada,ben", asker: "mattermost-ada")
        #expect(two.conversation.kind == .direct)
        #expect(two.members.map(\.userID) == ["mattermost-ada", "mattermost-ben"])
        await #expect(throws: RepositoryError.noSuchConversation("mattermost-direct:ada,ben")) {
            _ = try await bench.roster(of: "mattermost-direct:ada,ben", asker: "mattermost-cyd")
        }
    }

    @Test(arguments: ["P", "G", "X", ""]) func onlyOpenChannelsAreForTheTeam(type: String) async throws {
        let result = try await run(
            [Self.user("ada"), Self.user("ben", channel: ""), Self.post("ada", "closed")], type: type)

        let members = try await bench.store.roster(of: "mattermost-yard:crane").members
        #expect(members.map(\.userID) == ["mattermost-ada"])
        #expect(result.report.notes.map(\.kind) == (["P", "G"].contains(type) ? [] : [.membersOnly]))
    }

    @Test func guestsOfAChannelAndDeactivatedPeopleReadLess() async throws {
        _ = try await run([
            Self.user("ada"),
            Self.user("gus", channel: #"{"name": "other", "roles": "channel_guest"}"#),
            Self.user("old", more: #", "delete_at": 1600000500000"#), Self.post("ada", "for the team"),
        ])

        let members = try await bench.store.roster(of: "mattermost-yard:crane").members
        #expect(members.map(\.userID) == ["mattermost-ada", "mattermost-old"])
        #expect(members.map(\.leftAt) == [nil, Timestamp(milliseconds: 1_600_000_500_000)])
        #expect(try await bench.store.kind(of: "mattermost-gus") == .guest)
    }

    @Test func linesAndPostsThatAreNotKnownAreNamed() async throws {
        let result = try await run([
            Self.user("ada"), #"{"type": "role", "role": {}}"#, #"{"type": "playbook", "playbook": {}}"#,
            Self.post("ada", "", more: #", "type": "custom_board""#),
            Self.post("ada", "with words", more: #", "type": "custom_board""#, at: 1),
        ])

        #expect(result.report.insertedMessages == 1)
        #expect(result.report.skipped == [.empty: 1])
        #expect(result.report.notes.map(\.name) == ["mattermost line playbook", "mattermost post custom_board"])
    }
}
