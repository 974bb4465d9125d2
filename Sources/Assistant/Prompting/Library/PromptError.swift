/// Why a template cannot be used, or a prompt cannot be made.
///
/// Never contains the text of a question or a message.
package enum PromptError: Error, Equatable, Sendable {
    /// The folder, or a file in it, cannot be read as UTF-8 text.
    case unreadable(file: String)
    /// A file that is not a template of this program; `known` lists the valid names.
    case unknownFile(file: String, known: [String])
    /// The header is invalid; `reason` says what to correct.
    case badHeader(file: String, line: Int, reason: String)
    /// The text is not Mustache, or uses features that are not allowed in templates.
    case badTemplate(file: String, line: Int, reason: String)
    /// A variable is used and not declared in the header.
    case undeclaredVariable(file: String, line: Int, name: String)
    /// A variable is declared and not used.
    case unusedVariable(file: String, line: Int, name: String)
    /// A declared variable that this template never receives.
    case unknownVariable(file: String, line: Int, name: String)
    /// A variable that this template cannot do without is not declared.
    case missingVariable(file: String, line: Int, name: String)
    /// Instructions and question alone are longer than the model allows.
    case doesNotFit(neededTokens: Int, availableTokens: Int)
}

extension PromptError: CustomStringConvertible {
    /// One line that names the place and the fault.
    package var description: String {
        switch self {
        case .unreadable(let file):
            "\(file): cannot be read as UTF-8 text"
        case .unknownFile(let file, let known):
            "\(file): no such template; the templates are \(known.joined(separator: ", "))"
        case .badHeader(let file, let line, let reason), .badTemplate(let file, let line, let reason):
            "\(file):\(line): \(reason)"
        case .undeclaredVariable(let file, let line, let name):
            "\(file):\(line): {{\(name)}} is used but not declared under \"variables\""
        case .unusedVariable(let file, let line, let name):
            "\(file):\(line): \"\(name)\" is declared but not used"
        case .unknownVariable(let file, let line, let name):
            "\(file):\(line): \"\(name)\" is not a variable of this template"
        case .missingVariable(let file, let line, let name):
            "\(file):\(line): this template must use {{\(name)}}"
        case .doesNotFit(let needed, let available):
            "instructions and question take about \(needed) tokens, and the model leaves room for \(available)"
        }
    }
}
