import ChatCore

extension Answer {
    /// The text with the messages that it cites numbered from 1 in the order in which they are cited first, and these.
    ///
    /// Of a whole conversation only a few messages are cited, and only these are kept with a turn.
    var renumbered: (text: String, cited: [MessageKey]) {
        var cited: [MessageKey] = []
        var numbers: [MessageKey: Int] = [:]
        var pieces: [String] = []
        let characters = Array(text)
        var position = 0
        for citation in citations {
            if numbers[citation.messageKey] == nil {
                cited.append(citation.messageKey)
                numbers[citation.messageKey] = cited.count
            }
            // Several numbers may stand in the same brackets.
            if citation.range.lowerBound >= position {
                pieces.append(String(characters[position..<citation.range.lowerBound]))
                position = citation.range.upperBound
            }
            pieces.append("[\(numbers[citation.messageKey] ?? 0)]")
        }
        pieces.append(String(characters[position...]))
        return (pieces.joined(), cited)
    }
}
