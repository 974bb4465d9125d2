import ChatCore
import Foundation
import Testing

/// How many cases a test tries, and with which chance.
///
/// A case counts when it comes back: a trap ends the process, and the file named by `NEXUS_FUZZ_LOG` holds the last
/// case. `NEXUS_FUZZ_CASES` sets how many cases each test tries, `NEXUS_FUZZ_SEED` which; `scripts/fuzz-decoders` runs
/// a million.
enum FuzzRun {
    private static let environment = ProcessInfo.processInfo.environment
    private static let log = environment["NEXUS_FUZZ_LOG"].flatMap { path -> FileHandle? in
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return FileHandle(forWritingAtPath: path)
    }

    static func count(_ usual: Int) -> Int { environment["NEXUS_FUZZ_CASES"].flatMap { Int($0) } ?? usual }

    static func chance(_ stream: UInt64) -> FuzzChance {
        FuzzChance(seed: (environment["NEXUS_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1) &* 0x9E37_79B9 &+ stream)
    }

    /// Notes a case before it is tried, where a log is wanted.
    static func note(_ text: @autoclosure () -> String) {
        guard let log else { return }
        try? log.truncate(atOffset: 0)
        try? log.seek(toOffset: 0)
        log.write(Data(text().utf8))
    }

    /// Tells how many cases came back.
    static func finished(_ name: String, _ count: Int) {
        if environment["NEXUS_FUZZ_CASES"] != nil { print("fuzz \(name): \(count) cases") }
    }
}

/// SplitMix64 (https://doi.org/10.1145/2714064.2660195).
struct FuzzChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }

    mutating func isTrue(_ percent: Int) -> Bool { below(100) < percent }
}

/// What readers of numbers, times and texts stumble over.
enum Extremes {
    static let numbers = [
        "-9223372036854775808", "-9223372036854775807", "9223372036854775807", "9223372036854775808",
        "9223372036854774784", "18446744073709551615", "18446744073709551616", "-1", "0", "-0", "0.5", "1e300",
        "-1e300",
        "1e308", "1.7976931348623157e308", "1e-320", "1e-400", "1e999", "9.2e18", "-9.2e18", "9223372036854775807.0",
        "1e18",
        "1e15", "1e13", "4294967296", "2147483648", "-2147483649", "65536", "16385", "253402300800", "253402300800000",
        "253402300799999", "-62135596800001", "-62167219200000", "9007199254740993", "1000000001",
        String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1", "1E+0000000000000000018",
    ]

    static let texts = [
        "", "0", "-1", "-9223372036854775808", "9223372036854775807", "18446744073709551615", "1e400", "NaN", "inf",
        "-inf", "nan", "0x1p1023", "0000-00-00T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
        "10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "2024-02-30T25:61:61Z", "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:60-23:59", "1970-01-01T00:00:00.0000000000000000000Z", "京時間後", "9999週間後",
        "in 9999 years", "23:59:60", "\u{0}", "\u{202E}x", "é\u{301}\u{301}\u{301}", "👩‍👩‍👧‍👦",
        String(repeating: "\u{301}", count: 50), String(repeating: "[", count: 300), "1452837318.999999999999",
        "99999999999999999999.1", "1.-1", "-1.5", "9223372036854775807.9", "1/0", "%00", "../..", "\u{FFFD}",
        "\u{FEFF}",
    ]

    static let values: [String] = [
        "null", "true", "false", "[]", "{}", "[[]]", #"{"a":{}}"#, #""\ud800""#, #""\uDFFF\uD800""#, #""\u0000""#,
        String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
        String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
        #"{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"-9223372036854775808"}"#,
        #"{"@type":"type.googleapis.com/google.protobuf.UInt64Value","value":"18446744073709551615"}"#,
        #"{"_seconds":-9223372036854775808,"_nanoseconds":9223372036854775807}"#, #"{"seconds":"9","nanos":-1}"#,
    ]

    /// Any of them, as JSON.
    static func json(_ chance: inout FuzzChance) -> String {
        switch chance.below(10) {
        case 0..<6: chance.one(of: numbers)
        case 6..<8: quoted(chance.one(of: texts))
        default: chance.one(of: values)
        }
    }

    static func quoted(_ text: String) -> String {
        (try? String(decoding: JSONEncoder().encode(text), as: UTF8.self)) ?? "\"\""
    }
}

/// A JSON text of which some values are replaced by extremes.
struct JSONMutation {
    private let value: JSONValue
    private let nodeCount: Int

    init(_ template: String) throws {
        value = try JSONDecoder().decode(JSONValue.self, from: Data(template.utf8))
        nodeCount = Self.count(value)
    }

    private static func count(_ value: JSONValue) -> Int {
        switch value {
        case .array(let items): items.reduce(1) { $0 + count($1) }
        case .object(let members): members.reduce(1) { $0 + count($1.value) }
        default: 1
        }
    }

    /// Returns the text with up to four values replaced, now and then with some bytes changed as well.
    func text(_ chance: inout FuzzChance) -> String {
        var places: Set<Int> = []
        for _ in 0..<(1 + chance.below(4)) { places.insert(1 + chance.below(nodeCount - 1)) }
        var number = 0
        let text = write(value, &number, places, &chance)
        return chance.isTrue(10) ? Self.broken(text, &chance) : text
    }

    private func write(_ value: JSONValue, _ number: inout Int, _ places: Set<Int>, _ chance: inout FuzzChance)
        -> String
    {
        let isReplaced = places.contains(number)
        number += 1
        if isReplaced {
            number += Self.count(value) - 1
            return Extremes.json(&chance)
        }
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return "\(number)"
        case .double(let number): return "\(number)"
        case .string(let text): return Extremes.quoted(text)
        case .array(let items):
            var parts: [String] = []
            for item in items { parts.append(write(item, &number, places, &chance)) }
            if chance.isTrue(2), let last = parts.last { parts.append(last) }
            return "[" + parts.joined(separator: ",") + "]"
        case .object(let members):
            var parts: [String] = []
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                let text = write(member, &number, places, &chance)
                if !chance.isTrue(2) { parts.append(Extremes.quoted(key) + ":" + text) }
            }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    /// Returns a text with some of its bytes removed, doubled or replaced; it may not be UTF-8 any more before it is
    /// decoded with repairs.
    static func broken(_ text: String, _ chance: inout FuzzChance) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<(1 + chance.below(4)) where !bytes.isEmpty {
            let place = chance.below(bytes.count)
            switch chance.below(4) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + chance.below(6)))
            case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + chance.below(12))], at: place)
            case 2: bytes[place] = UInt8(chance.below(256))
            default: bytes.insert(contentsOf: Array(chance.one(of: Extremes.numbers).utf8), at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
