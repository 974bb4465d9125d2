import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// What files of other applications are called.
@Suite struct ForeignFormatTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private func fault(_ file: URL) async throws -> ImportFileError? {
        do {
            _ = try await bench.run(file)
            return nil
        } catch let error as ImportFileError {
            return error
        }
    }

    @Test(arguments: [
        (
            "<!DOCTYPE html>\n<html><head><title>Exported Data</title></head><body><div class=\"page_wrap\">",
            ForeignFormat.telegramHTML
        ),
        ("<html><body><div class=\"chatlog__message-group\">", .discordOther),
        ("==========\nGuild: Dam\nChannel: gate\n==========\n\n[01.05.2023 10:00] ada\nhello", .discordOther),
        ("<html><body class=\"mx_RoomView_body\">", .elementOther), ("<html><body>news</body></html>", .webPage),
        (#"[{"ID": 1, "Timestamp": "2023-05-01 10:00:00", "Contents": "hi", "Attachments": ""}]"#, .discordPackage),
        ("ID,Timestamp,Contents,Attachments\n1,2023-05-01 10:00:00,hi,", .discordPackage),
        (#"{"id": "1", "type": 1, "recipients": ["2", "3"]}"#, .discordPackage),
        (#"{"id": "1", "type": "GUILD_TEXT", "name": "gate", "guild": {"id": "4", "name": "Dam"}}"#, .discordPackage),
        (#"{"id": "1", "username": "ada", "discriminator": 0, "email": "ada@x.example"}"#, .discordPackage),
        (
            #"{"participants": [{"name": "Ada"}], "messages": [{"sender_name": "Ada", "timestamp_ms": 1}], "title": "Ben", "thread_path": "inbox/b"}"#,
            .messenger
        ),
        (#"{"participants": ["Ada", "Ben"], "threadName": "Ben_1", "messages": []}"#, .messenger),
        ("[LINE] Chat history with Ben\nSaved on: 2024/01/02 10:00\n\n2024/01/02(Tue)\n10:00\tBen\thello", .line),
        ("[LINE] Benとのトーク履歴\n保存日時：2024/01/02 10:00", .line),
        ("KakaoTalk Chats with Ben\nDate Saved : 2024-01-02 10:00\n\n2024년 1월 2일 오전 10:00, Ben : hello", .kakaoTalk),
        ("Ben 님과 카카오톡 대화\n저장한 날짜 : 2024-01-02 10:00:00\n", .kakaoTalk),
        ("--------------- 2024년 1월 2일 화요일 ---------------\n[Ben] [오전 10:00] hello", .kakaoTalk),
        ("2025. 10. 14. 월요일\n\n2025. 10. 14. 오전 9:30, Ben : hello", .kakaoTalk),
        ("2023년 5월 10일 오전 9:23, Ben : hello", .kakaoTalk), ("October 12, 2020, 6:49 AM, Ben : hello", .kakaoTalk),
        ("[Ben] [10:00 AM] hello\n[Ada] [10:01 AM] yes", .kakaoTalk),
        ("Date,User,Message\n2024-01-02 10:00:00,Ben,hi", .kakaoTalk),
        (
            "{\"@odata.context\": \"https://graph.microsoft.com/v1.0/$metadata#chats('1')/messages\", \"value\": []}",
            .teams
        ),
        (
            #"[{"id": "1", "messageType": "message", "chatId": "19:x", "createdDateTime": "2024-01-02T10:00:00Z"}]"#,
            .teams
        ),
        (#"{"userId": "8:ada", "exportDate": "2024-01-02", "conversations": []}"#, .skype),
        (
            #"{"messages": [{"creator": {"name": "Ada", "user_type": "Human"}, "created_date": "Monday, 1 May 2023"}]}"#,
            .googleChat
        ),
        ("From 123@xxx Mon Jan  1 10:00:00 2024\nX-GM-THRID: 1\nFrom: Ada <ada@x.example>\n\nhello", .mailbox),
        ("--- Log opened Mon Jan 01 10:00:00 2024\n10:00 <@ada> hello", .irc), ("[10:00:00] <ada> hello", .irc),
        ("**** BEGIN LOGGING AT Mon Jan  1 10:00:00 2024\n", .irc), ("2024-01-01 10:00:00\tada\thello", .irc),
        ("Session Start: Mon Jan 01 10:00:00 2024\n[10:00] <ada> hello", .irc),
        ("[2024-01-01T10:00:00] <ada> hello", .irc),
        (#"{"channel_id": "C1", "name": "gate", "messages": [{"ts": "1.1"}]}"#, .slackDump),
        ("<?xml version='1.0'?><smses count=\"1\">", .textMessages), (#"[{"a": 1}]"#, .jsonList), ("[[1]]", .jsonList),
        ("SQLite format 3\0", .database),
    ])
    func isNamed(text: String, format: ForeignFormat) async throws {
        let file = try bench.write(text, to: "some.file")
        #expect(try await fault(file) == .foreign(path: file.path, format))

        let folder = try bench.write(text, to: "folder/some.txt").deletingLastPathComponent()
        #expect(try await fault(folder) == .foreign(path: folder.path, format))
        #expect(!format.name.isEmpty && !format.advice.isEmpty)
    }

    @Test(arguments: [
        #"[{"user": "U2", "text": "next day", "ts": "1452923718.000001"}]"#,
        #"[{"id": "U1", "name": "ada", "team_id": "T1", "profile": {}}]"#,
        #"[ {"id": "C1", "name": "pier", "created": 1, "members": []}]"#,
    ])
    func aPartOfASlackExportIsCalledOne(text: String) async throws {
        let file = try bench.write(text, to: "some.json")
        #expect(try await fault(file) == .partOfSlack(path: file.path))
    }

    @Test func aFolderOfDaysIsPartOfASlackExport() async throws {
        let folder = try bench.write(
            #"[{"user": "U2", "text": "x", "ts": "1452923718.000001"}]"#, to: "pier/2016-01-16.json"
        )
        .deletingLastPathComponent()

        #expect(try await fault(folder) == .partOfSlack(path: folder.path))
    }

    @Test func discordsDataPackageIsRefusedWhole() async throws {
        try bench.write(#"{"1": "Direct Message with ben"}"#, to: "package/messages/index.json")
        try bench.write(
            #"{"id": "1", "type": 1, "recipients": ["2", "3"]}"#, to: "package/messages/c1/channel.json")
        try bench.write(
            #"[{"ID": 7, "Timestamp": "2023-05-01 10:00:00", "Contents": "hi", "Attachments": ""}]"#,
            to: "package/messages/c1/messages.json")
        try bench.write(#"{"id": "2", "username": "ada", "discriminator": "0"}"#, to: "package/account/user.json")
        try bench.write(#"{"id": "9", "name": "Dam"}"#, to: "package/README.txt")
        let folder = bench.folder.appending(path: "package/messages")

        #expect(try await fault(folder) == .foreign(path: folder.path, .discordPackage))
    }

    @Test func otherFilesBesideChatsAreNamed() async throws {
        let chat = try bench.write(
            #"{"room_name": "Weir", "messages": [{"type": "m.room.message", "event_id": "$1", "sender": "@a:x", "#
                + #""origin_server_ts": 1700000000000, "content": {"msgtype": "m.text", "body": "x"}}]}"#,
            to: "mixed/room.json")
        try bench.write("<html>", to: "mixed/page.html")
        try bench.write("[LINE] Chat history with Ben", to: "mixed/ben.txt")

        let report = try await bench.run(chat.deletingLastPathComponent()).report

        #expect(report.insertedMessages == 1)
        #expect(report.skipped == [.otherFile: 2])
        #expect(report.notes.map(\.kind).contains(.unreadFormat))
        #expect(report.notes.compactMap(\.name) == ["a chat of LINE"])
    }

    @Test func objectsOfOthersWithAnIDAreNotOurs() async throws {
        let file = try bench.write(#"{"id": "7", "title": "x", "price": 5}"#, to: "some.json")
        #expect(try await fault(file) == .unknownFormat(path: file.path))

        let ours = try bench.write(#"{"id": "7", "name": "x", "kind": "group", "topic": "more"}"#, to: "ours.json")
        #expect(try await fault(ours) == nil)
    }

    /// A conversation says who is in it or who sees it, and a message names its sender; an id is not enough.
    @Test(arguments: [
        #"{"id":"1"}"#, #"{"id":"1","name":"x"}"#, #"{"id":"1","createdAt":"2025-01-01T10:00:00Z"}"#,
        #"{"id":"1","name":"x","timeZone":"Europe/Berlin"}"#, "{\"id\":\"1\"}\n{\"id\":\"2\"}",
        "{\"id\":\"1\",\"name\":\"x\"}\n[1]\n{\"conversationId\":\"1\"}", #"{"participants":[]}"#,
    ])
    func objectsThatSayTooLittleAreNotOurs(text: String) async throws {
        let file = try bench.write(text, to: "ours/some.json")
        let folder = file.deletingLastPathComponent()
        #expect(try await fault(file) == .unknownFormat(path: file.path))
        #expect(try await fault(folder) == .noHistory(path: folder.path))

        // A name that says the format is believed; the line is refused.
        let lines = try await bench.run(try bench.write(#"{"id":"1"}"#, to: "some.jsonl"))
        #expect(lines.report.isEmpty && lines.rejects.count == 1)
        #expect(lines.refusals.first?.hasPrefix("1: neither a conversation") == true)
    }

    @Test(arguments: [
        #"{"id":"1","participants":[{"id":"ada"}]}"#, #"{"id":"1","members":[]}"#,
        #"{"id":"1","visibility":"everyone"}"#, #"{"id":"1","kind":"direct"}"#,
        "{\"id\":\"1\",\"name\":\"x\"}\n{\"id\":\"2\",\"name\":\"y\",\"participants\":[]}",
    ])
    func conversationsAreOurs(text: String) async throws {
        let file = try bench.write(text, to: "ours/some.json")
        #expect(try await fault(file) == nil)
        #expect(try await fault(file.deletingLastPathComponent()) == nil)
    }

    @Test func anImportWithoutContentIsEmpty() async throws {
        let chat = #"{"name": "Buoys", "type": "private_group", "id": 7, "messages": []}"#
        let conversation = #"{"id": "yard", "participants": [{"id": "ben"}]}"#

        let empty = try bench.write(chat, to: "result.json")
        let own = try bench.write(conversation, to: "own.jsonl")

        #expect(try await bench.run(empty).report.isEmpty)
        #expect(try await bench.preview(empty).isEmpty)
        #expect(try await bench.run(own).report.isEmpty == false)
        #expect(try await bench.run(own).report.isEmpty == false)
        #expect(try await bench.preview(own).isEmpty == false)
    }
}
