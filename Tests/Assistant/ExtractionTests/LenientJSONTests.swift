import ChatCore
import Extraction
import Foundation
import Testing

@Suite("Lenient JSON")
struct LenientJSONTests {
    /// A reply with what is read of it, as JSON with sorted keys, and whether it broke off.
    static let replies: [(reply: String, values: [String], isTruncated: Bool)] = [
        (#"{"a":[1,2.5,-3e2,true,false,null,"x"]}"#, [#"{"a":[1,2.5,-300,true,false,null,"x"]}"#], false),
        ("Sure! Here it is:\n```json\n[{\"a\": 1}]\n```\nAnything else?", [#"[{"a":1}]"#], false),
        (#"<think>maybe [{"a":0}]?</think>[{"a":1}]"#, [#"[{"a":1}]"#], false),
        (#"[{"a":1,},{"a":2},]"#, [#"[{"a":1},{"a":2}]"#], false),
        (#"{'a': 'it's Bert's', b: None, c: True,}"#, [#"{"a":"it's Bert's","b":null,"c":true}"#], false),
        (#"{"a": "he said "now" to me"}"#, [#"{"a":"he said \"now\" to me"}"#], false),
        ("{\"a\": \"x\"\n \"b\": \"y\"}", [#"{"a":"x","b":"y"}"#], false),
        ("{\"a\": \"two\nlines\"} // done\n", [#"{"a":"two\nlines"}"#], false),
        ("[1, /* one */ 2 // two\n, 3]", ["[1,2,3]"], false),
        (#"[{"a":1},{"a":2},{"a":"br"#, [#"[{"a":1},{"a":2}]"#], true),
        (#"{"items":[{"a":1},{"a":2"#, [#"{"items":[{"a":1}]}"#], true),
        (#"{"items":[{"a":1},"#, [#"{"items":[{"a":1}]}"#], true),
        (#"{"items":["#, [#"{"items":[]}"#], true),
        (#"{"a":1}{"a":2}"#, [#"{"a":1}"#, #"{"a":2}"#], false),
        (#"{"a":"\u00e4\ud83d\ude00\n\"\\\/"}"#, ["{\"a\":\"ä😀\\n\\\"\\\\/\"}"], false),
        (#"{"a":1,"a":2}"#, [#"{"a":1}"#], false),
        ("see [3] and {this}", ["[3]"], false),
        ("no list at all", [], false),
        ("", [], false),
    ]

    @Test("reads what a model writes", arguments: replies.indices)
    func reply(_ place: Int) throws {
        let (reply, values, isTruncated) = Self.replies[place]

        let json = LenientJSON(reply)

        #expect(try json.values.map(text) == values)
        #expect(json.isTruncated == isTruncated)
    }

    private func text(_ value: JSONValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("does not read deeper, longer or more than it may")
    func limits() {
        let deep = String(repeating: "[", count: 30) + "1" + String(repeating: "]", count: 30)
        #expect(LenientJSON(deep, limits: .init(depth: 24)).values.count < 2)
        #expect(LenientJSON("[[[7]]]", limits: .init(depth: 4)).values == [.array([.array([.array([.number(7)])])])])
        #expect(LenientJSON("[1,2,3]", limits: .init(byteCount: 4)).values == [.array([.number(1)])])
        #expect(LenientJSON("[1,2,3,4,5]", limits: .init(valueCount: 3)).values == [.array([.number(1), .number(2)])])
    }

    @Test("ends for a million open brackets")
    func openBrackets() {
        #expect(LenientJSON(String(repeating: "[", count: 1_000_000)).values.isEmpty)
        #expect(LenientJSON(String(repeating: "{\"a\":", count: 200_000)).values.count < 20_000)
    }
}
