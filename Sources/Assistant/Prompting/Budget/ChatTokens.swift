/// Breaks up the tokens that separate roles in chat templates, so that a text cannot begin a turn.
///
/// Servers that recognise special tokens in texts (`<|im_start|>`, `[INST]`, `<start_of_turn>`, `</s>` and the like)
/// would read a message as the system's or the assistant's. A zero-width non-joiner after the first character prevents
/// that: the model sees nearly the same text, and the joiner is removed from answers because it is invisible.
package enum ChatTokens {
    private static let joiner: [UInt8] = [0xE2, 0x80, 0x8C]
    private static let (less, greater) = (UInt8(ascii: "<"), UInt8(ascii: ">"))
    private static let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    /// The longest token that is looked for, in bytes.
    private static let longest = 96

    /// Names between `<` and `>`, without a slash before them.
    private static let tags: Set<String> = [
        "s", "bos", "eos", "pad", "unk", "mask", "sop", "eop", "eod", "sep", "cls", "start_of_turn", "end_of_turn",
        "start_of_image", "end_of_image", "image_soft_token", "tool_call", "tool_calls", "tool_response", "tools",
        "think", "function_call", "im_start", "im_end", "endoftext", "fim_prefix", "fim_middle", "fim_suffix",
    ]

    /// How names of numbered tokens between `<` and `>` begin.
    private static let numberedTags = ["unused", "extra_id_", "reserved_", "special_", "0x"]

    /// Names between `[` and `]`, without a slash before them.
    private static let brackets: Set<String> = [
        "inst", "system_prompt", "available_tools", "tool_calls", "tool_results", "tool_content", "prefix", "suffix",
        "middle", "think", "gmask", "smask", "cls", "sep", "mask", "pad", "unk", "bos", "eos", "img", "img_break",
        "img_end", "control_tokens",
    ]

    /// Returns a text with its tokens broken up.
    package static func broken(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == less || $0 == open }) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 12)
        var isBroken = false
        for place in bytes.indices {
            result.append(bytes[place])
            guard bytes[place] == less || bytes[place] == open, beginsToken(bytes[place...]) else { continue }
            result += joiner
            isBroken = true
        }
        return isBroken ? String(decoding: result, as: UTF8.self) : text
    }

    /// Returns the values of a template with the tokens in their strings broken up.
    static func broken(in values: [String: any Sendable]) -> [String: Any] {
        values.mapValues { value(of: $0) }
    }

    private static func value(of value: Any) -> Any {
        switch value {
        case let text as String: broken(text)
        case let list as [Any]: list.map { self.value(of: $0) }
        case let fields as [String: Any]: fields.mapValues { self.value(of: $0) }
        default: value
        }
    }

    /// Whether bytes begin with a token.
    private static func beginsToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        let rest = bytes.dropFirst().prefix(longest)
        if bytes.first == Self.open {
            guard let end = rest.firstIndex(where: { $0 == Self.close }) else { return false }
            return brackets.contains(folded(rest[..<end]))
        }
        if rest.first == Self.less {
            return folded(rest.dropFirst().prefix { $0 != Self.greater }) == "sys"
        }
        guard let end = rest.firstIndex(where: { $0 == Self.greater }) else { return false }
        let content = rest[..<end]
        if content.contains(where: { $0 == Self.less || $0 == 0x0A }) { return false }
        return hasBars(content) || isTag(folded(content))
    }

    private static func isTag(_ name: String) -> Bool {
        if tags.contains(name) { return true }
        return numberedTags.contains { start in
            let number = name.utf8.dropFirst(start.utf8.count)
            return name.hasPrefix(start) && (1...6).contains(number.count) && number.allSatisfy(isHexadecimal)
        }
    }

    /// Whether a name is between bars, ASCII or full-width.
    private static func hasBars(_ content: ArraySlice<UInt8>) -> Bool {
        let wide: [UInt8] = [0xEF, 0xBD, 0x9C]
        let bar: [UInt8] = [UInt8(ascii: "|")]
        return [wide, bar].contains { content.count > $0.count && content.starts(with: $0) }
            && [wide, bar].contains { content.suffix($0.count).elementsEqual($0) }
    }

    /// Returns a name in lower case, without a slash and blanks.
    private static func folded(_ bytes: ArraySlice<UInt8>) -> String {
        let letters = bytes.filter { $0 != UInt8(ascii: " ") }
        let rest = letters.first == UInt8(ascii: "/") ? letters.dropFirst() : letters[...]
        return String(decoding: rest, as: UTF8.self).lowercased()
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
