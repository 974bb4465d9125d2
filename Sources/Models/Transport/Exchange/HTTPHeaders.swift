/// Header fields in the order in which they were given or received; names are compared without ASCII case.
///
/// Its description contains only names because a value may be a key.
package struct HTTPHeaders: Sendable {
    /// One field: its name as written and its value without surrounding white space.
    package typealias Element = (name: String, value: String)

    private var fields: [Element] = []

    package init() {}

    /// Makes a list of `fields`.
    package init(_ fields: [Element]) {
        self.fields = fields
    }

    /// The value of the first field called `name`.
    ///
    /// Setting puts one field in the place of all fields of that name, or removes them with `nil`.
    package subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            let place = fields.firstIndex { Self.isSame($0.name, name) }
            fields.removeAll { Self.isSame($0.name, name) }
            guard let newValue else { return }
            fields.insert((name, newValue), at: place ?? fields.count)
        }
    }

    /// The values of all fields called `name`, in order.
    package func values(of name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Adds a field at the end, even if others have its name.
    package mutating func append(name: String, value: String) {
        fields.append((name, value))
    }

    /// Appends `text` to the last field's value (the obsolete folding of long lines).
    mutating func extendLast(with text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += " " + text
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field: 0.
    package var startIndex: Int { fields.startIndex }
    /// The number of fields.
    package var endIndex: Int { fields.endIndex }
    /// The field at `position`, counted from 0.
    package subscript(position: Int) -> Element { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes a list of the pairs in the given order; a name may occur twice.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names, without values.
    package var description: String { "[" + fields.map(\.name).joined(separator: ", ") + "]" }
    /// The names, without values.
    package var debugDescription: String { description }
    /// Empty, so that `dump` shows no values.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
