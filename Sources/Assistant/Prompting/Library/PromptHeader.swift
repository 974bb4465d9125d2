import ChatCore

/// The lines between the two `---` lines at the start of a template file.
struct PromptHeader: Equatable {
    /// The template's name, the same as the file's.
    var name: PromptName
    /// Counted up when the text changes in a way that answers may show.
    var version: Int
    /// The variables of the template, in the order of the header.
    var variables: [String]
    /// The line of the file that declares the variables.
    var variablesLine: Int
    /// The line of the file on which the template's text begins.
    var bodyLine: Int

    private static let fence = "---"

    /// Reads the header of `lines`, the whole file.
    init(file: String, name: PromptName, lines: [Substring]) throws(PromptError) {
        guard lines.first == Self.fence[...] else {
            throw .badHeader(file: file, line: 1, reason: "the file must begin with a line ---")
        }
        guard let end = lines.dropFirst().firstIndex(of: Self.fence[...]) else {
            throw .badHeader(file: file, line: lines.count, reason: "the header has no closing line ---")
        }
        var fields: [String: (value: String, line: Int)] = [:]
        for index in 1..<end {
            let (key, value) = try Self.field(lines[index], file: file, line: index + 1)
            guard fields.updateValue((value, index + 1), forKey: key) == nil else {
                throw .badHeader(file: file, line: index + 1, reason: "\"\(key)\" occurs twice")
            }
        }
        func field(_ key: String) throws(PromptError) -> (value: String, line: Int) {
            guard let field = fields[key] else {
                throw .badHeader(file: file, line: end + 1, reason: "\"\(key)\" is missing")
            }
            return field
        }
        let given = try field("name")
        guard given.value == name.rawValue else {
            throw .badHeader(file: file, line: given.line, reason: "the name must be \"\(name.rawValue)\"")
        }
        let version = try field("version")
        guard let number = Int(version.value), number > 0 else {
            throw .badHeader(file: file, line: version.line, reason: "the version must be a number from 1")
        }
        let variables = try field("variables")
        self.name = name
        self.version = number
        self.variables = try Self.names(variables.value, file: file, line: variables.line)
        variablesLine = variables.line
        bodyLine = end + 2
    }

    private static func field(
        _ text: Substring, file: String, line: Int
    ) throws(PromptError) -> (key: String, value: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let key = String(parts[0]).trimmingWhitespace()
        guard parts.count == 2 else {
            throw .badHeader(file: file, line: line, reason: "a header line is \"key: value\"")
        }
        guard ["name", "version", "variables"].contains(key) else {
            throw .badHeader(file: file, line: line, reason: "\"\(key)\" is not a key of the header")
        }
        return (key, String(parts[1]).trimmingWhitespace())
    }

    private static func names(_ list: String, file: String, line: Int) throws(PromptError) -> [String] {
        guard !list.isEmpty else { return [] }
        var names: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part).trimmingWhitespace()
            guard name.isVariableName, !names.contains(name) else {
                throw .badHeader(file: file, line: line, reason: "\"\(name)\" is not a variable name, or occurs twice")
            }
            names.append(name)
        }
        return names
    }
}

extension String {
    /// Whether the text is a letter followed by letters and digits, all ASCII.
    var isVariableName: Bool {
        guard let first, first.isASCII, first.isLetter else { return false }
        return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
