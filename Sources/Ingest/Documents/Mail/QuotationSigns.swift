/// The lines by which mail programs introduce an earlier mail, in the languages of the assistant and some more.
enum QuotationSigns {
    private static let wrote = [
        " wrote:", " writes:", " schrieb", " a écrit", " escribió", " ha scritto", " escreveu", " schreef", " skrev",
        " napisał", " написал", "のメール", "写道",
    ]
    private static let beginnings = ["on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "pe ", "w dniu "]
    private static let dividers: Set<String> = [
        "original message", "forwarded message", "begin forwarded message", "ursprüngliche nachricht",
        "originalnachricht", "original-nachricht", "urspr. nachricht", "weitergeleitete nachricht",
        "anfang der weitergeleiteten nachricht", "message d'origine", "message d’origine", "message original",
        "message transféré", "début du message transféré", "mensaje original", "mensaje reenviado",
        "inicio del mensaje reenviado", "元のメッセージ", "転送されたメッセージ", "messaggio originale",
    ]
    private static let senders: Set<String> = ["from", "von", "de", "da", "van", "差出人", "送信者"]
    private static let otherFields: Set<String> = [
        "sent", "date", "to", "cc", "subject", "gesendet", "datum", "an", "betreff", "envoyé", "date d'envoi", "à",
        "objet",
        "enviado", "enviado el", "fecha", "para", "asunto", "送信日時", "日時", "宛先", "件名", "reply-to",
    ]
    private static let dates: Set<String> = [
        "sent", "date", "gesendet", "datum", "envoyé", "enviado", "enviado el", "fecha", "送信日時", "日時",
    ]
    /// A line that names the sender may be divided into this many.
    private static let attributionLimit = 3
    private static let lengthLimit = 300
    private static let headLimit = 8

    /// Whether a line says that an original or forwarded message follows.
    static func isDivider(_ line: String) -> Bool {
        guard line.utf8.count < 200 else { return false }
        let words = line.lowercased().trimming { "-_*=: ".contains($0) || $0.isWhitespace }
        return dividers.contains(words)
    }

    /// Whether a whole line names the time and sender of a mail: "On 3 November Ada wrote:".
    static func isWholeAttribution(_ line: String) -> Bool {
        let text = line.lowercased().trimmingSpace
        return isAttribution(text) && beginnings.contains(where: text.hasPrefix) && text.contains(where: \.isNumber)
    }

    /// Returns how many lines at the end name the sender of what follows; nil if none do.
    static func attributionCount(at lines: [String]) -> Int? {
        var text = ""
        for count in 1...attributionLimit where count <= lines.count {
            text = lines[lines.count - count].lowercased().trimmingSpace + (text.isEmpty ? "" : " " + text)
            guard text.utf8.count <= lengthLimit else { break }
            if isAttribution(text), beginnings.contains(where: text.hasPrefix) || text.first?.isNumber == true {
                return count
            }
        }
        return lines.last.map { isAttribution($0.lowercased().trimmingSpace) } == true ? 1 : nil
    }

    /// Returns the name of a part that a line introduces, without the colon.
    static func label(_ line: String) -> String { line.trimming { $0.isWhitespace || ":：".contains($0) } }

    private static func isAttribution(_ text: String) -> Bool {
        guard text.utf8.count <= lengthLimit, let last = text.last, ":：".contains(last) else { return false }
        return wrote.contains { text.contains($0) }
    }

    /// Returns the head of an earlier mail that begins with a line: its sender and two more fields.
    static func head(in lines: [MailLine], at start: Int) -> (label: String, end: Int)? {
        guard let sender = field(lines[start]), senders.contains(sender.name), !sender.value.isEmpty else { return nil }
        var (names, date, end): (Set<String>, String?, Int) = ([], nil, start + 1)
        for place in lines.indices[(start + 1)...].prefix(headLimit) where lines[place].depth == lines[start].depth {
            guard let next = field(lines[place]), otherFields.contains(next.name) else { continue }
            names.insert(next.name)
            if dates.contains(next.name), date == nil { date = next.value }
            end = place + 1
        }
        guard names.count >= 2 else { return nil }
        return (sender.value + (date.map { ", \($0)" } ?? ""), end)
    }

    /// Reads `Name: value`; cells of a table may be between them.
    private static func field(_ line: MailLine) -> (name: String, value: String)? {
        guard line.text.utf8.count < 2_000, let colon = line.text.firstIndex(where: { ":：".contains($0) }) else {
            return nil
        }
        let name = line.text[..<colon].lowercased().trimming { $0.isWhitespace || $0 == "*" }
        return (name, String(line.text[colon...].dropFirst()).trimming { $0.isWhitespace || "*|".contains($0) })
    }
}

extension String {
    /// The text without some characters at both ends.
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, isDropped(first) { rest.removeFirst() }
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
