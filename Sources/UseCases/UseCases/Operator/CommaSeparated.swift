/// Comma-separated values.
package enum CommaSeparated {
    /// A line of the file.
    package struct Row: Equatable {
        /// The number of its first line, from 1.
        package var line: Int
        package var fields: [String]
    }

    /// Returns the rows of a text; blank lines are ignored.
    package static func rows(_ text: String) -> [Row] {
        var rows: [Row] = []
        var row = Row(line: 1, fields: [])
        var field = ""
        var isQuoted = false
        var line = 1
        func endRow() {
            row.fields.append(field)
            field = ""
            if row.fields != [""] { rows.append(row) }
            row = Row(line: line, fields: [])
        }
        var characters = Substring(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        while let character = characters.popFirst() {
            if character.isNewline { line += 1 }
            switch character {
            case "\"" where isQuoted && characters.first == "\"":
                field.append("\"")
                characters.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.fields.append(field)
                field = ""
            case _ where character.isNewline && !isQuoted: endRow()
            default: field.append(character)
            }
        }
        endRow()
        return rows
    }
}
