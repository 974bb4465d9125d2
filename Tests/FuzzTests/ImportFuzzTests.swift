import ChatCore
import Foundation
import Histories
import Synchronization
import TestSupport
import Testing

/// Exports of every format with extremes in their values; each mutated message counts as a case.
@Suite("Fuzz: imports", .hangGuard) struct ImportFuzzTests {
    /// An export: what stands around its items, and items to be mutated.
    struct Export: Sendable {
        let format: HistoryFormat
        let name: String
        var before = ""
        var between = "\n"
        var after = ""
        let items: [String]
        /// Other files of the export, mutated as a whole.
        var others: [String: String] = [:]
    }

    static let exports = [
        Export(
            format: .jsonLines, name: "history.jsonl",
            items: [
                #"{"id":"c1","name":"Pier","kind":"group","createdAt":"2025-01-01T00:00:00Z","participants":[{"id":"a","name":"Ada"}]}"#,
                #"{"id":"m1","conversationId":"c1","senderId":"a","senderName":"Ada","text":"x","timestamp":"2025-01-01T00:00:00Z","seq":3,"kind":"text","replyTo":"m0","attachments":[{"name":"a.png"}],"reactions":[{"emoji":"x","userIds":["a"]},{"emoji":":wave::skin-tone-3:","userIds":["a"]}],"editedAt":"2025-01-02T00:00:00Z"}"#,
            ]),
        Export(
            format: .telegram, name: "result.json",
            before: #"{"name":"Pier","type":"private_group","id":77,"messages":["#, between: ",", after: "]}",
            items: [
                #"{"id":1,"type":"message","date":"2024-02-01T10:00:00","date_unixtime":"1706781600","edited":"2024-02-01T10:00:00","edited_unixtime":"1706781700","from":"Ada","from_id":"user1","text":["see ",{"type":"text_link","text":"c","href":"h"}],"reply_to_message_id":1,"reactions":[{"type":"emoji","count":1,"emoji":"x","recent":[{"from_id":"user5","date":"2024-02-01T10:00:00"}]}]}"#,
                #"{"id":2,"type":"message","date":"2024-02-01T10:00:00","date_unixtime":"1706781601","from":"Ada","from_id":4295968297,"text":"x","photo":"p.jpg","width":10,"height":7,"file_name":"a","duration_seconds":9}"#,
            ]),
        Export(
            format: .discord, name: "pier.json",
            before:
                #"{"guild":{"id":"1","name":"Harbor"},"channel":{"id":"2","type":"GuildTextChat","name":"tides"},"messages":["#,
            between: ",", after: #"],"messageCount":2}"#,
            items: [
                #"{"id":"100","type":"Default","timestamp":"2023-05-01T08:00:00.1234567+02:00","timestampEdited":"2023-05-01T08:00:00+02:00","content":"ask <@10> <t:1700000000:R>","author":{"id":"10","name":"ada","nickname":"Ada","isBot":false},"attachments":[{"fileName":"t.png","fileSizeBytes":5}],"reactions":[{"emoji":{"id":"7","name":"x"},"count":1,"users":[{"id":"10"}]}],"embeds":[{"title":"t","fields":[{"name":"n","value":"v"}]}],"reference":{"messageId":"99","channelId":"2"}}"#,
                #"{"id":"101","type":"46","timestamp":"2023-05-01T08:00:00Z","content":"","author":{"id":"10","name":"ada","roles":[{"id":"7","name":"crew"}]},"embeds":[{"fields":[{"name":"poll_question_text","value":"x"},{"name":"total_votes","value":"4"}]}],"poll":{"question":{"text":"q"},"answers":[{"poll_media":{"text":"a"}}]},"forwardedMessage":{"content":"<@&7> </go:5>","embeds":[{"url":"https://x.example","author":{"name":"n"}}],"stickers":[{"name":"s"}],"mentions":[{"id":"11","name":"ben"}]}}"#,
            ]),
        Export(
            format: .element, name: "room.json", before: #"{"room_name":"Pier","room_creator":"@a:x","messages":["#,
            between: ",", after: "]}",
            items: [
                #"{"type":"m.room.message","event_id":"$1","room_id":"!r:x","sender":"@a:x","origin_server_ts":1700000000000,"content":{"msgtype":"m.text","body":"x","m.relates_to":{"rel_type":"m.thread","event_id":"$0","m.in_reply_to":{"event_id":"$0"}},"info":{"size":5}}}"#,
                #"{"type":"m.room.member","event_id":"$2","room_id":"!r:x","sender":"@a:x","state_key":"@a:x","origin_server_ts":1700000000001,"content":{"membership":"join","displayname":"Ada"},"unsigned":{"prev_content":{"membership":"leave"},"age":5}}"#,
                #"{"type":"m.room.message","event_id":"$3","room_id":"!r:x","sender":"@a:x","origin_server_ts":1700000000002,"content":{"body":"* y","m.new_content":{"body":"y"},"m.relates_to":{"rel_type":"m.replace","event_id":"$1"}},"unsigned":{"redacted_because":{"origin_server_ts":1}}}"#,
                #"{"type":"org.matrix.msc3381.poll.start","event_id":"$4","room_id":"!r:x","sender":"@a:x","origin_server_ts":1700000000003,"content":{"org.matrix.msc3381.poll.start":{"question":{"org.matrix.msc1767.text":"q"},"answers":[{"id":"1","org.matrix.msc1767.text":"a"}]}},"unsigned":{"m.relations":{"m.replace":{"type":"m.room.message","event_id":"$5","sender":"@a:x","origin_server_ts":1700000000004,"content":{"m.new_content":{"msgtype":"m.image","body":"c","filename":"f"}}}}}}"#,
                #"{"type":"m.room.tombstone","event_id":"$6","room_id":"!r:x","sender":"@a:x","state_key":"","origin_server_ts":1700000000005,"content":{"replacement_room":"!s:x","predecessor":{"room_id":"!q:x"},"join_rule":"public"}}"#,
            ]),
        Export(
            format: .synapse, name: "events", before: "", between: "", after: "",
            items: [
                #"{"auth_events":[],"prev_events":[],"depth":1,"hashes":{"sha256":"x"},"type":"m.room.create","sender":"@a:x","state_key":"","room_id":"!r:x","origin_server_ts":1700000000000,"content":{"room_version":"10","creator":"@a:x"},"signatures":{},"unsigned":{"age":5}}"#,
                #"{"auth_events":["$a"],"prev_events":["$p"],"depth":2,"hashes":{"sha256":"x"},"type":"m.room.message","sender":"@a:x","room_id":"!r:x","origin_server_ts":1700000000001,"content":{"msgtype":"m.text","body":"x","m.relates_to":{"m.in_reply_to":{"event_id":"$0"}}},"signatures":{},"unsigned":{}}"#,
                #"{"auth_events":["$a"],"prev_events":["$p"],"depth":2,"hashes":{"sha256":"x"},"type":"m.room.message","sender":"@a:x","room_id":"!r:x","origin_server_ts":1700000000001,"content":{"msgtype":"m.text","body":"x","m.relates_to":{"rel_type":"m.replace","event_id":"$0"},"m.new_content":{"body":"y"}},"signatures":{},"unsigned":{}}"#,
                #"{"auth_events":["$a"],"prev_events":["$p"],"depth":3,"hashes":{"sha256":"x"},"type":"m.room.member","sender":"@a:x","state_key":"@a:x","room_id":"!r:x","origin_server_ts":1700000000002,"content":{"membership":"join","third_party_invite":{"signed":{}}},"signatures":{},"unsigned":{}}"#,
            ]),
        Export(
            format: .mattermost, name: "export.jsonl",
            before: """
                {"type":"version","version":1}
                {"type":"team","team":{"name":"yard","display_name":"Yard","type":"O"}}
                {"type":"channel","channel":{"team":"yard","name":"crane","display_name":"Crane","type":"O"}}
                {"type":"user","user":{"username":"ada","teams":[{"name":"yard","channels":[{"name":"crane"}]}]}}

                """,
            items: [
                #"{"type":"post","post":{"team":"yard","channel":"crane","user":"ada","message":"oiled?","create_at":1600000000001,"edit_at":1600000005000,"reactions":[{"user":"ada","emoji_name":"wave_medium_dark_skin_tone","create_at":1600000001000}],"replies":[{"user":"ada","message":"yes","create_at":1600000010000,"attachments":[{"path":"a/b.png"}]}],"props":{"from_bot":"true","attachments":[{"title":"S","fields":[{"title":"a","value":5}]}]}}}"#,
                #"{"type":"direct_post","direct_post":{"channel_members":["ada","ben"],"user":"ada","message":"m","create_at":1600000050000}}"#,
                #"{"type":"channel","channel":{"team":"yard","name":"office","display_name":"Office","type":"P","deleted_at":1600000000000}}"#,
                #"{"type":"bot","bot":{"username":"pager","display_name":"Pager","owner":"ada","delete_at":1600000000000}}"#,
            ]),
        Export(
            format: .slack, name: "export/pier/2016-01-15.json", before: "[", between: ",", after: "]",
            items: [
                #"{"type":"message","user":"U1","text":"ask <@U2> <!date^1452837318^{date}|x>","ts":"1452837318.000002","thread_ts":"1452837318.000002","reply_count":1,"reactions":[{"name":"thumbsup::skin-tone-3","users":["U2"],"count":1},{"name":"flag-de","users":["U1"]}],"edited":{"user":"U1","ts":"1452837400.000000"},"files":[{"id":"F1","name":"p","size":5,"created":1452837318}],"blocks":[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"l"},{"type":"date","timestamp":1452837318,"format":"{date}"}]}]}],"attachments":[{"title":"t","ts":1452837318,"fields":[{"title":"a","value":"b"}]}]}"#,
                #"{"bot_id":"B1","text":"<!subteam^S1|@crew>","ts":"1452837319.000002","user_profile":{"display_name":"Ada"},"blocks":[{"type":"rich_text","elements":[{"type":"rich_text_list","style":"ordered","indent":1,"offset":3,"elements":[{"type":"rich_text_section","elements":[{"type":"usergroup","usergroup_id":"S1"}]}]},{"type":"rich_text_quote","elements":[{"type":"color","value":"x"}]}]},{"type":"table","rows":[[{"type":"raw_text","text":"a"},{"type":"raw_number","text":5}]]},{"type":"odd","title":"x"}],"attachments":[{"blocks":[{"type":"container","title":"c","child_blocks":[{"type":"header","text":{"type":"plain_text","text":"h"}}]}]},{"is_share":true,"message_blocks":[{"message":{"blocks":[{"type":"markdown","text":"m"}]}}]}]}"#,
                #"{"subtype":"file_comment","ts":"1452837320.000002","text":"x","file":{"name":"p"},"comment":{"user":"U2","comment":"c"}}"#,
            ],
            others: [
                "export/users.json":
                    #"[{"id":"U1","name":"ada","deleted":false,"updated":1452000000,"profile":{"display_name":"Ada","email":"a@x"}},{"id":"U2","name":"ben","is_bot":true,"profile":{}}]"#,
                "export/channels.json":
                    #"[{"id":"C1","name":"pier","created":1452000000,"creator":"U1","members":["U2","U1"],"is_channel":true,"is_private":false,"topic":{"value":"x","last_set":5}}]"#,
                "export/dms.json": #"[{"id":"D1","created":1452000000,"members":["U1","U2"]}]"#,
            ]),
    ]

    private static let lineParts = [
        "03/06/2017, 00:45 - ", "13/06/17, 12:46 PM - ", "[2017-06-13, 00:46:59] ", "31.12.9999, 23:59 - ",
        "0/0/0, 0:0 - ",
        "99/99/9999, 99:99 - ", "१३/०६/२०१७, ००:४६ - ", "١٣/٦/٢٠١٧، ٠٠:٤٦ - ", "13/06/2017, 下午12:46 - ",
        "京/兆/億, 万:千 - ",
    ]

    @Test(arguments: exports) func noExportEndsTheImport(export: Export) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var chance = FuzzRun.chance(10 + UInt64(export.format.rawValue.utf8.reduce(0) { $0 + Int($1) }))
        let items = try export.items.map { try JSONMutation($0) }
        let others = try export.others.mapValues { try JSONMutation($0) }
        let count = FuzzRun.count(1_200)
        var (done, stored) = (0, 0)
        while done < count {
            let size = min(others.isEmpty ? 300 : 40, count - done)
            var lines: [String] = []
            for _ in 0..<size { lines.append(chance.isTrue(5) ? export.items[0] : chance.one(of: items).text(&chance)) }
            // What is no JSON ends a document: most documents are whole.
            if chance.isTrue(80), export.between != "\n" { lines = lines.filter(Self.isJSON) }
            let text = export.before + lines.joined(separator: export.between) + export.after
            try Self.write(
                chance.isTrue(3) ? JSONMutation.broken(text, &chance) : text, to: folder.appending(path: export.name))
            for (name, mutation) in others {
                let text = chance.isTrue(50) ? mutation.text(&chance) : export.others[name] ?? ""
                try Self.write(text, to: folder.appending(path: name))
            }
            let file = export.format == .slack ? folder.appending(path: "export") : folder.appending(path: export.name)
            stored += await Self.messages(of: file, HistoryOptions(format: export.format, timeZone: "Europe/Berlin"))
            done += size
        }
        FuzzRun.finished("imports of \(export.format.rawValue)", done)
        #expect(stored > 0)
    }

    @Test func noTextOfWhatsAppEndsTheImport() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var chance = FuzzRun.chance(9)
        let count = FuzzRun.count(1_200)
        var (done, stored) = (0, 0)
        while done < count {
            let size = min(300, count - done)
            let head = chance.one(of: Self.lineParts)
            var text = ""
            for _ in 0..<size {
                var line =
                    (chance.isTrue(85) ? head : chance.one(of: Self.lineParts))
                    + "Ada: hello \(chance.one(of: Extremes.texts))"
                if chance.isTrue(30) { line = JSONMutation.broken(line, &chance) }
                text += line + "\n"
            }
            let file = folder.appending(path: "WhatsApp Chat with Pier.txt")
            try Self.write(text, to: file)
            stored += await Self.messages(of: file, HistoryOptions(format: .whatsApp, dateOrder: .dmy))
            done += size
        }
        FuzzRun.finished("imports of whatsapp", done)
        #expect(stored > 0)
    }

    private static func isJSON(_ text: String) -> Bool {
        (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) != nil
    }

    private static func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        FuzzRun.note(text)
    }

    /// Imports into a new store, and previews; returns how many messages came in.
    private static func messages(of file: URL, _ options: HistoryOptions) async -> Int {
        let importing = HistoryImport(store: InMemoryStore(), options: options, now: ManualNow().now)
        let report = try? await importing.run([file], progress: { _ in }, rejected: { _ in })
        _ = try? await HistoryPreview(options: options, now: ManualNow().now())
            .run([file], progress: { _ in }, rejected: { _ in })
        return report?.insertedMessages ?? 0
    }
}
