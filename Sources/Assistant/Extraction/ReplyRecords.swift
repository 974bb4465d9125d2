import ChatCore

/// The items of a reply as objects, however they are wrapped.
struct ReplyRecords {
    /// The objects, in the order of the reply.
    private(set) var records: [[String: JSONValue]] = []
    /// Whether there was a list of items, an empty one too.
    private(set) var isList = false
    /// Whether the reply broke off.
    let isTruncated: Bool

    private let fields: Set<String>
    /// How deep wrappers are opened.
    private static let depthLimit = 8

    init(_ reply: String, schema: ExtractionSchema) {
        let json = LenientJSON(reply)
        isTruncated = json.isTruncated
        fields = Set(schema.fields.flatMap { $0.spellings })
        for (place, value) in json.values.enumerated() {
            // An item by itself that broke off is not whole.
            let isCut = json.isTruncated && place == json.values.count - 1
            if isCut, case .object(let members) = value, isRecord(members) { continue }
            collect(value, depth: 0)
        }
    }

    private mutating func collect(_ value: JSONValue, depth: Int) {
        guard depth < Self.depthLimit else { return }
        switch value {
        case .array(let elements):
            let isOfItems = elements.allSatisfy { if case .object = $0 { true } else { false } }
            if isOfItems { isList = true }
            for element in elements { collect(element, depth: depth + 1) }
        case .object(let members) where isRecord(members):
            isList = true
            records.append(Dictionary(members.map { (Self.plain($0), $1) }) { first, _ in first })
        case .object(let members):
            for key in members.keys.sorted(by: Self.precedes) {
                if let member = members[key] { collect(member, depth: depth + 1) }
            }
        case .null, .bool, .integer, .double, .string: break
        }
    }

    /// Whether an object has two fields of an item at least.
    private func isRecord(_ members: [String: JSONValue]) -> Bool {
        Set(members.keys.map(Self.plain)).intersection(fields).count >= 2
    }

    /// Orders "2" before "10".
    private static func precedes(_ left: String, _ right: String) -> Bool {
        if let first = Int(left), let second = Int(right) { return first < second }
        return left < right
    }

    /// Returns a name with only its letters and digits in lower case: "message_id" and "messageId" are the same.
    static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension ExtractionSchema.Field {
    /// How models spell the field, in small letters and digits.
    var spellings: [String] {
        let others: [String] =
            switch role {
            case .message: ["messagenumber", "messageid", "source", "sourcemessage", "number", "id"]
            case .text: ["text", "title", "description", "summary"]
            case .person: ["person", "owner", "who", "responsible"]
            case .due: ["duedate", "due", "date", "deadline", "when"]
            case .priority: ["urgency"]
            case .quote: ["evidence", "excerpt", "sourcequote"]
            case .supersedes: ["replaces", "supersededmessage"]
            case .score: ["priority", "urgency"]
            }
        let own = ReplyRecords.plain(name)
        return [own] + others.filter { $0 != own }
    }
}
