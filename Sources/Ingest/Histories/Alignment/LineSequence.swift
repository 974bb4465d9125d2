package import ChatCore

/// The messages of one chat, reduced to what two exports of it have in common.
package struct LineSequence {
    /// An author with the name that a message bears.
    package struct Signature: Hashable {
        let authorID: UserID
        let name: String

        package init(authorID: UserID, name: String) {
            self.authorID = authorID
            self.name = name
        }
    }

    struct Line {
        /// A hash of the text; see ``TextKey``.
        let text: UInt64
        /// Microseconds since 1970.
        let time: Int64
        /// The index of the signature.
        let signature: Int32
        let isDeleted: Bool
        /// When it was edited; `.min` if never.
        let editedAt: Int64
        /// The length of the text: a long one is hardly said twice.
        let byteCount: Int32
    }

    private(set) var lines: [Line] = []
    private(set) var signatures: [Signature] = []
    /// The authors in the order of their first message.
    private(set) var authors: [UserID] = []
    /// The present name of each author.
    private(set) var names: [String] = []
    /// All names of each author.
    private(set) var allNames: [Set<String>] = []
    private var known: [Signature: Int32] = [:]
    private var authorOfSignature: [Int] = []
    private var indexOfAuthor: [UserID: Int] = [:]

    package init() {}

    package mutating func append(
        text: UInt64, time: Timestamp, author: Signature, isDeleted: Bool, editedAt: Timestamp? = nil,
        byteCount: Int = 0
    ) {
        lines.append(
            Line(
                text: text, time: time.microseconds, signature: number(of: author), isDeleted: isDeleted,
                editedAt: editedAt?.microseconds ?? .min, byteCount: Int32(clamping: byteCount)))
    }

    /// Adds an author without a line.
    mutating func add(_ author: Signature) { _ = number(of: author) }

    private mutating func number(of signature: Signature) -> Int32 {
        if let number = known[signature] { return number }
        let number = Int32(clamping: signatures.count)
        known[signature] = number
        signatures.append(signature)
        authorOfSignature.append(index(of: signature))
        return number
    }

    private mutating func index(of signature: Signature) -> Int {
        let isNamed = !signature.name.isEmpty
        if let index = indexOfAuthor[signature.authorID] {
            if isNamed {
                names[index] = signature.name
                allNames[index].insert(signature.name)
            }
            return index
        }
        indexOfAuthor[signature.authorID] = authors.count
        authors.append(signature.authorID)
        names.append(signature.name)
        allNames.append(isNamed ? [signature.name] : [])
        return authors.count - 1
    }

    /// Gives authors the names that they have as members.
    mutating func name(_ members: [UserID: Member]) {
        for (index, author) in authors.enumerated() {
            guard let member = members[author] else { continue }
            names[index] = member.displayName
            allNames[index].formUnion([member.displayName] + member.aliases)
        }
    }

    /// Gives authors other ids.
    mutating func replaceAuthors(_ people: [UserID: UserID]) {
        authors = authors.map { people[$0] ?? $0 }
        signatures = signatures.map { Signature(authorID: people[$0.authorID] ?? $0.authorID, name: $0.name) }
        indexOfAuthor = Dictionary(zip(authors, authors.indices)) { first, _ in first }
    }

    /// The index of the author of a line.
    func author(of line: Line) -> Int { authorOfSignature[Int(line.signature)] }

    func signature(of line: Line) -> Signature { signatures[Int(line.signature)] }

    /// The times of the earliest and of the latest line; nil if there is none.
    var span: ClosedRange<Int64>? {
        guard let first = lines.lazy.map(\.time).min(), let last = lines.lazy.map(\.time).max() else { return nil }
        return first...last
    }

    /// The lines of a part of the time, with all authors.
    func lines(from first: Int64, through last: Int64) -> LineSequence {
        var part = self
        part.lines = lines.filter { (first...max(first, last)).contains($0.time) }
        return part
    }
}

/// What of a message is the same in every export: its text without what applications write differently.
package enum TextKey {
    /// A message without text, which has files only.
    package static let files = ErasedLine.key(of: "\u{1}files")
    /// A deleted message.
    static let deleted = ErasedLine.key(of: "\u{1}deleted")
    private static let empty = ErasedLine.key(of: "")

    /// Returns a hash of what is shown of a line.
    package static func of(_ text: String, hasFiles: Bool, isDeleted: Bool) -> UInt64 {
        if isDeleted { return deleted }
        let key = ErasedLine.key(of: text)
        return key == empty && hasFiles ? files : key
    }

    /// Whether a text says something, so that two equal ones are hardly two messages.
    package static func says(_ key: UInt64) -> Bool { key != files && key != deleted }
}
