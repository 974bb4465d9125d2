/// A place between two characters where a text may be divided.
struct TextBreak: Hashable {
    /// How good the place is.
    enum Strength: Int, Comparable {
        case none, character, word, sentence, paragraph

        static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
    }

    /// The UTF-8 offset of the following text.
    let offset: Int
    /// How good the place is.
    var strength: Strength
}

/// Finds the places where a text may be divided; pure.
///
/// White space belongs to the text before it. Sentences end with the signs of Latin, Greek, Cyrillic, Arabic, Indic and
/// East Asian scripts; dots of abbreviations, initials, ordinals, decimals and addresses do not end one. A line ends a
/// sentence too, unless the next line begins with a small letter. In fenced code every line counts and no sign does.
struct TextBreaks {
    private let wordByteLimit: Int
    private var breaks: [TextBreak] = [TextBreak(offset: 0, strength: .paragraph)]
    /// Places within the present word.
    private var inWord: [Int] = []
    private var wordStart = 0
    /// The white space since the last character: how much, and how many line ends of it.
    private var (spaceCount, lineEndCount) = (0, 0)
    private var end = SentenceEnd()
    private var code = CodeFence()

    private init(wordByteLimit: Int) {
        self.wordByteLimit = wordByteLimit
    }

    /// Returns the places in order, including the beginning and the end of the text.
    ///
    /// - Parameters:
    ///   - text: The text to divide.
    ///   - wordByteLimit: A longer word may be divided between any two characters.
    /// - Returns: One place or more; for an empty text only the beginning.
    /// - Complexity: O(*n*).
    static func of(_ text: String, wordByteLimit: Int) -> [TextBreak] {
        var finder = TextBreaks(wordByteLimit: wordByteLimit)
        SignClass.forEach(of: text) { finder.take($0, at: $1) }
        let offset = text.utf8.count
        finder.endWord(at: offset)
        if offset > 0 { finder.breaks.append(TextBreak(offset: offset, strength: .paragraph)) }
        return finder.breaks
    }

    private mutating func take(_ sign: SignClass, at offset: Int) {
        if sign.isWhitespace {
            if spaceCount == 0 { endWord(at: offset) }
            spaceCount += 1
            if sign.isNewline {
                lineEndCount += 1
                code.endLine()
            }
            return
        }
        let strength = strength(before: sign)
        if offset > 0, strength > .character {
            if spaceCount == 0 { endWord(at: offset) }
            breaks.append(TextBreak(offset: offset, strength: strength))
            wordStart = offset
            inWord.removeAll(keepingCapacity: true)
        } else if offset > 0 {
            inWord.append(offset)
        }
        mark(code.take(sign.character), at: offset)
        end.take(sign, isFirstOfWord: spaceCount > 0)
        (spaceCount, lineEndCount) = (0, 0)
    }

    /// Code begins like a paragraph, and its last fence stays with it.
    private mutating func mark(_ fence: CodeFence.Kind?, at offset: Int) {
        guard let fence, let last = breaks.last, last.offset == offset - 2, last.offset > 0 else { return }
        switch fence {
        case .opening: breaks[breaks.count - 1].strength = .paragraph
        case .closing: breaks.removeLast()
        }
    }

    /// Keeps the places within a word that is too long.
    private mutating func endWord(at offset: Int) {
        if offset - wordStart > wordByteLimit {
            breaks += inWord.map { TextBreak(offset: $0, strength: .character) }
        }
        inWord.removeAll(keepingCapacity: true)
    }

    private func strength(before sign: SignClass) -> TextBreak.Strength {
        if lineEndCount > 1 || (lineEndCount == 1 && code.justClosed) { return .paragraph }
        if code.isOpen { return lineEndCount == 1 ? .sentence : spaceCount > 0 ? .word : .character }
        if lineEndCount == 1, end.isReached || !sign.isLowercase { return .sentence }
        if spaceCount > 0 { return end.isReached && !sign.isLowercase ? .sentence : .word }
        // Another sign, or the end of a quotation, belongs to the sentence that has ended.
        if end.needsNoSpace, sign.role == .none { return .sentence }
        let isBetweenIdeographs = (end.lastIsIdeograph || sign.isIdeograph) && !sign.isPunctuation
        return isBetweenIdeographs ? .word : .character
    }
}

/// Follows whether the fenced code of a text is open.
private struct CodeFence {
    enum Kind {
        case opening, closing
    }

    private(set) var isOpen = false
    /// Whether the line before closed it.
    private(set) var justClosed = false
    private var closesLine = false
    private var tickCount = 0

    /// Reads a character that is not white space; returns the fence that it completes.
    mutating func take(_ character: Character) -> Kind? {
        justClosed = false
        tickCount = character == "`" ? tickCount + 1 : 0
        guard tickCount == 3 else { return nil }
        isOpen.toggle()
        closesLine = !isOpen
        return isOpen ? .opening : .closing
    }

    mutating func endLine() {
        (justClosed, closesLine, tickCount) = (closesLine || justClosed, false, 0)
    }
}
