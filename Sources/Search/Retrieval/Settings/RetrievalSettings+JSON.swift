import Crypto
package import Foundation

extension RetrievalSettings {
    /// Reads settings from a JSON object that names the differences from the defaults, at any depth.
    ///
    /// - Parameter json: For instance `{"lexical": {"sender": 2}}`.
    /// - Throws: ``RetrievalSettingsError`` with the path of the first field that is unknown or not usable.
    package init(json: Data) throws(RetrievalSettingsError) {
        try self.init(json: json, over: RetrievalSettings())
    }

    /// Reads settings from a JSON object that names the differences from other settings.
    ///
    /// - Parameters:
    ///   - json: The differences.
    ///   - base: The other settings.
    /// - Throws: ``RetrievalSettingsError``.
    package init(json: Data, over base: RetrievalSettings) throws(RetrievalSettingsError) {
        guard let given = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            let known = try? JSONSerialization.jsonObject(with: base.encoded()) as? [String: Any]
        else { throw RetrievalSettingsError(path: "", reason: "is not a JSON object") }
        do {
            self = try Self.decoded(try Self.merge(given, into: known, at: ""))
        } catch let error as RetrievalSettingsError {
            throw error
        } catch let DecodingError.typeMismatch(_, context) {
            throw RetrievalSettingsError(path: Self.path(context.codingPath), reason: "has the wrong type")
        } catch let DecodingError.valueNotFound(_, context) {
            throw RetrievalSettingsError(path: Self.path(context.codingPath), reason: "is null")
        } catch let DecodingError.dataCorrupted(context) {
            // For a fraction instead of a whole number, the decoder's error has no path.
            let path = context.codingPath.isEmpty ? Self.misfit(in: given, of: known, at: "") : nil
            throw RetrievalSettingsError(
                path: path ?? Self.path(context.codingPath), reason: "has a value that does not fit")
        } catch {
            throw RetrievalSettingsError(path: "", reason: "cannot be read")
        }
        try check()
    }

    /// The settings as JSON, fields in order of their names.
    package func encoded() -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        // Only an infinite weight can fail, and `check` refuses that.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// Identifies the settings in traces and runs: the first 12 digits of the SHA-256 of their JSON.
    package var fingerprint: String {
        SHA256.hash(data: encoded()).prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Returns `known` with its values replaced by the given ones.
    private static func merge(
        _ given: [String: Any], into known: [String: Any], at path: String
    ) throws(RetrievalSettingsError) -> [String: Any] {
        var merged = known
        for (key, value) in given {
            let place = path.isEmpty ? key : "\(path).\(key)"
            if freeKeyed.contains(path) {
                merged[key] = value
                continue
            }
            guard let present = known[key] else {
                let reason = replaced[place].map { "was replaced by \($0)" } ?? "is unknown"
                throw RetrievalSettingsError(path: place, reason: reason)
            }
            guard let inner = present as? [String: Any] else {
                merged[key] = value
                continue
            }
            guard let value = value as? [String: Any] else {
                throw RetrievalSettingsError(path: place, reason: "is not an object")
            }
            merged[key] = try merge(value, into: inner, at: place)
        }
        return merged
    }

    /// Fields of earlier versions.
    private static let replaced = ["selection.duplicateOverlap": "selection.groupsRepeats: true or false"]

    private static func decoded(_ object: [String: Any]) throws -> RetrievalSettings {
        try JSONDecoder().decode(RetrievalSettings.self, from: JSONSerialization.data(withJSONObject: object))
    }

    /// The path of the first field, by name, whose value cannot be read; nil when there is none.
    private static func misfit(in given: [String: Any], of known: [String: Any], at path: String) -> String? {
        func isReadable(_ value: Any, at path: String) -> Bool {
            let keys = path.split(separator: ".").map(String.init)
            let alone = keys.dropLast().reversed().reduce([keys.last ?? "": value]) { [$1: $0] }
            return (try? decoded(merge(alone, into: known, at: ""))) != nil
        }
        for (key, value) in given.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? key : "\(path).\(key)"
            if let inner = value as? [String: Any] {
                if let found = misfit(in: inner, of: known, at: place) { return found }
            } else if !isReadable(value, at: place) {
                return place
            }
        }
        return nil
    }

    /// Objects whose keys are names of languages, or need not have a default.
    private static let freeKeyed: Set<String> = ["thresholds", "fusion.dense", "late.weights.dense"]

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

/// An error in the settings of the retrieval.
package struct RetrievalSettingsError: Error, Equatable, CustomStringConvertible {
    /// The field, as `lexical.sender`; empty for the whole.
    package let path: String
    /// What is wrong with it.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// What is wrong, in one sentence.
    package var description: String { path.isEmpty ? "the file \(reason)" : "\(path) \(reason)" }
}

extension RetrievalSettings {
    /// An hour: nobody waits longer for an answer, and a `Duration` cannot hold far greater numbers.
    private static let longestTimeout = 3_600.0

    /// Checks that every number is in its range.
    ///
    /// - Throws: ``RetrievalSettingsError`` for the first that is not.
    package func check() throws(RetrievalSettingsError) {
        let counts = [
            ("lexical.candidateCount", lexical.candidateCount, 1...1_000),
            ("dense.candidateCount", dense.candidateCount, 1...1_000),
            ("rerank.candidateCount", rerank.candidateCount, 0...200),
            ("late.candidateCount", late.candidateCount, 0...500),
            ("lexical.neighbourGapMinutes", lexical.neighbourGapMinutes, 0...1_000_000),
            ("late.textLength", late.textLength, 20...100_000),
            ("selection.threadLimit", selection.threadLimit, 0...50),
        ]
        for (path, value, range) in counts where !range.contains(value) {
            throw RetrievalSettingsError(
                path: path, reason: "must lie in \(range.lowerBound)...\(range.upperBound)")
        }
        let weights = [
            ("lexical.text", lexical.text), ("lexical.sender", lexical.sender), ("lexical.date", lexical.date),
            ("lexical.k1", lexical.k1), ("recency.halfLifeDays", recency.halfLifeDays),
            ("dense.timeout", dense.timeout),
        ]
        for (path, value) in weights where !(value.isFinite && value >= 0) {
            throw RetrievalSettingsError(path: path, reason: "must be a number, 0 or more")
        }
        guard dense.timeout <= Self.longestTimeout else {
            throw RetrievalSettingsError(
                path: "dense.timeout", reason: "must be at most \(Int(Self.longestTimeout)) seconds")
        }
        for key in thresholds.keys.sorted() where ![Self.vectors, Self.lexical].contains(key) {
            throw RetrievalSettingsError(
                path: "thresholds.\(key)",
                reason: "is unknown; there are \(Self.vectors), for every embedding model, and \(Self.lexical)")
        }
        // Encoding fails only if a number is not finite.
        guard !encoded().isEmpty else {
            throw RetrievalSettingsError(path: "", reason: "holds a number that is not finite")
        }
        guard lexical.neighbourTokens > 0, lexical.neighbourTokens <= 1_000_000 else {
            throw RetrievalSettingsError(
                path: "lexical.neighbourTokens", reason: "must lie above 0 and up to 1000000")
        }
        guard (0...1).contains(lexical.b) else {
            throw RetrievalSettingsError(path: "lexical.b", reason: "must lie in 0...1")
        }
        guard selection.authorShare > 0, selection.authorShare <= 1 else {
            throw RetrievalSettingsError(path: "selection.authorShare", reason: "must lie above 0 and up to 1")
        }
        for (path, list) in [("lexical.previous", lexical.previous), ("lexical.next", lexical.next)] {
            guard list.count <= 8, list.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
                throw RetrievalSettingsError(path: path, reason: "must be at most 8 numbers, 0 or more")
            }
        }
    }
}
