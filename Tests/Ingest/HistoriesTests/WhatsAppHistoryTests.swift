import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct WhatsAppHistoryTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let android = """
        03/06/2017, 00:45 - Messages and calls are end-to-end encrypted.
        03/06/2017, 00:45 - Ada Quist: the pump is back
        13/06/2017, 00:46 - Ben: good
        which one?
          the small one
        13/06/2017, 00:46 - Ada Quist: <Media omitted>
        13/06/2017, 00:47 - Ada Quist: This message was deleted
        13/06/2017, 00:48 - Ben: IMG-20170613-WA0001.jpg (file attached)
        the label on it
        13/06/2017, 00:49 - Ben changed the subject from "Pumps" to "Pumps: all"
        13/06/2017, 00:50 - Ben: see https://example.org/a: it says so <This message was edited>
        """

    @Test func readsAnExportOfAndroid() async throws {
        let file = try bench.write(Self.android, to: "WhatsApp Chat with Pump crew.txt")

        let result = try await bench.run(file)

        #expect(result.rejects.isEmpty)
        #expect(result.report.insertedMessages == 4)
        #expect(result.report.deletedMessages == 1)
        #expect(result.report.skipped == [.notice: 2, .mediaLeftOut: 1])
        #expect(
            try await bench.lines(of: file, as: "Ben") == [
                "2017-06-03T00:45:00 Ada Quist: the pump is back",
                "2017-06-13T00:46:00 Ben: good\nwhich one?\n  the small one",
                "2017-06-13T00:48:00 Ben: the label on it",
                "2017-06-13T00:50:00 Ben: see https://example.org/a: it says so",
            ])
        let messages = try await bench.messages(of: file, as: "Ben")
        #expect(messages[2].attachments == [Message.Attachment(name: "IMG-20170613-WA0001.jpg")])
        let roster = try await bench.roster(of: file, as: "Ben")
        #expect(roster.conversation.kind == .group)
        #expect(roster.conversation.name == "Pump crew")
        #expect(roster.conversation.visibility == .members)
        #expect(roster.members.map(\.displayName) == ["Ada Quist", "Ben"])
        let identities = try await bench.store.identities()
        #expect(identities.map(\.name) == ["Ada Quist", "Ben"])
        // A name is a person of its conversation only.
        #expect(identities.map(\.userID) == roster.members.map(\.userID))
        #expect(identities.allSatisfy { $0.externalID == $0.userID.rawValue })
        #expect(identities.map { NamedAuthor.name(of: $0) } == ["Ada Quist", "Ben"])
    }

    @Test func readsAnExportOfIOSWithItsInvisibleMarks() async throws {
        let lines = [
            "\u{FEFF}[31/12/2022, 11:40:26] Ada: \u{200E}Messages and calls are end-to-end encrypted.",
            "[31/12/2022, 11:40:27] \u{202A}Ada\u{202C}: see you at \u{2068}the gate\u{2069}",
            "\u{200E}[31/12/2022, 11:40:28] Ben: \u{200E}<attached: 00000012-PHOTO-2022.jpg>",
            "\u{200E}[31/12/2022, 11:40:29] Ben: two pages \u{200E}<attached: plan.pdf>",
            "\u{200E}[31/12/2022, 11:40:30] Ben: \u{200E}image omitted",
            "\u{200E}[31/12/2022, 11:41:00] Ada: \u{200E}You deleted this message.",
            "\u{200E}[31/12/2022, 11:41:01] Ada: \u{200E}Missed voice call",
            "[31/12/2022, 11:42:00] Ada: \u{200E}POLL:",
            "which day?",
            "\u{200E}OPTION: Monday (2 votes)",
            "[31/12/2022, 11:43:00] Ada: \u{200F}from the right",
        ]
        let file = try bench.write(lines.joined(separator: "\r\n"), to: "WhatsApp Chat - Ada/_chat.txt")

        let result = try await bench.run(file)

        #expect(result.rejects.isEmpty)
        #expect(result.report.skipped == [.notice: 2, .mediaLeftOut: 1])
        #expect(result.report.deletedMessages == 1)
        let messages = try await bench.messages(of: file, as: "Ben")
        #expect(
            messages.map(\.text) == [
                "see you at the gate", "", "two pages", "POLL:\nwhich day?\nOPTION: Monday (2 votes)", "from the right",
            ])
        #expect(messages.flatMap(\.attachments).map(\.name) == ["00000012-PHOTO-2022.jpg", "plan.pdf"])
        #expect(messages[0].timestamp == Timestamp(iso8601: "2022-12-31T11:40:27Z"))
        let conversation = try await bench.roster(of: file, as: "Ben").conversation
        #expect(conversation.kind == .direct)
        #expect(conversation.name == nil)
    }

    @Test(arguments: [
        ("8/8/19, 1:25 PM - Ada: x", "mdy", "2019-08-08T13:25:00Z"),
        ("8/8/19, 1:25\u{202F}p.m. - Ada: x", "dmy", "2019-08-08T13:25:00Z"),
        ("8/8/19 12:05 a. m. - Ada: x", "dmy", "2019-08-08T00:05:00Z"),
        ("31.12.22, 23:59 - Ada: x", "dmy", "2022-12-31T23:59:00Z"),
        ("31-12-2022 23:59 - Ada: x", "dmy", "2022-12-31T23:59:00Z"),
        ("31/12/2022 23.59 - Ada: x", "dmy", "2022-12-31T23:59:00Z"),
        ("2023/1/5 下午3:12 - Ada: x", "ymd", "2023-01-05T15:12:00Z"),
        ("[2023/1/5 中午12:30:05] Ada: x", "ymd", "2023-01-05T12:30:05Z"),
        ("[2022. 3. 4. 오전 12:12:33] Ada: x", "ymd", "2022-03-04T00:12:33Z"),
        ("2023-01-05, 15:12 - Ada: x", "ymd", "2023-01-05T15:12:00Z"),
        ("\u{200F}٢٠\u{200F}/٤\u{200F}/٢٠١٩، ٣:٠٥ م - Ada: x", "dmy", "2019-04-20T15:05:00Z"),
        ("[8/8/19, 1:25:09 PM] Ada: x", "mdy", "2019-08-08T13:25:09Z"),
        ("8/8/19, 13:25: Ada: x", "dmy", "2019-08-08T13:25:00Z"),
    ])
    func readsHeadsOfManyCountries(line: String, order: String, moment: String) async throws {
        let file = try bench.write(line, to: "Crew.txt")
        let options = HistoryOptions(dateOrder: DateOrder(rawValue: order))

        let result = try await bench.run(file, options: options)

        #expect(result.report.insertedMessages == 1, "\(result.rejects)")
        let message = try #require(
            try await bench.messages(of: file, as: "Ada", options: options).first)
        #expect(message.timestamp == Timestamp(iso8601: moment))
        #expect(message.text == "x")
        #expect(message.senderName == "Ada")
    }

    @Test(arguments: [
        "12:30 - Ada: x", "[soon] x", "1/2/3 x", "99/99/9999, 25:00 - Ada: x", "10/10/2020: we met", "2020 - Ada: x",
    ])
    func whatIsNoHeadBelongsToTheMessageBefore(line: String) async throws {
        let file = try bench.write("31/12/2022, 10:00 - Ada: x\n\(line)", to: "Crew.txt")

        _ = try await bench.run(file)

        let messages = try await bench.messages(of: file, as: "Ada")
        #expect(messages.map(\.text) == ["x\n\(line)"])
    }

    @Test(arguments: [
        (["01/02/23", "01/14/23"], "2023-01-02"), (["01/02/23", "14/02/23"], "2023-02-01"),
        (["01/02/23", "02/01/23", "03/01/23"], "2023-01-02"), (["05/01/23", "01/02/23"], "2023-01-05"),
        (["22/12/31", "23/01/01"], "2022-12-31"), (["2023/02/01"], "2023-02-01"),
    ])
    func theOrderOfDatesIsFoundInTheFile(dates: [String], first: String) async throws {
        let lines = dates.map { "\($0), 10:00 - Ada: x" }
        let file = try bench.write(lines.joined(separator: "\n"), to: "Crew.txt")

        _ = try await bench.run(file)

        let messages = try await bench.messages(of: file, as: "Ada")
        #expect(messages.map { String($0.timestamp.iso8601.prefix(10)) }.contains(first))
        #expect(messages.count == dates.count)
    }

    @Test func datesThatAllOrdersFitAreRefusedUnlessTheOrderIsSaid() async throws {
        let file = try bench.write("01/02/23, 10:00 - Ada: x", to: "Crew.txt")

        await #expect(throws: ImportFileError.unclearDateOrder(path: file.path)) { _ = try await bench.run(file) }
        let result = try await bench.run(file, options: HistoryOptions(dateOrder: .mdy))

        #expect(result.report.insertedMessages == 1)
    }

    @Test func localTimesAreOfTheZoneThatIsSaid() async throws {
        let lines = [
            "25/03/2023, 10:00", "26/03/2023, 02:30", "26/03/2023, 03:30", "29/10/2023, 02:30", "30/10/2023, 10:00",
        ]
        let file = try bench.write(lines.map { $0 + " - Ada: x" }.joined(separator: "\n"), to: "Crew.txt")

        _ = try await bench.run(file, options: HistoryOptions(timeZone: "Europe/Berlin"))

        let messages = try await bench.messages(of: file, as: "Ada")
        #expect(
            messages.map { String($0.timestamp.iso8601.prefix(16)) } == [
                "2023-03-25T09:00", "2023-03-26T01:30", "2023-03-26T01:30", "2023-10-29T00:30", "2023-10-30T09:00",
            ])
        let roster = try await bench.roster(of: file, as: "Ada")
        #expect(roster.conversation.timeZone == "Europe/Berlin")
        await #expect(throws: ImportFileError.unknownTimeZone("Mars/Base")) {
            _ = try await bench.run(file, options: HistoryOptions(timeZone: "Mars/Base"))
        }
    }

    @Test func aLongerExportAddsOnlyWhatIsNew() async throws {
        let old = ["31/12/2022, 10:00 - Ada: yes", "31/12/2022, 10:00 - Ada: yes", "31/12/2022, 10:01 - Ada: wrong"]
        let new = [
            "31/12/2022, 10:00 - Ada: yes", "31/12/2022, 10:00 - Ada: yes", "31/12/2022, 10:01 - Ada: right",
            "31/12/2022, 10:01 - Ben: yes", "31/12/2022, 10:01 - Ada: This message was deleted",
        ]
        let first = try await bench.run(try bench.write(old.joined(separator: "\n"), to: "WhatsApp Chat - Crew.txt"))
        let file = try bench.write(new.joined(separator: "\n"), to: "WhatsApp Chat - Crew (1).txt")

        let second = try await bench.run(file)
        let change = try await bench.store.latestChange()
        let third = try await bench.run(file)

        #expect(first.report.insertedMessages == 3)
        #expect(second.report.insertedMessages == 1)
        #expect(second.report.unchangedMessages == 2)
        #expect(second.report.updatedMessages == 1)
        #expect(second.report.newConversations == 0)
        #expect(third.report.insertedMessages + third.report.updatedMessages == 0)
        #expect(try await bench.store.latestChange() == change)
        let texts = try await bench.messages(of: file, as: "Ada").map(\.text)
        #expect(texts == ["yes", "yes", "right", "yes"])
    }

    @Test func twoPeoplesChatsWithTheSamePersonAreTwoConversations() async throws {
        func chat(of owner: String) throws -> URL {
            let text = "31/12/2022, 10:00 - Ada: hello\n31/12/2022, 10:01 - \(owner): for Ada from \(owner)"
            return try bench.write(text, to: "\(owner)/WhatsApp Chat with Ada.txt")
        }

        let (ben, cyd) = (try chat(of: "Ben"), try chat(of: "Cyd"))
        _ = try await bench.run(ben, cyd)

        let messages = try await bench.messages(of: ben, as: "Ben")
        #expect(messages.map(\.text) == ["hello", "for Ada from Ben"])
        let other = try await bench.chat(cyd)
        let reader = try await bench.person("Ben", in: bench.chat(ben))
        await #expect(throws: RepositoryError.noSuchConversation(other)) {
            _ = try await bench.messages(in: other, asker: reader)
        }
    }

    @Test(arguments: [
        "31/12/2022, 10:01 - Ada: the door", "31/12/2022, 10:00 - Cyd: the door", "30/12/2022, 10:00 - Ada: the door",
    ])
    func groupsOfOneNameThatBeginDifferentlyAreTwoConversations(other: String) async throws {
        let ours = try bench.write(
            "31/12/2022, 10:00 - Ada: the door\n31/12/2022, 10:02 - Ben: x", to: "a/WhatsApp Chat with Family.txt")
        let theirs = try bench.write(
            "\(other)\n31/12/2022, 10:02 - Dan: our secret", to: "b/WhatsApp Chat with Family.txt")

        let result = try await bench.run(ours, theirs)

        #expect(result.report.newConversations == 2)
        let id = try await bench.chat(theirs)
        #expect(try await bench.messages(of: theirs, as: "Dan").map(\.text) == ["the door", "our secret"])
        let reader = try await bench.person("Ben", in: bench.chat(ours))
        await #expect(throws: RepositoryError.noSuchConversation(id)) {
            _ = try await bench.messages(in: id, asker: reader)
        }
        #expect(try await bench.roster(of: id, asker: bench.person("Dan", in: id)).conversation.name == "Family")
    }

    @Test func aChatIsFoundAgainWhenItsFirstMessageWasEditedOrDeletedAndTheNewPhoneTellsSeconds() async throws {
        let chats = [
            "31/12/2022, 10:00 - Ada: the dor", "31/12/2022, 10:00 - Ada: the door <This message was edited>",
            "[31/12/2022, 10:00:59] Ada: \u{200E}This message was deleted.\n[31/12/2022, 10:01:00] Ben: x",
            "31.12.22, 10:00 - Ben added Cyd\n31.12.22, 10:00 - Ada: the door",
        ]
        for (index, chat) in chats.enumerated() {
            let file = try bench.write(chat, to: "\(index)/WhatsApp Chat with Family.txt")

            #expect(try await bench.chat(file) == "whatsapp-Family-4a417bec86467f4a")
        }
    }

    @Test func anExportThatBeginsLaterGoesIntoTheConversationThatIsNamed() async throws {
        let lines = ["10:00 - Ada: one", "10:01 - Ben: two", "10:02 - Ada: three"].map { "31/12/2022, \($0)" }
        let old = try bench.write(lines.dropLast().joined(separator: "\n"), to: "a/WhatsApp Chat with Crew.txt")
        let new = try bench.write(lines.dropFirst().joined(separator: "\n"), to: "b/WhatsApp Chat with Crew.txt")
        _ = try await bench.run(old)
        let id = try await bench.chat(old)

        let result = try await bench.run(new, options: HistoryOptions(conversationID: id))

        #expect(result.report.newConversations == 0)
        #expect(result.report.unchangedMessages == 1)
        #expect(result.report.insertedMessages == 1)
        #expect(
            try await bench.messages(in: id, asker: bench.person("Ben", in: id)).map(\.text) == ["one", "two", "three"])
        await #expect(throws: ImportFileError.notOneChat(id)) {
            _ = try await bench.run(old, new, options: HistoryOptions(conversationID: id))
        }
        let jsonLines = try bench.write(#"{"id": "c"}"#, to: "own.jsonl")
        await #expect(throws: ImportFileError.notOneChat(id)) {
            _ = try await bench.run(jsonLines, options: HistoryOptions(conversationID: id))
        }
    }

    @Test func filesThatTellNoNameAreToldApartByTheirFirstMessage() async throws {
        let first = try bench.write("31/12/2022, 10:00 - Ada: one", to: "a/_chat.txt")
        let longer = try bench.write("31/12/2022, 10:00 - Ada: one\n31/12/2022, 10:01 - Ada: more", to: "b/_chat.txt")
        let other = try bench.write("31/12/2022, 10:00 - Ada: two", to: "c/_chat.txt")

        let result = try await bench.run(first, longer, other)

        #expect(result.report.newConversations == 2)
        #expect(result.report.insertedMessages == 3)
        #expect(result.report.unchangedMessages == 1)
    }

    @Test func wrongBytesAreNamedAndTheRestIsTaken() async throws {
        var data = Data("no head\n31/12/2022, 10:00 - Ada: one\ncaf".utf8)
        data += [0xE9] + Data("\n31/12/2022, 10:01 - Ren".utf8) + [0xE9] + Data(": two\nmore of it\n".utf8)
        data += Data("31/12/2022, 10:02 - Ada: three\nmore".utf8)

        let file = try bench.write(data, to: "Crew.txt")

        let result = try await bench.run(file)

        #expect(
            result.refusals == [
                "1: not part of a message", "3: not valid UTF-8", "4: not valid UTF-8",
            ])
        let texts = try await bench.messages(of: file, as: "Ada").map(\.text)
        #expect(texts == ["one", "three\nmore"])
    }

    @Test func aMessageWithoutEndIsRefused() async throws {
        let endless = String(repeating: String(repeating: "x", count: 1_000) + "\n", count: 400)
        let file = try bench.write("31/12/2022, 10:00 - Ada: a\n\(endless)31/12/2022, 10:01 - Ada: b", to: "Crew.txt")

        let result = try await bench.run(file)

        #expect(result.refusals == ["1: field \"text\": is longer than 262144 bytes"])
        #expect(result.report.insertedMessages == 1)
    }

    @Test func textInUTF16IsRefused() async throws {
        let text = "\u{FEFF}31/12/2022, 10:00 - Ada: one"
        let marked = try bench.write(try #require(text.data(using: .utf16LittleEndian)), to: "a.txt")
        let plain = try bench.write(
            try #require(text.dropFirst().description.data(using: .utf16BigEndian)), to: "b.txt")

        await #expect(throws: ImportFileError.utf16(path: marked.path)) { _ = try await bench.run(marked) }
        await #expect(throws: ImportFileError.utf16(path: plain.path)) { _ = try await bench.run(plain) }
    }
}
