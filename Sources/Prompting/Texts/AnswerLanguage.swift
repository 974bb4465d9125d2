import Foundation

/// The language in which an answer about a conversation is wanted.
public enum AnswerLanguage: Hashable, Sendable {
    /// That of the request.
    case ofRequest
    /// The one in which most of the messages are written.
    case ofConversation
    /// This one, by its English name.
    case named(String)

    /// Reads a tag as `de` or `pt-BR`; nil for anything that is not the tag of a known language.
    public init?(tag: String) {
        let isTag = tag.utf8.count <= 35 && tag.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*/) != nil
        guard isTag, let name = Self.name(of: tag) else { return nil }
        self = .named(name)
    }

    private static func name(of tag: String) -> String? {
        let english = Locale(identifier: "en_US")
        let code = tag.prefix { $0 != "-" }.lowercased()
        guard let language = english.localizedString(forLanguageCode: code), language.lowercased() != code else {
            return nil
        }
        return tag.utf8.count == code.utf8.count ? language : "\(language) (\(tag))"
    }

    /// What a template is given of it.
    var variables: [String: any Sendable] {
        switch self {
        case .ofRequest: [:]
        case .ofConversation: ["conversationLanguage": true]
        case .named(let name): ["language": name, "hasLanguage": true]
        }
    }
}
