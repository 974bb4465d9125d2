import Foundation
import Retrieval
import Testing

@Suite struct RetrievalSettingsTests {
    private static func read(_ json: String) throws -> RetrievalSettings {
        try RetrievalSettings(json: Data(json.utf8))
    }

    @Test func whatAFileDoesNotNameKeepsItsDefault() throws {
        let read = try Self.read(#"{"lexical": {"sender": 2, "previous": [1, 0.5]}, "carriesOver": false}"#)

        let expected = RetrievalSettings.with {
            $0.lexical.sender = 2
            $0.lexical.previous = [1, 0.5]
            $0.carriesOver = false
        }
        #expect(read == expected)
        #expect(read != RetrievalSettings())
        #expect(try Self.read("{}") == RetrievalSettings())
        #expect(try Self.read(#"{"lexical": {}, "late": {"weights": {}}}"#) == RetrievalSettings())
    }

    @Test func fieldsAtAnyDepthAreReadOverOtherSettings() throws {
        let base = RetrievalSettings.with { $0.late.weights.tokens = 3 }

        let read = try RetrievalSettings(json: Data(#"{"late": {"weights": {"speaker": 0}}}"#.utf8), over: base)

        #expect(
            read
                == .with {
                    $0.late.weights.tokens = 3
                    $0.late.weights.speaker = 0
                })
    }

    @Test func namesOfLanguagesAreFreeAndAdded() throws {
        let read = try Self.read(
            """
            {"thresholds": {"vectors": 0.4, "lexical": 0.25},
             "fusion": {"dense": {"de": 0.5, "fr": 0.25}}, "late": {"weights": {"dense": {"ja": 0}}}}
            """)

        #expect(read.thresholds == ["vectors": 0.4, "lexical": 0.25])
        #expect(read.fusion.dense == ["en": 1, "de": 0.5, "ja": 1, "und": 1, "fr": 0.25])
        #expect(read.late.weights.dense == ["en": 1, "de": 1, "ja": 0, "und": 1])
    }

    @Test(
        arguments: [
            (#"{"lexcal": {}}"#, "lexcal", "is unknown"),
            (
                #"{"selection": {"duplicateOverlap": 0.9}}"#, "selection.duplicateOverlap",
                "was replaced by selection.groupsRepeats: true or false"
            ),
            (#"{"lexical": {"sendr": 2}}"#, "lexical.sendr", "is unknown"),
            (#"{"late": {"weights": {"colour": 1}}}"#, "late.weights.colour", "is unknown"),
            (#"{"lexical": 3}"#, "lexical", "is not an object"),
            (#"{"late": {"weights": [1]}}"#, "late.weights", "is not an object"),
            (#"{"thresholds": 0.5}"#, "thresholds", "is not an object"),
            (#"{"lexical": {"sender": "2"}}"#, "lexical.sender", "has the wrong type"),
            (#"{"lexical": {"isOn": 1}}"#, "lexical.isOn", "has the wrong type"),
            (#"{"lexical": {"candidateCount": true}}"#, "lexical.candidateCount", "has the wrong type"),
            (#"{"lexical": {"previous": 1}}"#, "lexical.previous", "has the wrong type"),
            (#"{"lexical": {"previous": [1, "x"]}}"#, "lexical.previous.1", "has the wrong type"),
            (
                #"{"late": {"candidateCount": 3}, "dense": {"timeout": 2, "candidateCount": 2.5}}"#,
                "dense.candidateCount", "has a value that does not fit"
            ),
            (#"{"thresholds": {"lexical": "low"}}"#, "thresholds.lexical", "has the wrong type"),
            (
                #"{"thresholds": {"builtin/all-MiniLM-L6-v2/384": 0.4}}"#, "thresholds.builtin/all-MiniLM-L6-v2/384",
                "is unknown; there are vectors, for every embedding model, and lexical"
            ),
            (#"{"fusion": {"dense": {"de": {}}}}"#, "fusion.dense.de", "has the wrong type"),
            (#"{"dense": {"isOn": null}}"#, "dense.isOn", "has the wrong type"),
            ("[1]", "", "is not a JSON object"),
            ("", "", "is not a JSON object"),
            (#"{"lexical": "#, "", "is not a JSON object"),
        ])
    func whatCannotBeReadIsNamed(json: String, path: String, reason: String) {
        #expect(throws: RetrievalSettingsError(path: path, reason: reason)) { try Self.read(json) }
    }

    @Test(
        arguments: [
            (#"{"lexical": {"candidateCount": 0}}"#, "lexical.candidateCount", "must lie in 1...1000"),
            (#"{"dense": {"candidateCount": 1001}}"#, "dense.candidateCount", "must lie in 1...1000"),
            (#"{"rerank": {"candidateCount": 201}}"#, "rerank.candidateCount", "must lie in 0...200"),
            (#"{"late": {"candidateCount": -1}}"#, "late.candidateCount", "must lie in 0...500"),
            (
                #"{"lexical": {"neighbourTokens": 0}}"#, "lexical.neighbourTokens",
                "must lie above 0 and up to 1000000"
            ),
            (#"{"late": {"textLength": 19}}"#, "late.textLength", "must lie in 20...100000"),
            (
                #"{"lexical": {"neighbourGapMinutes": 1000001}}"#, "lexical.neighbourGapMinutes",
                "must lie in 0...1000000"
            ),
            (#"{"selection": {"threadLimit": 51}}"#, "selection.threadLimit", "must lie in 0...50"),
            (#"{"lexical": {"text": -0.1}}"#, "lexical.text", "must be a number, 0 or more"),
            (#"{"recency": {"halfLifeDays": -1}}"#, "recency.halfLifeDays", "must be a number, 0 or more"),
            (#"{"dense": {"timeout": -1}}"#, "dense.timeout", "must be a number, 0 or more"),
            (#"{"dense": {"timeout": 1e300}}"#, "dense.timeout", "must be at most 3600 seconds"),
            (#"{"lexical": {"b": 1.01}}"#, "lexical.b", "must lie in 0...1"),
            (#"{"lexical": {"next": [1, -1]}}"#, "lexical.next", "must be at most 8 numbers, 0 or more"),
            (
                #"{"lexical": {"previous": [1, 1, 1, 1, 1, 1, 1, 1, 1]}}"#, "lexical.previous",
                "must be at most 8 numbers, 0 or more"
            ),
        ])
    func whatLiesOutsideItsRangeIsNamed(json: String, path: String, reason: String) {
        #expect(throws: RetrievalSettingsError(path: path, reason: reason)) { try Self.read(json) }
    }

    @Test func theEdgesOfRangesPass() throws {
        _ = try Self.read(
            """
            {"lexical": {"candidateCount": 1, "b": 0, "k1": 0, "previous": [], "next": [0, 0, 0, 0, 0, 0, 0, 0]},
             "dense": {"candidateCount": 1000, "timeout": 3600}, "late": {"candidateCount": 500},
             "rerank": {"candidateCount": 0}, "selection": {"threadLimit": 50, "groupsRepeats": false}}
            """)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func weightsThatAreNotFiniteAreRefused(weight: Double) {
        let settings = RetrievalSettings.with { $0.late.weights.tokens = weight }

        #expect(throws: RetrievalSettingsError(path: "", reason: "holds a number that is not finite")) {
            try settings.check()
        }
    }

    @Test func aDescriptionNamesTheField() {
        #expect(RetrievalSettingsError(path: "a.b", reason: "is null").description == "a.b is null")
        #expect(RetrievalSettingsError(path: "", reason: "is null").description == "the file is null")
    }

    @Test func theFingerprintIsTwelveHexadecimalDigitsOfTheContent() throws {
        let fingerprint = RetrievalSettings().fingerprint
        #expect(fingerprint.utf8.count == 12)
        #expect(fingerprint.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })

        // In whatever order the names came.
        let one = try Self.read(#"{"thresholds": {"vectors": 1, "lexical": 2}, "carriesOver": false}"#)
        let other = try Self.read(#"{"carriesOver": false, "thresholds": {"lexical": 2, "vectors": 1}}"#)
        #expect(one.fingerprint == other.fingerprint)
        #expect(one.fingerprint != fingerprint)
    }

    /// Whatever fields the settings have: a change of any one is written, read back, and seen in the fingerprint.
    @Test func everyFieldIsKeptAndChangesTheFingerprint() throws {
        let fields = try JSONDecoder().decode(Field.self, from: RetrievalSettings().encoded()).changes
        var seen: Set<String> = [RetrievalSettings().fingerprint]

        for (path, value) in fields {
            let json = path.reversed().reduce(value) { #"{"\#($1)": \#($0)}"# }
            let changed = try Self.read(json)
            #expect(try RetrievalSettings(json: changed.encoded()) == changed, "\(path)")
            #expect(seen.insert(changed.fingerprint).inserted, "\(path)")
        }
        #expect(fields.count >= 50)
        #expect(fields.contains { $0.path == ["late", "weights", "dense", "de"] })
    }
}

/// A value of settings as JSON.
private enum Field: Decodable {
    case flag(Bool)
    case number(Double)
    case list([Field])
    case object([String: Field])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let list = try? container.decode([Field].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Field].self))
        }
    }

    /// The path of every field with another value for it, as JSON.
    var changes: [(path: [String], value: String)] {
        switch self {
        case .flag(let flag): [([], "\(!flag)")]
        case .number(0): [([], "1")]
        // A count stays one.
        case .number(let number) where number.rounded() == number && number > 1: [([], "\(Int(number) - 1)")]
        case .number(let number): [([], "\(number / 2)")]
        case .list: [([], "[0.125]")]
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.flatMap { key, field in
                field.changes.map { ([key] + $0.path, $0.value) }
            }
        }
    }
}
