import Foundation

/// What a judge says of one side of an answer.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is so.
    case yes
    /// It is so of some of it.
    case partly
    /// It is not.
    case no

    /// Reads a word of a model.
    init?(said word: String) {
        self.init(rawValue: word.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
    }

    /// 1, 0.5 or 0.
    public var value: Double {
        switch self {
        case .yes: 1
        case .partly: 0.5
        case .no: 0
        }
    }
}

/// A judge's reply: a JSON object, whatever stands around.
enum JudgeReply {
    /// Returns the object in a reply; nil when there is none of this form.
    ///
    /// What a model thinks aloud before it replies is passed over.
    static func object<Value: Decodable>(_ type: Value.Type, in reply: String) -> Value? {
        let said = reply.ranges(of: "</think>").last.map { reply[$0.upperBound...] } ?? reply[...]
        guard let start = said.firstIndex(of: "{"), let end = said.lastIndex(of: "}"), start < end else { return nil }
        return try? JSONDecoder().decode(type, from: Data(said[start...end].utf8))
    }
}
