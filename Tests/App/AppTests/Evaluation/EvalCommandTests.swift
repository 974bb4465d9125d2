import Foundation
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct EvalCommandTests {
    private let dataset: TinyDataset
    private var binary: NexusBinary { dataset.binary }

    init() throws {
        dataset = try TinyDataset()
    }

    @Test func aRunReportsItsMetricsByName() async throws {
        try await dataset.measure("good")

        let report = try dataset.json("good.json")
        #expect(report["recall@1"] as? Double == 5.5 / 6)
        #expect(report["recall@10"] as? Double == 1)
        #expect(report["hit@1"] as? Double == 1)
        #expect(report["MRR"] as? Double == 1)
        #expect(report["questionCount"] as? Int == 6)
        #expect(report["unanswerableCount"] as? Int == 1)
        #expect(report["leakCount"] as? Int == 0)
        #expect(report["name"] as? String == "good")
        #expect(report["scope"] as? String == "conversation")
        #expect((report["configurationHash"] as? String)?.count == 12)
        let facts = try #require(report["dataset"] as? [String: Any])
        #expect(facts["conversations"] as? Int == 3 && facts["messages"] as? Int == 30)
        #expect(facts["questions"] as? Int == 8 && facts["name"] as? String == "tiny")
        #expect((facts["hash"] as? String)?.count == 64)
        let categories = try #require(report["categories"] as? [String: [String: Any]])
        #expect(Set(categories.keys) == ["single", "several"])
        #expect(categories["several"]?["recall@1"] as? Double == 0.75)
        #expect((report["adversarial"] as? [String: Any])?["questionCount"] as? Int == 1)
        #expect((report["questions"] as? [Any])?.count == 8)
    }

    @Test func aSecondRunEmbedsNoMessageAgain() async throws {
        try await dataset.measure("first")
        let first = dataset.embeddedTexts

        try await dataset.measure("second")
        let again = dataset.embeddedTexts.dropFirst(first.count)

        let messages = first.filter { $0.hasPrefix("Ada: ") || $0.hasPrefix("Bob: ") }
        #expect(Set(messages).count == 30)
        #expect(messages.count == 30)
        #expect(Set(again).isDisjoint(with: messages))
        #expect(again.count >= 8)
        #expect(try dataset.json("first.json")["MRR"] as? Double == dataset.json("second.json")["MRR"] as? Double)
    }

    @Test func runAndQrelsAreOfTheFormOfTREC() async throws {
        try await dataset.measure("good", ["--run", "run.trec", "--qrels", "tiny.qrels", "--depth", "3"])

        let qrels = try dataset.text("tiny.qrels").split(separator: "\n").map(String.init)
        #expect(
            qrels == [
                "q0 0 dock-0 1", "q1 0 dock-3 1", "q2 0 galley-5 1", "q3 0 galley-7 1", "q4 0 mast-0 1",
                "q4 0 mast-2 1", "q5 0 mast-4 1",
            ])
        let run = try dataset.text("run.trec").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(run.count == 6 * 3)
        #expect(run.allSatisfy { $0.count == 6 && $0[1] == "Q0" && Double($0[4]) != nil && $0[5] == "good" })
        #expect(run.map { $0[3] } == (0..<6).flatMap { _ in ["1", "2", "3"] })
        for (question, document) in [("q0", "dock-0"), ("q2", "galley-5"), ("q5", "mast-4")] {
            #expect(run.first { $0[0] == question }?[2] == document)
        }
        for place in stride(from: 0, to: run.count, by: 3) {
            let scores = run[place..<place + 3].compactMap { Double($0[4]) }
            #expect(scores == scores.sorted(by: >))
        }
    }

    @Test func scopeLimitAndBriefAreHeeded() async throws {
        try await dataset.measure("all", ["--scope", "all", "--limit", "3", "--brief"])

        let report = try dataset.json("all.json")
        #expect(report["scope"] as? String == "all")
        #expect(report["questionCount"] as? Int == 3)
        #expect(report["texts"] == nil)
        #expect(!(try dataset.text("all.json").contains("crane")))
    }

    @Test func aMissedGateIsExitCodeOne() async throws {
        let good = try await dataset.measure("good")
        let bad = try await dataset.measure("bad", ["--search", try dataset.writeBadSettings()])
        #expect(try dataset.json("bad.json")["recall@1"] as? Double == 0)

        let lost = try await binary.run(["eval", "compare", good, bad, "--gate", "recall@1=-0.01"])
        let gained = try await binary.run(["eval", "compare", bad, good, "--gate", "recall@1=-0.01"])
        let ungated = try await binary.run(["eval", "compare", good, bad, "--json"])
        let category = try await binary.run([
            "eval", "compare", good, bad, "--gate", "single:recall@10=0", "--gate", "several:recall@1=-1",
        ])

        #expect(lost.status == 1 && lost.errors.isEmpty)
        #expect(lost.output.contains("gates missed"))
        #expect(lost.output.contains("all:recall@1 changed by"))
        #expect(gained.status == 0 && !gained.output.contains("gates missed"))
        #expect(ungated.status == 0)
        let rows = try #require(try ungated.json()["rows"] as? [[String: Any]])
        let row = try #require(rows.first { $0["group"] as? String == "all" && $0["metric"] as? String == "recall@1" })
        #expect((row["difference"] as? [String: Any])?["mean"] as? Double == -5.5 / 6)
        // All ten messages are among the first ten either way.
        #expect(category.status == 0, "\(category.output)")
    }

    @Test func aThresholdIsCalibrated() async throws {
        let report = try await dataset.measure("good")

        let calibration = try await binary.run(["eval", "calibrate", report])

        #expect(calibration.status == 0, "\(calibration.errors)")
        let found = try calibration.json()
        #expect(found["answerableCount"] as? Int == 6)
        // The adversarial question counts as one without an answer.
        #expect(found["unanswerableCount"] as? Int == 2)
        let threshold = try #require(found["threshold"] as? Double)
        #expect(threshold > 0 && threshold < 1)
        let confidences = try #require(try dataset.json(report)["questions"] as? [[String: Any]])
        let unanswerable = confidences.first { $0["id"] as? String == "q6" }?["confidence"] as? Double
        #expect(unanswerable.map { $0 < threshold } == true)

        let answerable = try await dataset.measure("some", ["--limit", "6"])
        let refused = try await binary.run(["eval", "calibrate", answerable])
        #expect(refused.status == 2)
        #expect(refused.errors == "nexus: there are no scores of unanswerable questions\n")
    }

    @Test func aReportIsOnePageOfItsOwn() async throws {
        let good = try await dataset.measure("good")
        let bad = try await dataset.measure("bad", ["--search", try dataset.writeBadSettings()])

        let result = try await binary.run(["eval", "report", good, bad, "--out", "page.html"])

        #expect(result.status == 0 && result.output == "page.html\n", "\(result.errors)")
        let page = try dataset.text("page.html")
        #expect(page.lowercased().hasPrefix("<!doctype html>"))
        #expect(page.contains("<svg") && page.contains(">good<") && page.contains(">bad<"))
        for reference in ["src=\"http", "href=\"http", "@import", "<script src", "<link"] {
            #expect(!page.contains(reference), "\(reference)")
        }
    }

    @Test func publicFilesBecomeADatasetThatCanBeMeasured() async throws {
        let folder = binary.folder.appending(path: "beir")
        try FileManager.default.createDirectory(at: folder.appending(path: "qrels"), withIntermediateDirectories: true)
        try binary.write(
            "beir/corpus.jsonl",
            """
            {"_id": "d1", "title": "Cranes", "text": "How they are repaired"}
            {"_id": "d2", "title": "", "text": "Soup recipes"}
            {"_id": "d3", "title": "Sails", "text": "Mending a tear"}

            """)
        try binary.write("beir/queries.jsonl", #"{"_id": "q1", "text": "mending sails"}"# + "\n")
        try binary.write("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td3\t2\n")

        let converted = try await binary.run(["eval", "convert", "beir", "beir", "--out", "made"])
        let run = try await binary.run(
            ["eval", "run", "--dataset", "made", "--cache", "cache", "--json", "made.json"] + dataset.settings)

        #expect(converted.status == 0, "\(converted.errors)")
        #expect(converted.output == "made: 1 conversations, 3 messages, 1 questions\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try dataset.json("made.json")["MRR"] as? Double == 1)
    }

    @Test func modelsAreComparedSideBySideEachWithItsVectors() async throws {
        let service = "provider=compatible,base-url=\(dataset.stub.baseURL)/v1"
        let models = ["\(service),model=e", "\(service),model=f", "\(service),model=f,query-prefix=ask: "]
        let arguments = models.flatMap { ["--embedding", $0] } + ["--json", "side.json"] + dataset.options
        let run = try await binary.run(["eval", "run"] + arguments)

        #expect(run.status == 0, "\(run.errors)")
        let rows = run.output.split(separator: "\n").dropFirst(2).map { $0.prefix { $0 != " " } }
        #expect(rows == ["e", "f", "f"], "\(run.output)")
        #expect(try dataset.json("side-e.json")["name"] as? String == "e")
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: binary.folder.appending(path: "cache").path)
        #expect(folders.count == 3)
        let asked = Set(dataset.requests.compactMap { $0.json["model"] as? String })
        #expect(asked == ["e", "f"])

        let wrong = try await binary.run(["eval", "run", "--embedding", "a=1"] + dataset.options)
        #expect(wrong.status == 64)
        let unknown = try await binary.run(["eval", "run", "--embedding", "no-such-model"] + dataset.options)
        #expect(unknown.status != 0)
        #expect(unknown.errors.contains("no-such-model is neither all-MiniLM-L6-v2"), "\(unknown.errors)")
    }

    @Test func tuningWritesSettingsThatCanBeUsed() async throws {
        let tuned = try await binary.run(
            ["eval", "tune", "--folds", "3", "--random", "2", "--halvings", "1", "--out", "tuned.json"]
                + ["--json", "tuning.json", "--weight", "fusion.cosine=0:2", "--weight", "fusion.coverage=0:1"]
                + ["--search", try dataset.writeBadSettings()] + dataset.options)

        #expect(tuned.status == 0, "\(tuned.errors)")
        let result = try dataset.json("tuning.json")
        #expect(Set((result["weights"] as? [String: Double] ?? [:]).keys) == ["fusion.cosine", "fusion.coverage"])
        #expect((result["folds"] as? [Any])?.count == 3)
        let settings = try #require(try dataset.json("tuned.json")["fusion"] as? [String: Any])
        let cosine = try #require((result["weights"] as? [String: Double])?["fusion.cosine"])
        #expect(settings["cosine"] as? Double == cosine)
        // It began at the least of the bounds, and found better.
        #expect(cosine > 0)
        #expect(tuned.output.contains("fusion.cosine ") && tuned.output.contains("held out "))
        try await dataset.measure("tuned", ["--search", "tuned.json"])
    }
}
