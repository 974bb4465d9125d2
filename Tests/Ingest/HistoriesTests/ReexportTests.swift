import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// A second export of a chat whose messages have no ids.
@Suite struct ReexportTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let android = [
        "13/05/2024, 09:00 - Mara: who has the ladder?", "13/05/2024, 09:00 - Jon: ok",
        "13/05/2024, 09:01 - Jon: behind the shed", "13/05/2024, 21:30 - Mara: found it",
        "14/05/2024, 07:05 - Jon: ok", "14/05/2024, 07:05 - Mara: ok", "14/05/2024, 07:06 - Jon: bring it on Friday",
    ]

    private static let phone = [
        "[13/05/2024, 09:00:03] Mara: who has the ladder?", "[13/05/2024, 09:00:41] Jon: ok",
        "[13/05/2024, 09:01:20] Jon: behind the shed", "[13/05/2024, 21:30:59] Mara: found it",
        "[14/05/2024, 07:05:01] Jon: ok", "[14/05/2024, 07:05:30] Mara: ok",
        "[14/05/2024, 07:06:07] Jon: bring it on Friday",
    ]

    private func write(_ lines: [String], to name: String = "WhatsApp Chat with Garden.txt") throws -> URL {
        try bench.write(lines.joined(separator: "\n"), to: "\(UUID().uuidString)/\(name)")
    }

    /// The stored messages of the one conversation, by time.
    private func stored() async throws -> [ImportedLine] {
        let chats = try await bench.store.importedChats(of: "whatsapp")
        let id = try #require(chats.count == 1 ? chats.first?.id : nil)
        return try await bench.store.importedLines(of: id, after: .start, limit: 1_000)
    }

    /// Imports two exports one after the other; returns the report of the second, and the ids after the first by text.
    private func run(
        _ first: [String], then second: [String], _ options: HistoryOptions = HistoryOptions()
    ) async throws -> (report: ImportReport, preview: ChatComparison?, before: [ImportedLine]) {
        _ = try await bench.run(try write(first))
        let before = try await stored()
        let file = try write(second)
        let preview = try await bench.comparison(file, options: options)
        let report = try await bench.run(file, options: options).report
        // A repetition changes nothing.
        let change = try await bench.store.latestChange()
        let again = try await bench.run(file, options: options).report
        #expect(again.insertedMessages + again.updatedMessages + again.newConversations == 0)
        #expect(try await bench.store.latestChange() == change)
        return (report, preview.conversations.first?.comparison, before)
    }

    @Test func aPhoneThatWritesSecondsAddsNothing() async throws {
        let (report, preview, before) = try await run(Self.android, then: Self.phone)

        #expect(report.unchangedMessages == 7)
        #expect(report.insertedMessages + report.updatedMessages + report.missingMessages == 0)
        #expect(preview?.same == 7)
        #expect(preview?.new == 0)
        #expect(try await stored() == before)
    }

    @Test func aPhoneThatLeavesSecondsOutAddsNothing() async throws {
        let (report, _, before) = try await run(Self.phone, then: Self.android)

        #expect(report.unchangedMessages == 7)
        #expect(try await stored() == before)
    }

    @Test(arguments: 0..<7)
    func aMessageThatWasRemovedStaysAndTheOthersKeepTheirIds(removed: Int) async throws {
        for export in [Self.android, Self.phone] {
            let bench = try ReexportTests()
            var rest = export
            rest.remove(at: removed)

            let (report, preview, before) = try await bench.run(Self.android, then: rest)

            #expect(report.unchangedMessages == 6, "\(removed)")
            #expect(report.insertedMessages + report.updatedMessages == 0, "\(removed)")
            // What lies outside of the export's time is not missing in it; the first two are of one minute.
            #expect(report.missingMessages == (removed < 6 ? 1 : 0), "\(removed)")
            #expect(preview?.missing == report.missingMessages)
            #expect(try await bench.stored() == before)
        }
    }

    @Test func whatIsNewGetsIdsThatNothingElseHas() async throws {
        // Both minutes have a message of this author already.
        let new = [
            "13/05/2024, 09:01 - Jon: or beside it", "14/05/2024, 07:06 - Jon: or on Saturday",
            "15/05/2024, 10:00 - Mara: fine",
        ]
        var second = Self.android
        second.removeFirst(2)
        second.insert(new[0], at: 0)
        second += new[1...]

        let (report, _, before) = try await run(Self.android, then: second)

        #expect(report.insertedMessages == 3)
        #expect(report.unchangedMessages == 5)
        let after = try await stored()
        #expect(after.filter { before.contains($0) } == before)
        #expect(Set(after.map(\.id)).count == 10)
    }

    @Test func aContactWithAnotherNameIsTheSamePersonInTheSameChat() async throws {
        let second = (Self.phone + ["[15/05/2024, 08:00:00] Mara Quist: see you"]).map {
            $0.replacing("] Mara:", with: "] Mara Quist:")
        }
        let (report, preview, before) = try await run(Self.android, then: second)

        #expect(report.newConversations == 0)
        #expect(report.unchangedMessages == 7)
        #expect(report.insertedMessages == 1)
        let mara = try #require(before.first?.authorID)
        let renaming = try #require(report.renamed.count == 1 ? report.renamed.first : nil)
        #expect(renaming.id == mara && renaming.from == "Mara" && renaming.to == "Mara Quist")
        #expect(preview?.renamed == [renaming])
        let after = try await stored()
        #expect(after.dropLast() == before[...])
        #expect(after.last?.authorID == mara)
        let chats = try await bench.store.importedChats(of: "whatsapp")
        let member = try await bench.store.roster(of: chats[0].id).members.first { $0.userID == mara }
        #expect(member?.displayName == "Mara Quist")
        #expect(member?.aliases == ["Mara"])
        #expect(try await bench.store.identities().count == 2)
    }

    @Test func whoeverIsCalledYouKeepsTheNameAndGetsItFromALaterExport() async throws {
        let own = (Self.phone + ["[15/05/2024, 08:00:00] Mara: see you"]).map { $0.replacing("] Mara:", with: "] Du:") }
        let (report, _, before) = try await run(Self.android, then: own)

        #expect(report.unchangedMessages == 7)
        #expect(report.insertedMessages == 1)
        #expect(report.renamed.isEmpty)
        let last = try #require(try await stored().last)
        #expect(last.authorID == before.first?.authorID)
        #expect(last.authorName == "Mara")
        let chats = try await bench.store.importedChats(of: "whatsapp")
        let names = try await bench.store.roster(of: chats[0].id).members.flatMap { [$0.displayName] + $0.aliases }
        #expect(names.sorted() == ["Jon", "Mara"])
    }

    @Test func aNameReplacesYou() async throws {
        let (report, _, _) = try await run(
            Self.android.map { $0.replacing("- Mara:", with: "- You:") }, then: Self.phone)

        #expect(report.unchangedMessages == 7)
        #expect(report.renamed.map(\.to) == ["Mara"])
    }

    @Test func theOtherPhonesNamesForBothAreTheSamePeople() async throws {
        // Each calls the other "Love": the name that is in both is of two people.
        let first = Self.android.map { $0.replacing("- Jon:", with: "- Love:") }
        let second = Self.phone.map { $0.replacing("] Mara:", with: "] Love:").replacing("] Jon:", with: "] Jon B:") }

        let (report, _, before) = try await run(first, then: second)

        #expect(report.unchangedMessages == 7)
        #expect(report.newConversations + report.insertedMessages + report.updatedMessages == 0)
        #expect(report.renamed.map { "\($0.from) \($0.to)" }.sorted() == ["Love Jon B", "Mara Love"])
        #expect(try await stored() == before)
    }

    @Test(arguments: ["America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
    func anotherTimeZoneIsTheSameChat(zone: String) async throws {
        let (report, _, before) = try await run(Self.android, then: Self.phone, HistoryOptions(timeZone: zone))

        #expect(report.unchangedMessages == 7)
        #expect(report.insertedMessages + report.updatedMessages + report.missingMessages == 0)
        #expect(try await stored() == before)
    }

    @Test func aZoneWithOtherSummerTimeIsTheSameChat() async throws {
        let words = ["rake", "spade", "hose", "seeds", "gloves", "barrow", "twine", "pots"]
        func lines(_ hour: (Int) -> Int) -> [String] {
            // Every ten days from 20 February to 30 April 2023; some days have nothing but "ok".
            let days = ["20/02", "02/03", "12/03", "18/03", "22/03", "01/04", "11/04", "30/04"]
            return zip(days, words).enumerated().flatMap { index, pair in
                let start = "\(pair.0)/2023, \(String(format: "%02d", hour(index)))"
                let texts = index == 3 ? ["ok", "ok"] : [pair.1, "ok"]
                return ["\(start):10 - Mara: \(texts[0])", "\(start):11 - Jon: \(texts[1])"]
            }
        }
        // New York changes on 12 March, Berlin on 26 March: between them the difference is five hours, otherwise six.
        let berlin = lines { _ in 18 }
        let newYork = lines { (2...4).contains($0) ? 13 : 12 }

        let (report, _, before) = try await run(berlin, then: newYork)

        #expect(report.unchangedMessages == 16)
        #expect(report.insertedMessages + report.newConversations == 0)
        #expect(try await stored() == before)
    }

    /// A phone that travelled: what is new has the clock of what is stored, so that the next export finds it.
    @Test func aNewMessageOfAnotherZoneIsStoredOnce() async throws {
        let travelled = [
            "13/05/2024, 13:30 - Mara: who has the ladder?", "13/05/2024, 13:30 - Jon: ok",
            "13/05/2024, 13:31 - Jon: behind the shed", "14/05/2024, 02:00 - Mara: found it",
            "14/05/2024, 11:35 - Jon: ok", "14/05/2024, 11:35 - Mara: ok",
            "14/05/2024, 11:36 - Jon: bring it on Friday", "14/05/2024, 18:00 - Mara: and the hose",
        ]

        let (report, _, before) = try await run(Self.android, then: travelled)

        #expect(report.insertedMessages == 1)
        #expect(report.unchangedMessages == 7)
        let last = try #require(try await stored().last)
        #expect(last.place.timestamp == Timestamp(iso8601: "2024-05-14T13:30:00Z"))
        #expect(try await stored().dropLast() == before[...])
    }

    @Test func anEditIsOfTheSameMessageAndAnOlderExportUndoesNothing() async throws {
        var edited = Self.android + ["15/05/2024, 10:00 - Mara: fine"]
        edited[2] = "13/05/2024, 09:01 - Jon: in the shed"

        let (report, preview, before) = try await run(Self.android, then: edited)

        #expect(report.updatedMessages == 1)
        #expect(report.insertedMessages == 1)
        #expect(preview?.changed == 1)
        var after = try await stored()
        #expect(after.map(\.id).dropLast() == before.map(\.id)[...])
        #expect(after[2].text == "in the shed")
        let old = try await bench.run(try write(Self.phone)).report
        #expect(old.unchangedMessages == 7)
        #expect(old.updatedMessages == 0)
        after = try await stored()
        #expect(after[2].text == "in the shed")
    }

    @Test func anOlderExportThatEndsWithTheSameMessageTakesNoEditBack() async throws {
        var edited = Self.phone
        edited[2] = "[13/05/2024, 09:01:20] Jon: in the shed \u{200E}<This message was edited>"

        let (report, preview, before) = try await run(edited, then: Self.android)
        #expect(report.updatedMessages + report.insertedMessages == 0)
        #expect(preview?.changed == 0)
        #expect(try await stored() == before)
        #expect(before[2].text == "in the shed")

        // What is marked as edited is newer.
        let again = try await bench.run(
            try write(edited.map { $0.replacing("in the shed", with: "in the cellar") })
        ).report
        #expect(again.updatedMessages == 1)
        #expect(try await stored().map(\.id) == before.map(\.id))
        #expect(try await stored()[2].text == "in the cellar")
    }

    @Test func anEditIsTakenFromAnExportThatEndsWithTheSameMessage() async throws {
        var edited = Self.phone
        edited[2] = "[13/05/2024, 09:01:20] Jon: in the shed \u{200E}<This message was edited>"

        let (report, _, before) = try await run(Self.android, then: edited)

        #expect(report.updatedMessages == 1)
        #expect(try await stored().map(\.id) == before.map(\.id))
        #expect(try await stored()[2].text == "in the shed")
    }

    @Test(arguments: ["Jon", "Jon B."], [true, false])
    func whoWasErasedDoesNotComeBackWithAnotherExport(name: String, isElsewhere: Bool) async throws {
        _ = try await bench.run(try write(Self.android))
        let chat = try #require(try await bench.store.importedChats(of: "whatsapp").first?.id)
        let jon = try await bench.person("Jon", in: chat)
        try await bench.store.eraseLines(of: jon)
        let before = try await stored()

        let lines = Self.phone.map { $0.replacing("] Jon:", with: "] \(name):") }
        let file = try write(
            isElsewhere
                ? lines.map {
                    $0.replacing(", 09:", with: ", 11:").replacing(", 07:", with: ", 09:").replacing(
                        ", 21:", with: ", 23:")
                } : lines)
        let report = try await bench.run(file).report

        #expect(report.insertedMessages == 0)
        #expect(try await stored() == before)
        #expect(before.map(\.text) == ["who has the ladder?", "found it", "ok"])
        let names = try await bench.store.roster(of: chat).members.map(\.displayName)
        #expect(names == ["Mara"])
        #expect(try await bench.store.identities().compactMap(\.name) == ["Mara"])
    }

    @Test func whatAnErasedPersonWritesLaterIsNew() async throws {
        _ = try await bench.run(try write(Self.android))
        let chat = try #require(try await bench.store.importedChats(of: "whatsapp").first?.id)
        try await bench.store.eraseLines(of: try await bench.person("Jon", in: chat))

        let report = try await bench.run(try write(Self.phone + ["[16/05/2024, 08:00:00] Jon: ok"])).report

        #expect(report.insertedMessages == 1)
        #expect(try await stored().map(\.text) == ["who has the ladder?", "found it", "ok", "ok"])
    }

    @Test(arguments: [0, 1])
    func aChatOfThreeMessagesIsKnownByTextsThatNobodySaysTwice(dropped: Int) async throws {
        let first = [
            "13/05/2024, 09:00 - Mara: has anybody seen the ladder of the harbour?",
            "13/05/2024, 09:04 - Jon: it stands behind the shed since Monday",
            "13/05/2024, 09:05 - Mara: then somebody must have brought it back",
        ]
        let second = first.dropFirst(dropped).map {
            $0.replacing("- Mara:", with: "- Mum:").replacing("- Jon:", with: "- Jon Berg:")
        }
        _ = try await bench.run(try write(first, to: "WhatsApp Chat with Jon.txt"))
        let before = try await stored()

        let report = try await bench.run(try write(Array(second), to: "WhatsApp Chat with Jon Berg.txt")).report

        #expect(report.newConversations == 0)
        #expect(report.insertedMessages == 0)
        #expect(try await stored() == before)
    }

    @Test func aShortAnswerProvesNoChatOfTwoMessages() async throws {
        func chat(_ name: String) throws -> URL {
            try write(
                [
                    "13/05/2024, 09:00 - Mara: the office is closed on Friday because of the move",
                    "13/05/2024, 09:01 - \(name): ok, thanks",
                ],
                to: "WhatsApp Chat with \(name).txt")
        }

        let result = try await bench.run(try chat("Jon"), try chat("Eve"))

        #expect(result.report.newConversations == 2)
        #expect(result.report.insertedMessages == 4)
    }

    @Test func aRemovedMessageIsNotOverwrittenByAnotherOneOfItsMinute() async throws {
        let first = [
            "13/05/2024, 09:00 - Jon: start", "13/05/2024, 10:00 - Mara: my code is 4711",
            "13/05/2024, 10:00 - Mara: second", "13/05/2024, 11:00 - Jon: end",
        ]
        let second = [first[0], first[2], "13/05/2024, 10:00 - Mara: third", first[3]]

        let (report, _, _) = try await run(first, then: second)

        #expect(report.updatedMessages == 0)
        #expect(report.insertedMessages == 1)
        #expect(try await stored().map(\.text).sorted() == ["end", "my code is 4711", "second", "start", "third"])
    }

    @Test func whatWasDeletedInBetweenIsDeletedAndStaysSo() async throws {
        var deleted = Self.phone
        deleted[3] = "[13/05/2024, 21:30:59] Mara: \u{200E}This message was deleted."
        _ = try await bench.run(try write(Self.android))
        let before = try await stored()

        let report = try await bench.run(try write(deleted)).report
        #expect(report.deletedMessages == 1)
        #expect(try await stored() == before.filter { $0.text != "found it" })
        let old = try await bench.run(try write(Self.android)).report
        #expect(old.insertedMessages == 0)
        #expect(try await stored() == before.filter { $0.text != "found it" })
    }

    @Test(arguments: [true, false])
    func anExportThatBeginsElsewhereContinuesTheChat(beginsLater: Bool) async throws {
        let part = Array(Self.phone.dropFirst(2))
        let (first, second) = beginsLater ? (Self.android, part) : (part, Self.android)

        let (report, _, before) = try await run(first, then: second)

        #expect(report.newConversations == 0)
        #expect(report.unchangedMessages == 5)
        #expect(report.insertedMessages == (beginsLater ? 0 : 2))
        #expect(try await stored().filter { before.contains($0) } == before)
    }

    @Test func greetingsToManyMakeNoTwoChatsOne() async throws {
        func chat(_ name: String, _ answer: String, at minute: Int) throws -> URL {
            try write(
                [
                    "24/12/2023, 18:00 - Mara: merry Christmas", "24/12/2023, 18:00 - Mara: see you all on the 26th",
                    "24/12/2023, 18:0\(minute) - \(name): \(answer)",
                ], to: "WhatsApp Chat with \(name).txt")
        }
        let result = try await bench.run(
            try chat("Jon", "thanks", at: 3), try chat("Eve", "thanks", at: 3), try chat("Ida", "to you too", at: 4))

        #expect(result.report.newConversations == 3)
        #expect(result.report.insertedMessages == 9)
    }

    @Test func oneNameInTwoAddressBooksIsTwoPeople() async throws {
        let ben = try write(
            ["13/01/2024, 09:00 - Mum: soup at six?", "13/01/2024, 09:01 - Ben: yes"], to: "WhatsApp Chat with Mum.txt")
        let cy = try write(
            ["14/01/2024, 09:00 - Cy: keep this to yourself", "14/01/2024, 09:01 - Mum: sure"],
            to: "WhatsApp Chat with Mum.txt")
        _ = try await bench.run(ben, cy)

        let (one, other) = (try await bench.chat(ben), try await bench.chat(cy))
        let mum = try await bench.person("Mum", in: one)
        #expect(try await bench.person("Mum", in: other) != mum)
        _ = try await bench.store.map(
            Identity(source: "whatsapp", externalID: mum.rawValue, userID: "helen"), at: .second(0))
        let scope = SearchScope(asker: "helen", conversations: .all)
        #expect(try await bench.store.permitted(scope, at: .second(0)).map(\.id) == [one])
        // Another export is of the same person.
        _ = try await bench.run(ben)
        #expect(try await bench.store.roster(of: one).members.map(\.userID).contains("helen"))
        #expect(try await bench.store.identities().count == 4)
    }

    @Test func foldersOfEarlierVersionsKeepTheirPeople() async throws {
        let file = try write(Self.android)
        let id = try await bench.chat(file)
        // As earlier versions named people: without the conversation.
        let start = Timestamp(microseconds: 0)
        let members = ["Jon", "Mara"].map {
            Member(userID: UserID(rawValue: "whatsapp-\($0)"), displayName: $0, joinedAt: start)
        }
        _ = try await bench.store.store(
            [
                ConversationRoster(
                    conversation: Conversation(id: id, name: "Garden", createdAt: start, updatedAt: start),
                    members: members)
            ], source: "whatsapp", mode: .importing, at: .second(0))
        let time = try #require(Timestamp(iso8601: "2024-05-13T09:00:00Z"))
        let old = Message(
            key: MessageKey(conversationID: id, messageID: "old"), senderID: "whatsapp-Mara", senderName: "Mara",
            text: "who has the ladder?", timestamp: time)
        _ = try await bench.store.accept([old], source: "whatsapp", mode: .importing, at: .second(0))

        let report = try await bench.run(file).report

        #expect(report.unchangedMessages == 1)
        #expect(report.insertedMessages == 6)
        #expect(Set(try await stored().map(\.authorID)) == ["whatsapp-Mara", "whatsapp-Jon"])
        #expect(try await bench.store.roster(of: id).members.map(\.userID) == ["whatsapp-Jon", "whatsapp-Mara"])
    }
}
