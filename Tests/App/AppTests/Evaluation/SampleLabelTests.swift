import Foundation
import TestSupport
import Testing

/// The labels of the sample chats against what the service does with them.
@Suite(.serialized, .hangGuard) struct SampleLabelTests {
    /// What the sample chats label as not to be replied to is not, whatever the model says; the rest goes to the model.
    @Test(arguments: ["harbor", "koto", "werft"]) func theLabelledRepliesAreThoseOfTheService(name: String) async throws
    {
        let dataset = try TinyDataset { _ in #"["That sounds good to me."]"# }
        let folder = NexusBinary.root.appending(path: "eval/datasets/\(name)").path

        let result = try await dataset.binary.run(
            ["eval", "run", "--task", "replies", "--dataset", folder, "--json", "report.json"] + dataset.chatSettings)

        #expect(result.status == 0, "\(result.errors)")
        let cases = try #require(try dataset.json("report.json")["cases"] as? [[String: Any]])
        #expect(cases.allSatisfy { [[], ["language"]].contains($0["faults"] as? [String]) }, "\(cases)")
        #expect(dataset.prompts.count == cases.count { $0["reason"] == nil })
    }

    /// Every message that is labelled as urgent or not is among those that the model is asked about.
    @Test(arguments: ["harbor", "koto", "werft"]) func theLabelledPrioritiesAreAskedFor(name: String) async throws {
        let dataset = try TinyDataset { request in
            let prompt = EvalTaskTests.prompt(request)
            let numbers = prompt.split(separator: "\n").compactMap { $0.firstMatch(of: /^\[(\d+)\] BEGIN/)?.output.1 }
            let items = numbers.map { #"{"message":\#($0),"score":0.5,"reason":"x"}"# }
            return #"{"items":[\#(items.joined(separator: ","))]}"#
        }
        let folder = NexusBinary.root.appending(path: "eval/datasets/\(name)").path

        let result = try await dataset.binary.run(
            ["eval", "run", "--task", "priorities", "--dataset", folder, "--json", "report.json"]
                + dataset.chatSettings)

        #expect(result.status == 0, "\(result.errors)")
        let report = try dataset.json("report.json")
        #expect(report["scoredCount"] as? Int == report["labelledCount"] as? Int)
        // All are level: no pair is right.
        #expect(report["rightCount"] as? Int == 0 && report["accuracy"] as? Double == 0)
        #expect((report["pairCount"] as? Int ?? 0) > 3)
    }
}
