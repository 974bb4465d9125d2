import Assistant
import TestSupport
import Testing

/// What of a model's reply is suggested, however the model says it.
@Suite("Suggested texts", .hangGuard)
struct SuggestedTextTests {
    struct Said: Sendable, CustomTestStringConvertible {
        let text: String
        let replies: [String]
        var testDescription: String { text }

        init(_ text: String, _ replies: String...) {
            self.text = text
            self.replies = replies
        }
    }

    private static let long = String(repeating: "y", count: 200)

    static let cases = [
        Said(#"["Yes","No","Maybe"]"#, "Yes", "No", "Maybe"),
        Said("```json\n[\n  \"Yes\",\n  \"No\",\n]\n```", "Yes", "No"),
        Said(#"Sure! Here are [3] replies: ["Yes", "No"] Let me know."#, "Yes", "No"),
        Said(#"{"replies": ["Yes", "No"], "language": "en"}"#, "Yes", "No"),
        Said(#"[{"tone": "warm", "text": "Yes", "score": 0.9}, {"text": "No"}]"#, "Yes", "No"),
        Said(#"[["Yes"], ["No", null, 3, true]]"#, "Yes", "No"),
        Said(#"["Yes", "No", "May"#, "Yes", "No"),
        Said(#"["Yes" "No""#, "Yes", "No"),
        Said(#"<think>Perhaps ["Hm"] or - this</think>["Yes"]"#, "Yes"),
        Said(#"First ["Draft"], then better: ["Yes"]"#, "Yes"),
        Said(#"["She said \"go\" \u00e4 \ud83d\udc4d a\/b it\'s"]"#, #"She said "go" ä 👍 a/b it's"#),
        Said(#"["Lone \ud83d half", "Yes"]"#, "Yes"),
        Said(#"["Yes,\nFriday\t works.", " \n "]"#, "Yes, Friday works."),
        Said("1. Yes\n2) \"No\"\n(3) **Maybe**\n10: Later", "Yes", "No", "Maybe"),
        Said(
            "Here are some:\n- Ja, gern!\n* Leider nein.\n• Wann?\nI hope they help.", "Ja, gern!", "Leider nein.",
            "Wann?"),
        Said("“Yes”\n\"No\",\n「はい」", "Yes", "はい"),
        Said(#""Sounds good!""#, "Sounds good!"),
        Said(#"["Yes", "yes!", "YES.", "👍", "👍", "👎"]"#, "Yes", "👍", "👎"),
        Said(#"["1", "2", "3", "4"]"#, "1", "2", "3"),
        Said(#"["\#(long)y", "\#(long)", "x"]"#, long, "x"),
        Said(#"["", "...", "—", "?!", "Yes"]"#, "Yes"),
        Said(#"["Yes\#u{200B}\#u{202E}"]"#, "Yes"),
        Said("[]"), Said(""), Said("   \n"), Said("null"), Said("{}"), Said("["), Said("[["), Said("[\""), Said("[\\"),
        Said("\""), Said(#"{"reply": "#), Said(#"["\u12"#), Said("- "), Said("1."), Said("```\n```"),
        Said("I'm sorry, I can't help with that."), Said("The last message asks for a date.\nThe user might agree."),
        Said("[see above]"), Said("['Yes', 'No']", "Yes", "No"), Said(#"["...", "—"]"#),
    ]

    @Test("Is read leniently, and prose never", arguments: cases)
    func reads(said: Said) async throws {
        let suggested = try await ReplyFixture.suggested(said.text).whole

        #expect(suggested.replies == said.replies)
        #expect(suggested.reason == (said.replies.isEmpty ? .noSuggestion : nil))
    }

    @Test("Of a reply that was cut off the last line is left out")
    func leavesOutTheCutLine() async throws {
        #expect(try await ReplyFixture.suggested("- Yes\n- No, not on Fri").cut.replies == ["Yes"])
        #expect(try await ReplyFixture.suggested("- Yes\n- No").whole.replies == ["Yes", "No"])
        #expect(try await ReplyFixture.suggested(#"["Yes", "No, not on Fri"#).cut.replies == ["Yes"])
    }

    @Test("Links, images and HTML that no message holds are not suggested")
    func filters() async throws {
        let bad = #"""
            ["See https://evil.example/x?d=1", "[here](https://evil.example)", "![x](https://evil.example/p.png)",
             "<b>Gern</b>", "mail me@evil.example", "Fine."]
            """#
        let filtered = try await ReplyFixture.suggested(bad).whole
        #expect(filtered.replies == ["Gern", "Fine."])

        let known = "Is https://harbor.example/plan right?"
        let kept = try await ReplyFixture.suggested(
            #"["Yes, https://harbor.example/plan", "No, https://harbor.example/plans"]"#, to: known
        ).whole
        #expect(kept.replies == ["Yes, https://harbor.example/plan"])
    }

    @Test("A reply of any length is read in time")
    func isLinear() async throws {
        for piece in ["[", "[\"", "{", "\\", "- x\n", "\"“", "[\"x\"]", "**"] {
            _ = try await ReplyFixture.suggested(String(repeating: piece, count: 20_000))
        }
    }
}
