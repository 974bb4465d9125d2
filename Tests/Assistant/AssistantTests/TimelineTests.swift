import AnswerSupport
import Assistant
import ChatCore
import Retrieval
import TestSupport
import Testing
import TextAnalysis

/// The timeline of a subject, read from the hits of a search.
struct TimelineTests {
    private static let hits = [
        hit(1, "The regatta has been moved from 12 November to 20 November.", sender: "Ben", after: 30),
        hit(2, "Bring rope. The regatta is on 12 November."), hit(3, "Lunch is at 12:30.", after: 2),
        hit(4, "When is the regatta?", after: 40),
    ]

    private func request(_ subject: String) -> TimelineRequest {
        // Thursday, 30 October 2025.
        TimelineRequest(
            subject: subject, scope: SearchScope(asker: "u1", conversations: .all),
            askedAt: thursday + .seconds(7 * 86_400))
    }

    @Test func theValidStatementComesFirstWithWhatItReplaces() async throws {
        let searching = FakeSearching(hits: Self.hits, noAnswerReason: .belowThreshold)

        let timeline = try await TimelineFinder(searching: searching).timeline(request("regatta"))

        #expect(timeline.entries.map(\.hit.message.key) == [key(1), key(2)])
        #expect(timeline.entries.map(\.replacedBy) == [nil, key(1)])
        #expect(timeline.entries.map(\.replaces) == [[key(2)], []])
        #expect(timeline.entries.map(\.sentence).last == "The regatta is on 12 November.")
        #expect(timeline.entries.map { $0.values.map(\.value) } == [["2025-11-20"], ["2025-11-12"]])
        #expect(timeline.entries.last?.values.map(\.text) == ["12 November"])
        #expect(
            timeline.entries.last?.shownRange.map { characters($0, of: Self.hits[1].message.text) }?.contains("regatta")
                == true)
        #expect(timeline.asOf == nil)
        #expect(timeline.noAnswerReason == .belowThreshold)
        let search = try #require(searching.requests.first)
        #expect(search.limit == TimelineFinder.hitCount && search.filter.isEmpty)
    }

    @Test func theBestHitsCountWhateverTheirWordsIfTheSearchIsSure() async throws {
        let hits =
            [hit(1, "Lunch is at 12:30.")] + (2...4).map { hit($0, "No meal at all.") } + [
                hit(5, "Dinner is at 19:30.")
            ]

        let sure = try await TimelineFinder(searching: FakeSearching(hits: hits)).timeline(request("food"))
        let unsure = try await TimelineFinder(
            searching: FakeSearching(hits: hits, noAnswerReason: .belowThreshold)
        ).timeline(request("food"))

        #expect(sure.entries.map(\.hit.message.key) == [key(1)])
        #expect(unsure.entries.isEmpty)
    }

    @Test(arguments: ["regatta as of 24 October", "When was the regatta as of 24 October?"])
    func aSubjectMaySayAsOfADay(subject: String) async throws {
        let searching = FakeSearching(hits: [Self.hits[1]])

        let timeline = try await TimelineFinder(searching: searching).timeline(request(subject))

        #expect(timeline.asOf?.day == "2025-10-24")
        let search = try #require(searching.requests.first)
        #expect(search.filter.to?.iso8601 == "2025-10-25T00:00:00.000Z")
        #expect(!search.question.contains("24"))
    }

    @Test func aRequestMayNameTheMoment() async throws {
        let searching = FakeSearching(hits: [])
        var early = request("regatta as of 24 October")
        early.asOf = AsOf(day: "2025-10-23", zone: "UTC")
        var future = request("regatta")
        future.asOf = AsOf(day: "2099-10-23", zone: "UTC")

        let finder = TimelineFinder(searching: searching)
        let first = try await finder.timeline(early)
        let second = try await finder.timeline(future)

        #expect(first.asOf?.day == "2025-10-23")
        #expect(second.asOf == nil)
        #expect(searching.requests.map { $0.filter.to?.iso8601 } == ["2025-10-24T00:00:00.000Z", nil])
    }
}

/// Questions about what was known on an earlier day, asked on Thursday, 23 October 2025.
struct AsOfAnswerTests {
    @Test(arguments: [
        ("When was the regatta as of 20 October?", "As of 2025-10-20:\n\n> Ada"),
        ("Wann war die Regatta, Stand 20. Oktober?", "Stand 2025-10-20:\n\n> Ada"),
        ("10月20日時点で、レガッタはいつでしたか？", "2025-10-20時点：\n\n> Ada"),
        ("À la date du 20 octobre, quand était prévue la régate ?", "À la date du 2025-10-20 :\n\n> Ada"),
        ("¿Cuándo era la regata a fecha de 20 de octubre?", "A fecha de 2025-10-20:\n\n> Ada"),
    ])
    func anAnswerSaysSo(question: String, beginning: String) async throws {
        let searching = FakeSearching(hits: [hit(1, "The regatta is on 12 November.")])
        let turns = RecordedTurns()

        let answer = try await makeService(searching, model: nil, turns: turns).whole(ask(question))

        #expect(answer.text.hasPrefix(beginning))
        #expect(answer.asOf?.day == "2025-10-20")
        #expect(answer.notices == [.extractive, .asOf])
        let search = try #require(searching.requests.first)
        #expect(search.filter.to?.iso8601 == "2025-10-21T00:00:00.000Z")
        #expect(!search.question.contains("20"))
        #expect(turns.all.map(\.question) == [question])
        #expect(turns.all.first?.reply?.notices.contains(TurnReply.asOfNotice) == true)
        #expect(answer.citations.map { characters($0.range, of: answer.text) } == ["[1]"])
    }

    @Test func aModelIsToldSo() async throws {
        let model = FakeLanguageModel(replies: [.text("As of 2025-10-20 it was the 12th [1].")])
        let searching = FakeSearching(hits: [hit(1, "The regatta is on 12 November.")])

        let answer = try await makeService(searching, model: model).whole(ask("When was the regatta as of 20 October?"))

        let prompt = try #require(model.requests.first?.messages.last?.content)
        #expect(prompt.contains("The question is about what was known as of 2025-10-20."))
        #expect(prompt.contains("When was the regatta as of 20 October?"))
        #expect(answer.asOf?.day == "2025-10-20")
        #expect(answer.notices.contains(.asOf))
    }

    @Test func aQuestionAboutThePresentIsNotLimited() async throws {
        let searching = FakeSearching(hits: [hit(1, "The price is 12.")])

        let answer = try await makeService(searching, model: nil).whole(
            ask("Is it true that as of 1 October the price is 12?"))

        #expect(answer.asOf == nil && !answer.notices.contains(.asOf))
        #expect(searching.requests.map(\.filter.isEmpty) == [true])
        #expect(!answer.text.contains("As of"))
    }

    @Test func aRequestMayNameTheMoment() async throws {
        let searching = FakeSearching(hits: [hit(1, "The regatta is on 12 November.")])
        var request = ask("When was the regatta?", timeZone: "Europe/Berlin")
        request.asOf = AsOf(thursday + .seconds(-3_600))

        let answer = try await makeService(searching, model: nil).whole(request)

        #expect(answer.text.hasPrefix("As of Thursday, 2025-10-23 11:30 (UTC+02:00):\n\n> "))
        #expect(answer.asOf?.text == "2025-10-23T09:30:00.000Z")
        #expect(searching.requests.map(\.filter.to) == [thursday + .milliseconds(-3_599_999)])
    }

    @Test func nothingThatWasKnownThenIsSaidSo() async throws {
        let answer = try await makeService(FakeSearching(hits: []), model: nil).whole(
            ask("When was the regatta as of 20 October?"))

        #expect(answer.text.hasPrefix("As of 2025-10-20:\n\nNo matching message was found"))
    }
}
