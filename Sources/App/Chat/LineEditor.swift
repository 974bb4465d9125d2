/// The line that a person types in a terminal in raw mode.
struct LineEditor {
    /// What a key did.
    enum Action: Equatable {
        case changed
        case line(String)
        case end
    }

    private(set) var text: [Character] = []
    /// The place of the cursor, in characters.
    private(set) var cursor = 0
    /// Bytes of a character or key that is not complete.
    private var rest: [UInt8] = []
    /// The longest sequence that a key sends.
    private static let keyLimit = 16

    /// Takes bytes of the terminal.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Action] {
        var actions: [Action] = []
        for byte in bytes {
            if !rest.isEmpty {
                rest.append(byte)
                if takeRest() { actions.append(.changed) }
                continue
            }
            switch byte {
            case 0x0D, 0x0A:
                actions.append(.line(String(text)))
                (text, cursor) = ([], 0)
            case 0x04:
                if text.isEmpty { actions.append(.end) }
            case 0x7F, 0x08:
                if cursor > 0 {
                    cursor -= 1
                    text.remove(at: cursor)
                }
                actions.append(.changed)
            case 0x01: move(to: 0, &actions)
            case 0x05: move(to: text.count, &actions)
            case 0x15:
                text.removeSubrange(..<cursor)
                move(to: 0, &actions)
            case 0x17:
                let kept = text[..<cursor].lastIndex { !$0.isWhitespace }.map { last in
                    text[...last].lastIndex { $0.isWhitespace }.map { $0 + 1 } ?? 0
                }
                text.removeSubrange((kept ?? 0)..<cursor)
                move(to: kept ?? 0, &actions)
            case 0x1B, 0xC0...: rest = [byte]
            case 0x20...0x7E:
                insert(Character(Unicode.Scalar(byte)))
                actions.append(.changed)
            default: break
            }
        }
        return actions
    }

    private mutating func move(to place: Int, _ actions: inout [Action]) {
        cursor = place
        actions.append(.changed)
    }

    /// Takes the bytes of a key or character if they are complete; returns whether the line changed.
    private mutating func takeRest() -> Bool {
        guard rest[0] != 0x1B else { return takeKey() }
        let count = rest[0] < 0xE0 ? 2 : rest[0] < 0xF0 ? 3 : 4
        guard rest.count >= count else { return false }
        let scalars = String(decoding: rest, as: UTF8.self)
        rest = []
        let hasControls = scalars.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard !hasControls else { return false }
        // A mark or joiner becomes part of the character before it.
        if cursor > 0, (String(text[cursor - 1]) + scalars).count == 1 {
            text[cursor - 1] = Character(String(text[cursor - 1]) + scalars)
        } else {
            for character in scalars { insert(character) }
        }
        return true
    }

    private mutating func takeKey() -> Bool {
        guard rest.count > 1, rest[1] == 0x5B || rest[1] == 0x4F else {
            rest = []
            return false
        }
        guard rest.count > 2 else { return false }
        guard let last = rest.last, (0x40...0x7E).contains(last) else {
            if rest.count > Self.keyLimit { rest = [] }
            return false
        }
        rest = []
        switch last {
        case 0x43: cursor = min(cursor + 1, text.count)
        case 0x44: cursor = max(cursor - 1, 0)
        case 0x48: cursor = 0
        case 0x46: cursor = text.count
        default: return false
        }
        return true
    }

    private mutating func insert(_ character: Character) {
        text.insert(character, at: cursor)
        cursor += 1
    }

    /// Returns what fits into a width, with the cursor in it, and how many columns are behind the cursor.
    func visible(width: Int) -> (text: String, behind: Int) {
        var start = cursor
        var columns = 0
        while start > 0, columns + Self.width(of: text[start - 1]) < width {
            start -= 1
            columns += Self.width(of: text[start])
        }
        var (end, behind) = (cursor, 0)
        while end < text.count, columns + behind + Self.width(of: text[end]) < width {
            behind += Self.width(of: text[end])
            end += 1
        }
        return (String(text[start..<end]), behind)
    }

    private static func width(of character: Character) -> Int {
        character.unicodeScalars.contains { $0.value >= 0x1100 && $0.properties.generalCategory != .nonspacingMark }
            ? 2 : 1
    }
}
