import ChatCore
import Evaluation
import Foundation
import Testing

/// Finds the first messages, with scores that fall.
private struct FirstMessages: EvaluatedSystem {
    func rank(_ question: EvaluationQuestion, limit: Int) async throws -> RankedList {
        RankedList(
            hits: (1...4).map {
                RankedHit(key: MessageKey("c", "m\($0)"), score: 1 / Double($0), signals: ["<b>&'": 0.5])
            },
            latencies: ["dense": .milliseconds(4)], confidence: question.isAnswerable ? 0.75 : 0.25)
    }
}

@Suite struct HTMLReportTests {
    private static let hostile = "</script><script>alert(1)</script><img src=x onerror='x'>&amp;\"\u{202E}\u{0}"

    private func reports() async throws -> [RunReport] {
        var missed = question("q1", ["m9", "m2"], Self.hostile, answer: Self.hostile)
        missed.question = Self.hostile
        var hidden = question("q3", [], "unanswerable")
        hidden.hiddenEvidence = [MessageKey("c", "m1")]
        let dataset = smallDataset(
            messages: 9,
            questions: [
                missed, question("q2", ["m1"], "easy"), hidden, question("q4", ["m8"], "hard"),
                question("q5", ["m5"], "adversarial"),
            ], text: Self.hostile)
        let configuration = RunConfiguration(value: .object([Self.hostile: .number(1)]), hash: "<hash>", scope: "all")
        let first = try await EvaluationRun(name: Self.hostile)
            .measure(dataset, with: FirstMessages(), configuration: configuration).report
        let second = try await EvaluationRun(name: "second", keepsTexts: false)
            .measure(dataset, with: FirstMessages(), configuration: configuration).report
        return [first, second]
    }

    /// Cuts a page into its tags' names, each with its attributes.
    private func tags(_ page: String) -> [(name: String, attributes: String)] {
        page.matches(of: /<([a-zA-Z]+)([^<>]*)>/).map { (String($0.1), String($0.2)) }
    }

    @Test func whatPeopleWroteStaysText() async throws {
        let page = HTMLReport(runs: try await reports()).page

        let names = Set(tags(page).map(\.name))
        #expect(names.isDisjoint(with: ["script", "img", "b&", "iframe", "link", "object", "base", "a", "form"]))
        #expect(!tags(page).contains { $0.attributes.contains("onerror") })
        #expect(!page.contains("\u{0}"))
        #expect(
            page.contains(
                "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;x&#39;&gt;&amp;amp;&quot;"
            ))
        #expect(page.contains("&lt;b&gt;&amp;&#39; 0.500"))
        #expect(page.contains("&lt;hash&gt;"))
    }

    @Test func thePageLoadsNothing() async throws {
        let page = HTMLReport(runs: try await reports()).page

        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        for part in ["http:", "https:", "url(", "@import", " src=", " href=", "javascript:"] {
            let attributes = tags(page).map(\.attributes).joined()
            #expect(!attributes.contains(part), "\(part)")
        }
        #expect(!page.contains("@import"))
        #expect(!page.contains("url("))
    }

    @Test func everyElementIsClosed() async throws {
        let page = HTMLReport(runs: try await reports()).page

        var open: [String] = []
        for match in page.matches(of: /<(\/?)([a-zA-Z0-9]+)[^<>]*?(\/?)>/) {
            let name = String(match.2)
            if ["meta", "br", "input"].contains(name) || !match.3.isEmpty { continue }
            if match.1.isEmpty {
                open.append(name)
            } else {
                #expect(open.popLast() == name)
            }
        }
        #expect(open.isEmpty)
    }

    @Test func missesShowEvidenceAndWhatWasFound() async throws {
        let runs = try await reports()
        let page = HTMLReport(runs: [runs[0]]).page

        let misses = page.components(separatedBy: "<details class=\"miss ").dropFirst()
        // The leak first, then nothing found, then half of it; the question that found everything is not there.
        #expect(misses.map { $0.contains("· q3 ·") } == [true, false, false])
        #expect(misses.map { $0.contains("· q4 ·") } == [false, true, false])
        #expect(misses.map { $0.contains("· q1 ·") } == [false, false, true])
        let miss = try #require(misses.last)
        #expect(miss.contains("<td class=\"n bad\">not found</td>"))
        #expect(miss.contains("<td class=\"n good\">2</td><td class=\"n\">0.5000</td>"))
        #expect(miss.contains("<tr class=\"hit\"><td class=\"n\">2</td>"))
        #expect(miss.components(separatedBy: "<tr class=\"hit\">").count == 2)
        #expect(miss.contains("recall@10 0.50"))
        #expect(page.contains("Found although hidden: m1"))
    }

    @Test func chartsAreThereForWhatWasMeasured() async throws {
        let runs = try await reports()
        let page = HTMLReport(runs: runs).page
        let bare = HTMLReport(runs: [runs[0].withoutRankings]).page

        #expect(page.components(separatedBy: "<svg ").count == 1 + 5)
        #expect(page.components(separatedBy: "role=\"img\" aria-label=\"").count == 1 + 5)
        #expect(page.contains("area under the curve 1.000"))
        #expect(page.contains("4.00 / 4.00"))
        #expect(bare.components(separatedBy: "<svg ").count == 1 + 4)
        #expect(!bare.contains("<h3>Found</h3>"))
    }

    @Test func missesCanBeFilteredWithoutAScript() async throws {
        let page = HTMLReport(runs: try await reports()).page

        #expect(page.contains("#r1:has(#r1k1:checked) .miss:not(.k1) { display: none; }"))
        #expect(page.contains("<input type=\"radio\" name=\"r1\" id=\"r1k1\">"))
        #expect(page.contains("<details class=\"miss k1\">"))
    }

    @Test func aRunWithoutQuestionsOfAKindStillHasAPage() throws {
        let page = HTMLReport(runs: [try report("only", [("a", 1)])]).page

        #expect(page.contains("Nothing was missed."))
        #expect(page.matches(of: /\s(?:x|y|width|height)="(?!-?[0-9.]+")/).isEmpty)
    }
}
