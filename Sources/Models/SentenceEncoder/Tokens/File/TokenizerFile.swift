import ChatCore
import Foundation

/// A file `tokenizer.json`, as Hugging Face's `tokenizers` writes it.
///
/// Read are WordPiece models with BERT's own normalizer and pre-tokenizer, and Unigram models with the steps that come with
/// them; all with one token before and one after a text.
struct TokenizerFile {
    static let name = "tokenizer.json"
    static let malformed = EncoderError.malformedFile(file: name)

    /// More than any model has.
    private static let vocabularyLimit = 2 << 20

    private var addedTokens: [AddedToken] = []
    private var model: Model?
    private var normalizer, preTokenizer, postProcessor: JSONValue?

    /// Reads a file.
    ///
    /// - Throws: ``EncoderError``.
    init(url: URL) throws(EncoderError) {
        guard let file = MappedFile(url: url) else { throw .unreadable(file: Self.name) }
        var failure: EncoderError?
        let isRead = JSONParts(file.bytes.bindMemory(to: UInt8.self)).fields { key, value in
            do throws(EncoderError) {
                switch key.decoded(String.self) {
                case "added_tokens": addedTokens = try Self.value(value)
                case "normalizer": normalizer = try Self.value(value)
                case "pre_tokenizer": preTokenizer = try Self.value(value)
                case "post_processor": postProcessor = try Self.value(value)
                case "model": model = try Model(value)
                default: break
                }
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        guard isRead, model != nil else { throw Self.malformed }
    }

    private static func value<Value: Decodable>(_ json: JSONParts) throws(EncoderError) -> Value {
        guard let value = json.decoded(Value.self) else { throw malformed }
        return value
    }

    /// The error of a file that wants something that is not read.
    static func unsupported(_ what: String) -> EncoderError {
        .unsupported(file: name, what: "\(what) is not supported")
    }

    /// A text that always is one token.
    struct AddedToken: Decodable {
        let id: Int32
        let isNormalized: Bool
        private let content: String
        private let isWord, takesBefore, takesAfter: Bool

        private enum CodingKeys: String, CodingKey {
            case id, content, normalized
            case isWord = "single_word"
            case takesBefore = "lstrip"
            case takesAfter = "rstrip"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int32.self, forKey: .id)
            content = try container.decode(String.self, forKey: .content)
            isNormalized = try container.decodeIfPresent(Bool.self, forKey: .normalized) ?? false
            isWord = try container.decodeIfPresent(Bool.self, forKey: .isWord) ?? false
            takesBefore = try container.decodeIfPresent(Bool.self, forKey: .takesBefore) ?? false
            takesAfter = try container.decodeIfPresent(Bool.self, forKey: .takesAfter) ?? false
        }

        var entry: AddedTokens.Entry {
            AddedTokens.Entry(
                text: Array(content.utf8), id: id, isWord: isWord, takesBefore: takesBefore, takesAfter: takesAfter)
        }
    }

    enum Model {
        /// The pieces by their ids, with empty ones for ids without a piece, and the id of the unknown token.
        case wordPiece([ArraySlice<UInt8>], unknown: Int32, scalarLimit: Int)
        case unigram(ScoredPieces)

        init(_ json: JSONParts) throws(EncoderError) {
            var fields: [String: JSONParts] = [:]
            let isObject = json.fields { key, value in
                guard let name = key.decoded(String.self) else { return false }
                fields[name] = value
                return true
            }
            guard isObject, let vocabulary = fields["vocab"] else { throw malformed }
            // Old files do not name the type.
            let usual = fields["merges"] != nil ? "BPE" : vocabulary.isArray ? "Unigram" : "WordPiece"
            switch fields["type"]?.decoded(String.self) ?? usual {
            case "WordPiece": self = try Self.wordPiece(vocabulary, fields)
            case "Unigram": self = try Self.unigram(vocabulary, fields)
            case let type:
                throw EncoderError.unsupported(
                    file: name, what: "a tokenizer of the type \(type) is not supported, only WordPiece and Unigram")
            }
        }

        private static func wordPiece(
            _ vocabulary: JSONParts, _ fields: [String: JSONParts]
        ) throws(EncoderError) -> Model {
            let continuation = fields["continuing_subword_prefix"]?.decoded(String.self) ?? "##"
            guard continuation == "##" else { throw unsupported("the prefix of continuations \(continuation)") }
            var pieces: [ArraySlice<UInt8>] = []
            let isRead = vocabulary.fields { key, value in
                guard let text = key.text, let id = value.number.flatMap({ Int(exactly: $0) }),
                    (0..<vocabularyLimit).contains(id)
                else { return false }
                if id >= pieces.count {
                    pieces.append(contentsOf: repeatElement([], count: id + 1 - pieces.count))
                }
                pieces[id] = text[...]
                return true
            }
            let unknown = fields["unk_token"]?.text ?? Array("[UNK]".utf8)
            guard isRead, let id = pieces.firstIndex(of: unknown[...]) else { throw .malformedVocabulary(file: name) }
            return .wordPiece(
                pieces, unknown: Int32(id), scalarLimit: fields["max_input_chars_per_word"]?.decoded(Int.self) ?? 100)
        }

        private static func unigram(
            _ vocabulary: JSONParts, _ fields: [String: JSONParts]
        ) throws(EncoderError) -> Model {
            guard fields["byte_fallback"]?.decoded(Bool.self) != true else {
                throw unsupported("a Unigram model that falls back to bytes")
            }
            var pieces: [(text: [UInt8], score: Double)] = []
            let isRead = vocabulary.elements { pair in
                var (text, score, count): ([UInt8]?, Double?, Int) = (nil, nil, 0)
                let isPair = pair.elements { part in
                    if count == 0 { text = part.text } else { score = part.number }
                    count += 1
                    return true
                }
                guard isPair, count == 2, let text, let score, pieces.count < vocabularyLimit else { return false }
                pieces.append((text, score))
                return true
            }
            guard isRead, let unknown = fields["unk_id"]?.decoded(Int.self),
                let scored = ScoredPieces(pieces, unknown: unknown)
            else { throw .malformedVocabulary(file: name) }
            return .unigram(scored)
        }
    }
}

extension TokenizerFile {
    /// Makes the tokenizer; `lowercases` tells whether texts are put in lower case before.
    func tokenizer(lowercases: Bool) throws(EncoderError) -> any SentenceTokenizer {
        let ends = try ends()
        let range = 0..<Int32(Self.vocabularyLimit)
        guard ([ends.start, ends.end] + addedTokens.map(\.id)).allSatisfy(range.contains) else {
            throw .malformedVocabulary(file: Self.name)
        }
        switch model {
        case .unigram(let pieces):
            guard !lowercases else { throw Self.unsupported("do_lower_case with a Unigram model") }
            return UnigramWordTokenizer(
                pieces: pieces, normalizer: try TextNormalizer(json: normalizer),
                splitter: try WordSplitter(json: preTokenizer), added: addedTokens, ends: ends)
        case .wordPiece(let pieces, let unknown, let scalarLimit):
            return WordPieceTokenizer(
                pieces: pieces, added: try wordPieceAdded(), unknown: unknown, ends: ends, scalarLimit: scalarLimit,
                rules: try wordRules(lowercases: lowercases))
        case nil: throw Self.malformed
        }
    }

    private func wordPieceAdded() throws(EncoderError) -> [AddedTokens.Entry] {
        guard !addedTokens.contains(where: \.isNormalized) else {
            throw Self.unsupported("an added token of a WordPiece model that is looked for in the normalised text")
        }
        return addedTokens.map(\.entry)
    }

    /// Reads the normalizer and the pre-tokenizer of a WordPiece model: BERT's.
    private func wordRules(lowercases: Bool) throws(EncoderError) -> BertNormalizer.Rules {
        guard preTokenizer?["type"]?.text == "BertPreTokenizer" else {
            throw Self.unsupported("the pre-tokenizer \(preTokenizer?["type"]?.text ?? "none") of a WordPiece model")
        }
        guard normalizer?["type"]?.text == "BertNormalizer" else {
            throw Self.unsupported("the normalizer \(normalizer?["type"]?.text ?? "none") of a WordPiece model")
        }
        guard normalizer?["clean_text"] != .bool(false) else {
            throw Self.unsupported("a BertNormalizer that does not clean texts")
        }
        let lowers = normalizer?["lowercase"] != .bool(false) || lowercases
        let strips = normalizer?["strip_accents"] ?? .null
        return BertNormalizer.Rules(
            lowercases: lowers,
            stripsAccents: strips == .null ? normalizer?["lowercase"] != .bool(false) : strips == .bool(true),
            separatesIdeographs: normalizer?["handle_chinese_chars"] != .bool(false))
    }

    /// Reads which tokens are put around a text.
    private func ends() throws(EncoderError) -> (start: Int32, end: Int32) {
        let wanted = Self.unsupported("a post-processor that does not put one token before and one after a text")
        switch postProcessor?["type"]?.text {
        case "BertProcessing", "RobertaProcessing":
            guard let start = postProcessor?["cls"]?.list?.last?.id, let end = postProcessor?["sep"]?.list?.last?.id
            else {
                throw Self.malformed
            }
            return (start, end)
        case "TemplateProcessing":
            guard let single = postProcessor?["single"]?.list, single.count == 3,
                single[1]["Sequence"]?["id"]?.text == "A",
                let start = try special(single[0]), let end = try special(single[2])
            else { throw wanted }
            return (start, end)
        default: throw wanted
        }
    }

    /// Returns the id of a special token in a template.
    private func special(_ part: JSONValue) throws(EncoderError) -> Int32? {
        guard let name = part["SpecialToken"]?["id"]?.text else { return nil }
        guard part["SpecialToken"]?["type_id"]?.wholeNumber == 0 else { return nil }
        let ids = postProcessor?["special_tokens"]?[name]?["ids"]?.list ?? []
        return ids.count == 1 ? ids[0].id : nil
    }
}

extension JSONValue {
    /// The field of an object; nil for other values.
    subscript(key: String) -> JSONValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[key]
    }

    /// The value of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The values of an array.
    var list: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The value of a whole number, as the id of a token.
    fileprivate var id: Int32? { wholeNumber.flatMap { Int32(exactly: $0) } }
}
