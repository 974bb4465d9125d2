import Foundation

/// Lines in which the application speaks about the chat: encryption, calls, events of a group.
///
/// In exports of iOS such a line has an author: the group, or the person whom it is about.
enum WhatsAppSpeech {
    private static let notices = PhraseTable(WhatsAppTexts.notices)
    private static let securities = PhraseTable(WhatsAppTexts.securities)
    private static let events = PhraseTable(WhatsAppTexts.events)
    private static let encryptions = PhraseTable.list(WhatsAppTexts.encryptions)
    private static let shortestEncryption = encryptions.map(\.utf8.count).min() ?? 0
    private static let encryptionsByFirst = Dictionary(grouping: encryptions) { $0.first }

    /// Whether a folded line is one that the application writes, whoever is its author.
    ///
    /// - Parameters:
    ///   - line: The line, folded.
    ///   - position: Where it stands. In an export of Android short notices are a person's words. An export of iOS
    ///     begins with the notice about encryption, so there it is known by one word, also in wordings that the table
    ///     lacks.
    /// - Returns: Whether it is.
    static func isNotice(_ line: String, at position: LinePosition) -> Bool {
        let isOpening = position == .opening
        let isLong = position != .android || line.utf8.count >= 25 && line.count >= 25
        if (isLong && notices.contains(line)) || isSecurity(line) || isEncryption(line, isOpening: isOpening) {
            return true
        }
        return isOpening && hasWordOfEncryption(line)
    }

    /// Whether the first line of an export is in the words of the table.
    static func isKnownOpening(_ line: String) -> Bool { isEncryption(line, isOpening: true) || notices.contains(line) }

    /// Whether a folded line is an event of a group that is about its author: `Ben: Ben left`, `Ben: You added Ben`.
    ///
    /// - Parameters:
    ///   - line: The line, folded.
    ///   - author: Its author as the export has it.
    ///   - isPerson: Whether a part of the line is the name of a person.
    /// - Returns: Whether it is.
    static func isEvent(_ line: String, of author: String, isPerson: (Substring) -> Bool) -> Bool {
        let name = PhraseTable.folded(WhatsAppHead.shownName(author))
        guard !name.isEmpty, line.contains(name) else { return false }
        return events.fillings(of: line) { gaps in
            gaps.contains { isAbout($0, name) }
                && (!isOpen(gaps, in: line) || gaps.allSatisfy { isOfNames($0, name, isPerson) })
        }
    }

    /// Whether only words between the gaps are known: "Ada added Cyd", but also "Ada added salt to the soup".
    private static func isOpen(_ gaps: [Substring], in line: String) -> Bool {
        gaps.count > 1 && gaps.first?.startIndex == line.startIndex && gaps.last?.endIndex == line.endIndex
    }

    private static func isOfNames(_ gap: Substring, _ author: String, _ isPerson: (Substring) -> Bool) -> Bool {
        gap.components(separatedBy: ", ").allSatisfy { part in
            part.split(separator: " ").count <= 3
                && (part == author || isAbout(part[...], author) || isPerson(part[...]))
        }
    }

    /// Whether a folded part of a text seems to be a name: "Ada added Cyd" names a person, "Ada added salt" does not.
    ///
    /// It is a number, is marked, or has a capital there; in scripts without capitals anything can be a name.
    static func isName(_ part: Substring, in text: String) -> Bool {
        guard let first = part.first else { return false }
        if "~@+\"".contains(first) || first.isNumber || !first.isCased { return true }
        let word = part.prefix { $0 != " " }
        return text.split(whereSeparator: \.isWhitespace).contains {
            $0.first?.isUppercase == true && PhraseTable.folded(String($0)).hasPrefix(word)
        }
    }

    /// Whether a folded line is an event of a group, about anybody.
    static func isEvent(_ line: String) -> Bool { events.contains(line) }

    private static func isAbout(_ gap: Substring, _ name: String) -> Bool {
        gap.components(separatedBy: ", ").contains { part in
            part.drop { "~@\" ".contains($0) }.trimmingCharacters(in: .init(charactersIn: "\" ")) == name
        }
    }

    /// The sentence about a security code, and the advice after it.
    private static func isSecurity(_ line: String) -> Bool {
        let sentence = firstSentence(line)
        return sentence.utf8.count < line.utf8.count && !asks(line) && securities.contains(sentence)
    }

    private static func firstSentence(_ line: String) -> String {
        var last: UInt8 = 0
        for (place, byte) in line.utf8.enumerated() {
            if byte == 0x20, last == 0x2E { return String(line.prefix(utf8: place - 1)) }
            last = byte
        }
        return line.utf8.allSatisfy { $0 < 0x80 } ? line : String(line.prefix { !"。।۔".contains($0) })
    }

    private static func asks(_ line: String) -> Bool { line.utf8.contains(UInt8(ascii: "?")) }

    /// Whether a line is the notice about encryption: a known first sentence, and a second one about the application.
    private static func isEncryption(_ line: String, isOpening: Bool) -> Bool {
        (encryptionsByFirst[line.first] ?? []).contains { sentence in
            guard line.hasPrefix(sentence), !asks(line) else { return false }
            let rest = line.dropFirst(sentence.count)
            guard let next = rest.first else { return true }
            let isEnded = ".。।۔:،,".contains(next) || (next == " " && sentence.last?.isASCII == false)
            return isEnded && (isOpening || secondSentences.contains { rest.contains($0) })
        }
    }

    /// Words of the second sentence of the notice about encryption.
    private static let secondSentences = [
        "whatsapp", "واتساب", "only people in this chat", "nur personen in diesem chat", "tap for more info",
    ]

    /// Whether a line has a word that the notice about encryption has in some language.
    private static func hasWordOfEncryption(_ line: String) -> Bool {
        line.utf8.count >= 30 && !asks(line) && wordsOfEncryption.contains { line.contains($0) }
    }

    private static let wordsOfEncryption = [
        "end-to-end", "ende-zu-ende", "ende-til-ende", "de bout en bout", "extremo a extremo", "d'extrem a extrem",
        "de ponta a ponta", "ponto a ponto", "сквозн", "наскрізн", "край до край", "uçtan uca", "koncov", "šifr",
        "szyfr",
        "encript", "encrypt", "criptat", "kryptera", "krypteret", "titkosít", "κρυπτογραφ", "端到端", "端對端",
        "エンドツーエンド", "종단", "엔드투엔드", "مشفر", "رمزگذاری", "מוצפנ", "เข้ารหัส", "mã hóa", "mã hoá",
        "ujung ke ujung", "एन्क्रिप्ट", "এনক্রিপ্ট", "એન્ક્રિપ્ટ", "اینکرپ", "salata", "шифр",
    ].map(PhraseTable.folded)

    /// Whether a line without an author was split at a colon in its text: "Messages and calls are end-to-end encrypted:
    /// no one outside …".
    static func isSplit(_ author: String) -> Bool {
        guard author.utf8.count >= shortestEncryption else { return false }
        let line = PhraseTable.folded(author)
        return (encryptionsByFirst[line.first] ?? []).contains(line)
    }
}

extension String {
    fileprivate func prefix(utf8 count: Int) -> Substring { self[..<utf8.index(startIndex, offsetBy: count)] }
}
