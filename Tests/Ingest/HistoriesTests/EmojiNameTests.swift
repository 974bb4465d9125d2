import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Standard names of emoji in exports become the emoji, so that one emoji is one reaction.
@Suite struct EmojiNameTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let names: [(String, String)] = [
        ("heart", "❤️"), ("+1", "👍"), ("thumbsup", "👍"), ("tada", "🎉"), ("white_check_mark", "✅"), ("eyes", "👀"),
        ("hash", "#️⃣"), ("one", "1️⃣"), ("de", "🇩🇪"), ("flag-de", "🇩🇪"), ("flag-jp", "🇯🇵"), ("flag-scotland", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("thumbsup::skin-tone-3", "👍🏼"), ("+1::skin-tone-6", "👍🏿"), ("point_up::skin-tone-2", "☝🏻"),
        ("woman-running::skin-tone-4", "🏃🏽‍♀️"), ("heart::skin-tone-2", "❤️"),
        // Those of one workspace, and what nobody knows.
        ("shipit", ":shipit:"), ("shipit::skin-tone-9", "shipit::skin-tone-9"), ("flag-d3", ":flag-d3:"),
    ]

    private static let people = (1...names.count).map { "U\($0)" }

    /// The emoji of a message's reactions, by their first people.
    private func reactions(_ conversation: String, by sender: String) async throws -> [String: String] {
        let messages = try await bench.messages(
            in: ConversationID(rawValue: conversation), asker: UserID(rawValue: sender))
        let all = messages.flatMap(\.reactions).flatMap { reaction in
            reaction.userIDs.map { ($0.rawValue, reaction.emoji) }
        }
        #expect(Set(all.map(\.0)).count == all.count)
        return Dictionary(all) { first, _ in first }
    }

    @Test func namesOfSlackAreEmoji() async throws {
        let reactions = zip(Self.names, Self.people).map { name, person in
            #"{"name": "\#(name.0)", "users": ["\#(person)"]}"#
        }
        let people = Self.people.map { #"{"id": "\#($0)", "name": "\#($0)"}"# }
        try bench.write("[\(people.joined(separator: ","))]", to: "slack/users.json")
        try bench.write(
            #"[{"id": "C1", "name": "pier", "is_channel": true, "created": 1, "members": ["U1"]}]"#,
            to: "slack/channels.json")
        let day = try bench.write(
            #"[{"user": "U1", "text": "hi", "ts": "1452837318.000002", "reactions": [\#(reactions.joined(separator: ","))]}]"#,
            to: "slack/pier/2016-01-15.json")
        _ = try await bench.run(day.deletingLastPathComponent().deletingLastPathComponent())

        let found = try await self.reactions("slack-C1", by: "slack-U1")

        for (name, person) in zip(Self.names, Self.people) {
            #expect(found["slack-" + person] == Emoji.qualified(name.1), "\(name.0)")
        }
    }

    @Test func namesOfMattermostAreEmoji() async throws {
        let names = [
            ("heart", "❤️"), ("thumbsup", "👍"), ("+1_medium_dark_skin_tone", "👍🏾"), ("wave_dark_skin_tone", "👋🏿"),
            ("wave_medium_light_skin_tone", "👋🏼"), ("yard_logo", ":yard_logo:"),
            ("parrot_skin_tone", ":parrot_skin_tone:"),
        ]
        let reactions = names.enumerated().map { number, name in
            #"{"user": "u\#(number)", "emoji_name": "\#(name.0)", "create_at": 1600000001000}"#
        }
        let lines = [
            #"{"type": "version", "version": 1}"#,
            #"{"type": "team", "team": {"name": "yard", "display_name": "Yard", "type": "O"}}"#,
            #"{"type": "channel", "channel": {"team": "yard", "name": "crane", "display_name": "Crane", "type": "O"}}"#,
            #"{"type": "user", "user": {"username": "ada", "teams": [{"name": "yard", "channels": [{"name": "crane"}]}]}}"#,
            #"{"type": "post", "post": {"team": "yard", "channel": "crane", "user": "ada", "message": "hi", "#
                + #""create_at": 1600000000001, "reactions": [\#(reactions.joined(separator: ","))]}}"#,
        ]
        _ = try await bench.run(try bench.write(lines.joined(separator: "\n"), to: "import.jsonl"))

        let found = try await self.reactions("mattermost-yard:crane", by: "mattermost-ada")

        for (number, name) in names.enumerated() {
            #expect(found["mattermost-u\(number)"] == Emoji.qualified(name.1), "\(name.0)")
        }
    }

    /// A person who used two names of one emoji counts once; an emoji of the server is none of the standard.
    @Test func oneEmojiIsOneReaction() async throws {
        let line = { (reactions: String) in
            #"{"id": "m", "conversationId": "c", "senderId": "ada", "text": "hi", "timestamp": "2025-01-01T10:00:00Z", "#
                + #""reactions": [\#(reactions)]}"#
        }
        let roster = #"{"id": "c", "participants": [{"id": "ada"}]}"#
        let reactions =
            #"{"emoji": "heart", "userIds": ["ada", "ben"]}, {"emoji": "❤", "userIds": ["ben", "eve"]}, "#
            + #"{"emoji": ":heart:", "userIds": ["zoe"]}, {"emoji": "soup", "userIds": ["ada"]}"#
        _ = try await bench.run(try bench.write(roster + "\n" + line(reactions), to: "own.jsonl"))
        let own = try await bench.messages(in: "c", asker: "ada")
        #expect(
            own.first?.reactions == [
                Message.Reaction(emoji: "❤️", userIDs: ["ada", "ben", "eve", "zoe"]),
                Message.Reaction(emoji: "soup", userIDs: ["ada"]),
            ])

        let author = #"{"id": "10", "name": "ada"}"#
        let file = try bench.write(
            #"{"guild": {"id": "1"}, "channel": {"id": "2", "type": "GuildTextChat", "name": "tides"}, "messages": ["#
                + #"{"id": "100", "type": "Default", "timestamp": "2023-05-01T08:00:00+00:00", "content": "hi", "#
                + #""author": \#(author), "reactions": [{"emoji": {"id": "", "name": "❤"}, "users": [\#(author)]}, "#
                + #"{"emoji": {"id": "77", "name": "heart"}, "users": [\#(author)]}]}]}"#, to: "tides.json")
        _ = try await bench.run(file)
        let discord = try await bench.messages(in: "discord-2", asker: "discord-10")
        #expect(discord.first?.reactions.map(\.emoji) == ["❤️", ":heart:"])
    }
}
