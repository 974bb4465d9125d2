import ChatCore
import Retrieval
import TestSupport
import Testing

@Suite struct FusionTests {
    private let embedder = FakeEmbedder()
    private let fixture: SearchFixture

    init() {
        fixture = SearchFixture(embedder)
    }

    /// A different weight for every signal.
    private static let distinct = RetrievalSettings.with { settings in
        settings.fusion.dense = ["en": 2, "de": 0.5]
        settings.fusion.cosine = 1.1
        settings.fusion.window = 0.7
        settings.fusion.answer = 0.31
        settings.fusion.lexical = 0.83
        settings.fusion.lexicalDate = 1.37
        settings.fusion.coverage = 0.53
        settings.fusion.speaker = 0.41
        settings.fusion.company = 0.79
        settings.fusion.question = -0.19
        settings.fusion.time = 0.43
        settings.fusion.number = 0.29
        settings.fusion.date = 0.97
        settings.recency.halfLifeDays = 10
        settings.recency.weight = 0.17
    }

    private func cosine(_ question: String, _ message: String) -> Double {
        zip(embedder.vector(of: question), embedder.vector(of: message)).reduce(0) { $0 + Double($1.0 * $1.1) }
    }

    private func fill() async throws {
        try await fixture.open("harbor", members: ["ada", "bob", "cleo"])
        try await fixture.open("galley", members: ["ada"])
        try await fixture.add(
            .sample("harbor", "asks", by: "ada", "Where is the pilot?", at: 1),
            .sample("harbor", "tells", by: "bob", "the pilot is at the berth", at: 2),
            .sample("harbor", "counts", by: "cleo", "three of the cat kind came yesterday", at: 3),
            .sample("galley", "alone", by: "ada", "money", at: 4))
    }

    @Test func everySignalAddsItsWeightTimesItsValue() async throws {
        try await fill()
        let question = "When did Bob say how many pilots came on 15 June 2025?"

        let result = try await fixture.search(question, settings: Self.distinct)

        let always: Set = ["cosine", "window", "lexical", "lexicalDate", "coverage", "date", "recency"]
        #expect(Set(result.signals(of: "asks").keys) == always.union(["company", "question"]))
        #expect(Set(result.signals(of: "tells").keys) == always.union(["company", "speaker", "answer"]))
        #expect(Set(result.signals(of: "counts").keys) == always.union(["company", "time", "number"]))
        #expect(Set(result.signals(of: "alone").keys) == always)
        let weights = [
            "cosine": 2.2, "window": 1.4, "answer": 0.62, "lexical": 0.83, "lexicalDate": 1.37, "coverage": 0.53,
            "speaker": 0.41, "company": 0.79, "question": -0.19, "time": 0.43, "number": 0.29, "date": 0.97,
            "recency": 0.17,
        ]
        for hit in result.hits {
            for signal in hit.explanation?.signals ?? [] {
                let weight = try #require(weights[signal.name])
                #expect(abs(signal.contribution - weight * signal.value) < 1e-12, "\(signal.name)")
            }
        }
        #expect(result.addsUp)
        #expect(result.hits.map(\.score) == result.hits.map(\.score).sorted(by: >))
    }

    @Test func signalsHaveTheValuesOfTheirDefinitions() async throws {
        try await fill()
        let question = "Where is the pilot's berth?"

        let result = try await fixture.search(question, settings: Self.distinct)

        let tells = result.signals(of: "tells")
        #expect(abs((tells["cosine"]?.value ?? 0) - cosine(question, "BOB: the pilot is at the berth")) < 1e-6)
        #expect(abs((tells["answer"]?.value ?? 0) - cosine(question, "ADA: Where is the pilot?")) < 1e-6)
        // The best of the words stands for 1, and it holds all words of the question.
        #expect(tells["lexical"]?.value == 1)
        #expect(abs((tells["coverage"]?.value ?? 0) - 1) < 1e-6)
        #expect(tells["lexicalDate"]?.value == 0)
        #expect(result.signals(of: "alone")["lexical"]?.value == 0)
        #expect(result.signals(of: "alone")["coverage"]?.value == 0)
        #expect(result.signals(of: "alone")["window"]?.value == result.signals(of: "alone")["cosine"]?.value)
    }

    @Test func ranksCountFromOneWhereOnlyOneSignalCounts() async throws {
        try await fill()

        let result = try await fixture.search("the pilot at the berth")

        let cosines = result.hits.compactMap { hit in
            result.signals(of: hit.message.key.messageID)["cosine"]
        }.sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }
        #expect(cosines.map(\.rank) == [1, 2, 3, 4])
        #expect(cosines.map(\.value) == cosines.map(\.value).sorted(by: >))
        #expect(result.signals(of: "tells")["cosine"]?.rank == 1)
        #expect(result.signals(of: "tells")["lexical"]?.rank == 1)
        // Without a word of the question there is no rank among words.
        #expect(result.signals(of: "alone")["lexical"] != nil)
        #expect(result.signals(of: "alone")["lexical"]?.rank == nil)
    }

    @Test func aSignalWithoutWeightCountsNothing() async throws {
        try await fill()
        let settings = RetrievalSettings.with {
            $0.fusion.window = 0
            $0.fusion.coverage = 0
            $0.fusion.cosine = 0
            $0.fusion.date = 0
        }

        let result = try await fixture.search("the pilot on 15 June 2025", settings: settings)

        let tells = result.signals(of: "tells")
        #expect(tells["window"] == nil && tells["coverage"] == nil && tells["date"] == nil)
        // The rank is reported anyway.
        #expect(tells["cosine"]?.contribution == 0)
        #expect(tells["cosine"]?.rank == 2)
    }

    @Test(
        arguments: [
            ("Wo ist der pilot und wann kommt er?", 0.5), ("Where is the pilot and when will he come?", 2),
        ])
    func vectorsCountByTheLanguageOfTheQuestion(question: String, factor: Double) async throws {
        try await fill()

        let tells = try await fixture.search(question, settings: Self.distinct).signals(of: "tells")

        for (name, weight) in [("cosine", 1.1), ("window", 0.7), ("answer", 0.31)] {
            let signal = try #require(tells[name])
            #expect(abs(signal.contribution - factor * weight * signal.value) < 1e-12, "\(name)")
            #expect(signal.value > 0.5, "\(name)")
        }
        let words = try #require(tells["lexical"])
        #expect(words.contribution == 0.83 * words.value)
    }

    @Test func aLanguageThatIsNotNamedCountsFully() async throws {
        try await fill()
        let settings = RetrievalSettings.with { $0.fusion.dense = ["de": 0.5] }

        let cosine = try await fixture.search("Where is the pilot now?", settings: settings).signals(of: "tells")[
            "cosine"]

        #expect(cosine.map { abs($0.contribution - settings.fusion.cosine * $0.value) < 1e-12 } == true)
    }

    @Test func ofEqualsTheNewerComesFirst() async throws {
        try await fixture.open("a", "b", "c", members: ["ada"])
        try await fixture.add(
            .sample("a", "earlyFirst", by: "ada", "the pilot", at: 5),
            .sample("b", "late", by: "ada", "the pilot", at: 9),
            .sample("c", "earlyLast", by: "ada", "the pilot", at: 5))

        let result = try await fixture.search("the pilot")

        #expect(Set(result.hits.map(\.score)).count == 1)
        #expect(result.ids == ["late", "earlyLast", "earlyFirst"])
    }

    @Test func freshnessHalvesWithEveryHalfLife() async throws {
        try await fixture.open("a", "b", "c", "d", members: ["ada"])
        let day = 86_400
        // The present of the tests is 10,000,000 seconds after the start of samples.
        try await fixture.add(
            .sample("a", "one", by: "ada", "the pilot", at: 10_000_000 - 10 * day),
            .sample("b", "two", by: "ada", "the pilot", at: 10_000_000 - 20 * day),
            .sample("c", "ahead", by: "ada", "the pilot", at: 10_000_000 + day),
            .sample("d", "now", by: "ada", "the pilot", at: 10_000_000))
        let settings = RetrievalSettings.with {
            $0.recency.halfLifeDays = 10
            $0.recency.weight = 0.4
        }

        let result = try await fixture.search("the pilot", settings: settings)
        let usual = try await fixture.search("the pilot")

        for (id, freshness) in [("one", 0.5), ("two", 0.25), ("ahead", 1), ("now", 1)] {
            let signal = result.signals(of: MessageID(rawValue: id))["recency"]
            #expect(signal.map { abs($0.value - freshness) < 1e-12 } == true, "\(id)")
            #expect(signal.map { abs($0.contribution - 0.4 * freshness) < 1e-12 } == true, "\(id)")
        }
        #expect(result.ids == ["ahead", "now", "one", "two"])
        #expect(
            usual.hits.allSatisfy { hit in
                hit.explanation?.signals.contains { $0.name == "recency" } == false
            })
    }
}
