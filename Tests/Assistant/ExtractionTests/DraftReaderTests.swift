import ChatCore
import Extraction
import Foundation
import Testing
import TextAnalysis

@Suite("Reading a model's reply")
struct DraftReaderTests {
    static let good = """
        {"items": [
          {"message": 2, "task": "Send the drawings to the foundry", "assignee": "Bert Brown", "deadline": "by Friday",
           "priority": "high", "quote": "I'll send the drawings to the foundry by Friday."},
          {"message": 3, "task": "Order 12 gears", "assignee": "Bert Brown", "deadline": null, "priority": "medium",
           "quote": "please order 12 gears"},
          {"message": 3, "task": "Write the manual", "assignee": "Countess", "deadline": "tomorrow 5pm", "priority": "low",
           "quote": "Countess here will write the manual tomorrow 5pm"}
        ]}
        """

    @Test("reads a good reply")
    func goodReply() {
        let reply = Talk.read(Self.good)

        #expect(
            Talk.lines(reply) == [
                "m2 | Send the drawings to the foundry | bert | 2025-10-24T21:59:59.000Z | high",
                "m3 | Order 12 gears | bert | - | medium",
                "m3 | Write the manual | ada | 2025-10-23T15:00:00.000Z | low",
            ])
        #expect(reply.drafts.map(\.quote)[1] == "please order 12 gears")
        #expect(reply.faults == [])
        #expect(!reply.deservesRetry)
    }

    /// A malformed item with what becomes of it, and the faults that are noted.
    static let items: [(item: String, line: String?, faults: [String])] = [
        // The number of the message
        (#"{"message":"[2]","task":"Send it"}"#, "m2 | Send it | - | - | medium", ["1:foreign_quote"]),
        (#"{"message":[2],"task":"Send it"}"#, "m2 | Send it | - | - | medium", ["1:foreign_quote"]),
        (#"{"message":9,"task":"Send it"}"#, nil, ["1:unknown_message!"]),
        (#"{"message":0,"task":"Send it"}"#, nil, ["1:unknown_message!"]),
        (#"{"message":-2,"task":"Send it"}"#, nil, ["1:unknown_message!"]),
        (#"{"message":2.5,"task":"Send it"}"#, nil, ["1:unknown_message!"]),
        (#"{"message":1e300,"task":"Send it"}"#, nil, ["1:unknown_message!"]),
        (#"{"message":"m2","task":"Send it"}"#, nil, ["1:unknown_message!"]),
        (#"{"task":"Send it","quote":"Friday"}"#, nil, ["1:unknown_message!"]),
        (#"{"message":1,"task":"Ship it","quote":"We ship the engine"}"#, nil, ["1:context_message!"]),
        (
            #"{"message":9,"task":"Send it","quote":"send the drawings to the foundry"}"#,
            "m2 | Send it | - | - | medium", []
        ),
        (
            #"{"message":4,"task":"Send it","quote":"send the drawings to the foundry"}"#,
            "m2 | Send it | - | - | medium", []
        ),
        // Names of fields
        (
            #"{"Message_ID":2,"title":"Send it","owner":"Bert"}"#, "m2 | Send it | bert | - | medium",
            ["1:foreign_quote"]
        ),
        // The text
        (#"{"message":2,"task":",.5,","quote":"by Friday"}"#, nil, ["1:missing_text!"]),
        (#"{"message":2,"task":"","quote":"by Friday"}"#, nil, ["1:missing_text!"]),
        (#"{"message":2,"task":null,"quote":"by Friday"}"#, nil, ["1:missing_text!"]),
        (#"{"message":2,"task":["a","b"],"quote":"by Friday"}"#, nil, ["1:missing_text!"]),
        (#"{"message":2,"task":" Send\n it ","quote":"by Friday"}"#, "m2 | Send it | - | - | medium", []),
        // The person
        (
            #"{"message":2,"task":"Send it","assignee":"Zoe","quote":"by Friday"}"#, "m2 | Send it | - | - | medium",
            ["1:unknown_person"]
        ),
        (
            #"{"message":2,"task":"Send it","assignee":"Brown","quote":"by Friday"}"#,
            "m2 | Send it | - | - | medium", ["1:unknown_person"]
        ),
        (
            #"{"message":2,"task":"Send it","assignee":"bert","quote":"by Friday"}"#,
            "m2 | Send it | bert | - | medium", []
        ),
        (
            #"{"message":2,"task":"Send it","assignee":"@Bert","quote":"by Friday"}"#,
            "m2 | Send it | bert | - | medium", []
        ),
        (
            #"{"message":2,"task":"Send it","assignee":"me","quote":"by Friday"}"#, "m2 | Send it | bert | - | medium",
            []
        ),
        (
            #"{"message":2,"task":"Send it","assignee":{"name":"Ada Lovelace"},"quote":"by Friday"}"#,
            "m2 | Send it | ada | - | medium", []
        ),
        (
            #"{"message":2,"task":"Send it","assignee":"the team","quote":"by Friday"}"#,
            "m2 | Send it | - | - | medium", []
        ),
        (#"{"message":2,"task":"Send it","assignee":"null","quote":"by Friday"}"#, "m2 | Send it | - | - | medium", []),
        // The date
        (
            #"{"message":2,"task":"Send it","deadline":"2025-10-25","quote":"by Friday"}"#,
            "m2 | Send it | - | 2025-10-24T21:59:59.000Z | medium", []
        ),
        (
            #"{"message":3,"task":"Order 12 gears","deadline":"on Dec 3 at noon","quote":"order 12 gears"}"#,
            "m3 | Order 12 gears | - | 2025-12-03T11:00:00.000Z | medium", []
        ),
        (
            #"{"message":4,"task":"Use steel","deadline":"2025-02-30","quote":"No brass"}"#,
            "m4 | Use steel | - | 2025-12-03T11:00:00.000Z | medium", []
        ),
        (
            #"{"message":2,"task":"Send it","deadline":"soonish","quote":"by Friday"}"#,
            "m2 | Send it | - | 2025-10-24T21:59:59.000Z | medium", []
        ),
        // The quote
        (
            #"{"message":2,"task":"Send it","quote":"I will mail the plans"}"#, "m2 | Send it | - | - | medium",
            ["1:foreign_quote"]
        ),
        // The priority
        (#"{"message":2,"task":"Send it","priority":"URGENT","quote":"by Friday"}"#, "m2 | Send it | - | - | high", []),
        (#"{"message":2,"task":"Send it","priority":7,"quote":"by Friday"}"#, "m2 | Send it | - | - | medium", []),
    ]

    @Test("mends what is unambiguous and drops the rest", arguments: items.indices)
    func malformedItem(_ place: Int) {
        let (item, line, faults) = Self.items[place]

        let reply = Talk.read("[\(item)]")

        #expect(Talk.lines(reply) == (line.map { [$0] } ?? []))
        #expect(Talk.faults(reply) == faults)
    }

    @Test("takes no date that nobody said")
    func inventedDates() {
        let context = ExtractionContext(
            messages: [Talk.message("m1", Talk.ada, "Bert, please order 12 gears.")], participants: [Talk.bert],
            zone: "Europe/Berlin")
        func due(_ words: String) -> (String?, [String]) {
            let reply = DraftReader(schema: .actionItems, context: context).read(
                #"[{"message":1,"task":"Order gears","deadline":"\#(words)","quote":"order 12 gears"}]"#)
            return (reply.drafts.first?.due?.iso8601, Talk.faults(reply))
        }

        #expect(due("by Friday") == (nil, ["1:bad_date"]))
        #expect(due("2025-02-30") == (nil, ["1:bad_date"]))
        #expect(due("2025-10-20") == (nil, ["1:bad_date"]))
        #expect(due("2095-10-20") == (nil, ["1:bad_date"]))
        #expect(due("2025-10-24") == ("2025-10-24T21:59:59.000Z", []))
        #expect(due("2025-10-24T17:00:00") == ("2025-10-24T15:00:00.000Z", []))
        #expect(due("2025-10-24T17:00:00Z") == ("2025-10-24T17:00:00.000Z", []))
    }

    @Test("quotes the message itself where the quote is not in it")
    func foreignQuote() {
        let reply = Talk.read(#"[{"message":2,"task":"Send it","quote":"I will mail the plans"}]"#)
        #expect(reply.drafts.map(\.quote) == ["I'll send the drawings to the foundry by Friday."])
        let spelled = Talk.read(#"[{"message":2,"task":"Send it","quote":"“SEND the  drawings”"}]"#)
        #expect(spelled.drafts.map(\.quote) == ["send the drawings"])
    }

    /// Replies of other shapes with the number of items that they hold.
    static let shapes: [(reply: String, count: Int, isList: Bool, deservesRetry: Bool)] = [
        (good, 3, true, false),
        ("```json\n\(good)\n```", 3, true, false),
        ("Here is what I found:\n\(good)\nHope this helps!", 3, true, false),
        (#"{"result":{"data":{"items":[{"message":2,"task":"Send it","quote":"by Friday"}]}}}"#, 1, true, false),
        (#"{"message":2,"task":"Send it","quote":"by Friday"}"#, 1, true, false),
        (#"{"1":{"message":2,"task":"Send it","quote":"by Friday"}}"#, 1, true, false),
        (#"{"items":[]}"#, 0, true, false),
        ("[]", 0, true, false),
        ("There are no action items.", 0, false, true),
        ("", 0, false, true),
        (#"["Send the drawings"]"#, 0, false, true),
        (#"{"error":"I cannot do that"}"#, 0, false, true),
        (String(good.prefix(300)), 1, true, true),
        (#"{"message":2,"task":"Send it","quote":"by Fri"#, 0, false, true),
        (
            #"[{"message":2,"task":"Send it","quote":"by Friday"},{"message":2,"task":"Send it!","quote":"Friday"}]"#,
            1, true, false
        ),
        (#"[{"message":77,"task":"Send it","quote":"a new thing"}]"#, 0, true, true),
    ]

    @Test("reads a list in whatever shape", arguments: shapes.indices)
    func shape(_ place: Int) {
        let (text, count, isList, deservesRetry) = Self.shapes[place]

        let reply = Talk.read(text)

        #expect(reply.drafts.count == count)
        #expect(reply.isList == isList)
        #expect(reply.deservesRetry == deservesRetry)
    }

    @Test("reads which earlier decision another one takes the place of")
    func decisions() {
        let reply = Talk.read(
            """
            [{"message": 4, "decision": "Ship with steel gears", "decidedBy": "Cara", "supersedes": 1,
              "quote": "we ship with steel gears instead"},
             {"message": 2, "decision": "Use the foundry", "decidedBy": null, "supersedes": 4, "quote": "to the foundry"}]
            """, .decisions)

        #expect(reply.drafts.map(\.supersedes?.messageID) == ["m1", nil])
        #expect(reply.drafts.map(\.person?.id) == ["cara", nil])
        #expect(Talk.faults(reply) == ["2:unknown_superseded"])
    }

    @Test("takes a deadline only with its date")
    func deadlines() {
        let reply = Talk.read(
            """
            [{"message": 4, "what": "The foundry closes", "when": "Dec 3 at noon", "whose": null, "quote": "closes on Dec 3"},
             {"message": 3, "what": "Gears", "when": "some day", "whose": "Bert", "quote": "order 12 gears"},
             {"message": 2, "what": "Drawings", "whose": "Bert", "quote": "send the drawings"}]
            """, .deadlines)

        #expect(
            Talk.lines(reply) == [
                "m4 | The foundry closes | - | 2025-12-03T11:00:00.000Z | medium",
                "m3 | Gears | bert | 2025-10-23T15:00:00.000Z | medium",
            ])
        #expect(Talk.faults(reply) == ["3:bad_date!"])
    }

    @Test("takes a deadline without a date only if it replaces another one and names none")
    func deadlinesWithoutDates() {
        let reply = Talk.read(
            """
            [{"message": 4, "what": "The foundry closes", "when": null, "supersedes": 1, "quote": "closes on Dec 3"},
             {"message": 4, "what": "Steel gears", "when": "soon on Mars", "supersedes": 1, "quote": "with steel gears"},
             {"message": 2, "what": "Drawings", "when": "", "supersedes": null, "quote": "send the drawings"}]
            """, .deadlines)

        #expect(reply.drafts.map(\.text) == ["The foundry closes", "Steel gears"])
        #expect(reply.drafts.map(\.keepsDate) == [true, false])
        #expect(reply.drafts.map(\.due?.iso8601) == [nil, "2025-12-03T11:00:00.000Z"])
        #expect(Talk.faults(reply) == ["3:bad_date!"])
    }

    /// A message, the date as a model gives it, and the moment; the last message says in words what no model reads.
    @Test(
        "reads a model's date with the words of the message",
        arguments: [
            ("Send it tomorrow at 9:00 UTC.", "tomorrow at 9:00 UTC", "2025-10-23T09:00:00.000Z"),
            // The model leaves out what the message says beside it.
            ("Send it tomorrow at 9:00 UTC.", "tomorrow at 9:00", "2025-10-23T09:00:00.000Z"),
            ("Send it tomorrow at 9 am Mars time.", "tomorrow at 9 am", nil), ("Not Friday, please.", "Friday", nil),
            ("We meet every Friday.", "Friday", nil), ("Friday or Monday?", "Monday", nil),
            ("Send it tomorrow 18:00-19:00.", "18:00", "2025-10-23T17:00:00.000Z"),
            ("Send it at 2025-12-01T09:00:00+05:30.", "2025-12-01T09:00:00+05:30", "2025-12-01T03:30:00.000Z"),
            ("From 2025-12-01 09:00 UTC, or on Dec 3", "2025-12-01 09:00 UTC", "2025-12-01T09:00:00.000Z"),
            // It calculated the moment itself: the words win if all of them are understood.
            ("Send it tomorrow at 6pm PT.", "2025-10-24T01:00:00Z", "2025-10-24T01:00:00.000Z"),
            ("Send it tomorrow at 6pm PT.", "2025-10-23T18:00:00+02:00", "2025-10-24T01:00:00.000Z"),
            ("Send it by Friday.", "2025-10-25T12:00:00Z", "2025-10-24T21:59:59.000Z"),
            ("Send it tomorrow at 6pm Moon Base time.", "2025-10-24T01:00:00Z", "2025-10-24T01:00:00.000Z"),
            ("Send it tomorrow at 6pm XYZ.", "2025-10-24T01:00:00Z", "2025-10-24T01:00:00.000Z"),
            ("Send it tomorrow at 6pm XYZ.", "some day", nil),
        ] as [(String, String, String?)])
    func datesOfModels(text: String, date: String, due: String?) {
        let context = ExtractionContext(
            messages: [Talk.message("m1", Talk.ada, text)], participants: [], zone: "Europe/Berlin")

        let reply = DraftReader(schema: .actionItems, context: context).read(
            #"[{"message": 1, "task": "Send it", "deadline": "\#(date)", "quote": "\#(text)"}]"#)

        #expect(reply.drafts.map(\.due?.iso8601) == [due])
        #expect(Talk.faults(reply) == (due == nil ? ["1:bad_date"] : []))
    }

    @Test("takes one score a message, between 0 and 1")
    func scores() {
        let reply = Talk.read(
            """
            [{"message": 2, "score": 0.8, "reason": "due on Friday"}, {"message": 2, "score": 0.1, "reason": "again"},
             {"message": 3, "score": "high", "reason": "asks Bert"}, {"message": 4, "score": 80, "reason": "changes gears"}]
            """, .priorities)

        #expect(reply.drafts.map(\.score) == [0.8, 0.9])
        #expect(reply.drafts.map(\.text) == ["due on Friday", "asks Bert"])
        #expect(Talk.faults(reply) == ["2:duplicate!", "4:bad_score!"])
    }

    @Test("keeps the scores of two messages that have the same reason")
    func scoresForOneReason() {
        let reply = Talk.read(
            """
            [{"message": 2, "score": 0.8, "reason": "small talk"}, {"message": 3, "score": 0.1, "reason": "small talk"}]
            """, .priorities)

        #expect(reply.drafts.map(\.score) == [0.8, 0.1])
        #expect(Talk.faults(reply) == [])
    }

    @Test("never crashes and never takes an item without a message shown")
    func fuzz() {
        var numbers = SeededNumbers(state: 7)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\\u", "d83d", "null", "tru", "1e9", "-", "\"message\":2",
            "\"message\":99", "\"task\":\"x\"", "\"items\":", "```", "<think>", "</think>", "/*", "//", "\n", "é", "😀",
            "\"quote\":\"by Friday\"", "\"deadline\":\"Feb 30\"", "\"assignee\":\"Bert\"", "{\"message\":3,\"task\":",
        ]
        let known = Set(Talk.messages.filter { !$0.isContext }.map(\.key))
        for schema in [ExtractionSchema.actionItems, .decisions, .deadlines, .priorities] {
            for _ in 0..<1_500 {
                let count = Int.random(in: 0...40, using: &numbers)
                let reply = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &numbers)] }.joined()
                let drafts = Talk.read(reply, schema).drafts
                #expect(drafts.allSatisfy { known.contains($0.message.key) && !$0.text.isEmpty })
            }
        }
        // A good reply with bytes changed.
        for _ in 0..<1_500 {
            var bytes = Array(Self.good.utf8)
            for _ in 0..<Int.random(in: 1...12, using: &numbers) {
                bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            let drafts = Talk.read(String(decoding: bytes, as: UTF8.self)).drafts
            #expect(drafts.allSatisfy { known.contains($0.message.key) && !$0.text.isEmpty })
        }
    }
}
