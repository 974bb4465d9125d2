import ChatCore
import TextAnalysis

/// One source as text, ready for a template.
struct SourceText {
    /// The sender's name, on one line.
    let sender: String
    /// The conversation's name, on one line.
    let conversation: String
    let date: String
    let text: String

    /// Prepares a source for the prompt.
    init(_ source: PromptSource, limits: PromptLimits, hasShortDate: Bool = false) {
        sender = TextCut.oneLine(VisibleText.of(source.sender), limit: limits.nameLength)
        conversation = TextCut.oneLine(VisibleText.of(source.conversation), limit: limits.nameLength)
        let writer = PromptDate(timeZone: source.timeZone)
        date = hasShortDate ? writer.shortDayAndTime(source.timestamp) : writer.dayAndTime(source.timestamp)
        let cut =
            if let focus = source.focus {
                TextCut.around(focus, of: source.text, limit: limits.sourceLength).trimmingWhitespace()
            } else {
                TextCut.middle(source.text.trimmingWhitespace(), limit: limits.sourceLength)
            }
        // The model must not read what people cannot see.
        text = VisibleText.of(cut)
    }

    /// Prepares a source for a quotation: each line is marked as quoted.
    init(quoting source: PromptSource, limits: PromptLimits) {
        sender = TextCut.oneLine(VisibleText.of(source.sender), limit: limits.nameLength)
        conversation = TextCut.oneLine(VisibleText.of(source.conversation), limit: limits.nameLength)
        date = PromptDate(timeZone: source.timeZone).dayAndTime(source.timestamp)
        text = TextCut.sentences(around: source.focus ?? 0..<0, of: source.text, limit: limits.quotationLength)
            .split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\n> ")
    }

    /// The texts by other people.
    var texts: [String] { [sender, conversation, text] }

    /// Returns its variables for a template, with its place among those shown, from 1.
    func variables(number: Int) -> [String: any Sendable] {
        ["number": String(number), "sender": sender, "conversation": conversation, "date": date, "text": text]
    }
}
