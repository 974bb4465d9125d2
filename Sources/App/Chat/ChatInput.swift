/// A line that a person enters in `nexus chat`.
enum ChatInput: Equatable {
    /// A message for the open conversation.
    case text(String)
    case list
    /// Opens a conversation by its number in the list, or the beginning of its name.
    case open(String)
    /// Without a number: the person's last message.
    case edit(Int64?, String)
    case delete(Int64?)
    /// Without a number: the last message.
    case react(Int64?, String)
    case who
    case newDirect(String)
    case newGroup(String, members: [String])
    case read
    case search(String)
    case ask(String)
    case help
    case quit
    case unusable(String)

    /// What `/help` shows.
    static let helpLines = [
        "/list                     conversations with unread messages",
        "/open 2, /open harbor     opens a conversation by number or name",
        "/new bob                  opens the direct conversation with a person",
        "/new Harbor: bob, cleo    makes a group",
        "/edit [12] text           changes a message; without a number, your last one",
        "/delete [12]              deletes a message",
        "/react [12] 👍            reacts to a message; without a number, the last one",
        "/who                      members, their presence, and how far they have read",
        "/read                     marks the conversation as read",
        "/search words             finds messages",
        "/ask question             asks the assistant; @ai in a message asks it in the conversation",
        "/quit                     ends the program",
    ]

    init(_ line: String) {
        let line = line.trimmed
        guard line.hasPrefix("/"), !line.hasPrefix("//") else {
            self = .text(String(line.dropFirst(line.hasPrefix("//") ? 1 : 0)))
            return
        }
        let (word, rest) = line.dropFirst().firstWord
        switch word {
        case "list": self = .list
        case "open" where !rest.isEmpty: self = .open(rest)
        case "edit":
            let (number, text) = Self.numbered(rest)
            self = text.isEmpty ? .unusable("/edit needs the new text") : .edit(number, text)
        case "delete":
            let (number, text) = Self.numbered(rest)
            self = text.isEmpty ? .delete(number) : .unusable("/delete takes the number of a message")
        case "react":
            let (number, emoji) = Self.numbered(rest)
            self = emoji.isEmpty ? .unusable("/react needs an emoji") : .react(number, emoji)
        case "who": self = .who
        case "new" where !rest.isEmpty: self = Self.new(rest)
        case "read": self = .read
        case "search" where !rest.isEmpty: self = .search(rest)
        case "ask" where !rest.isEmpty: self = .ask(rest)
        case "help": self = .help
        case "quit": self = .quit
        default: self = .unusable("unknown command; see /help")
        }
    }

    private static func numbered(_ text: String) -> (Int64?, String) {
        let (word, rest) = text[...].firstWord
        guard let number = Int64(word) else { return (nil, text) }
        return (number, rest)
    }

    private static func new(_ text: String) -> ChatInput {
        guard let colon = text.firstIndex(of: ":") else { return .newDirect(text) }
        let name = String(text[..<colon]).trimmed
        let members = text[text.index(after: colon)...].split(separator: ",").map { String($0).trimmed }
        guard !name.isEmpty, !members.isEmpty, members.allSatisfy({ !$0.isEmpty }) else {
            return .unusable("/new needs a name, a colon and the members")
        }
        return .newGroup(name, members: members)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension Substring {
    fileprivate var firstWord: (String, String) {
        let word = prefix { !$0.isWhitespace }
        return (String(word), String(self[word.endIndex...]).trimmed)
    }
}
