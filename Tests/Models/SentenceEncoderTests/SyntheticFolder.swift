import Foundation

/// The weights of a ``SyntheticModel`` as a folder of the public hub's form.
struct SyntheticFolder {
    enum Numbers: String { case floats = "F32", halves = "F16", brain = "BF16" }

    /// What a tokenizer needs; a test may change every file.
    static let wordPieces = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ship", "##ped", "it", "!", "東", "e\u{301}", "\u{E9}", "##ing",
        "Ship",
        "a",
    ]

    var model: SyntheticModel
    var numbers = Numbers.floats
    var prefix = ""
    var fileCount = 1
    var config: [String: Any]
    var files: [String: Data] = [:]
    var tokenizer: [String: Any]

    /// Makes a folder with WordPiece tokens, or those of ``SyntheticModel/smallPieces``.
    init(
        type: String = "bert", isUnigram: Bool = false, width: Int = 64, heads: Int = 2, numbers: Numbers = .floats
    ) {
        let random = SyntheticModel(seed: 4, width: width, heads: heads)
        model = random
        self.numbers = numbers
        model.firstPosition = type == "bert" ? 0 : 2
        model.tensors = random.tensors.map { tensor in
            (tensor.name, .floats(random.values(tensor.name).map { Self.rounded(Float($0), numbers) }))
        }
        config = [
            "model_type": type, "hidden_size": width, "num_hidden_layers": model.layers, "num_attention_heads": heads,
            "intermediate_size": model.innerWidth, "vocab_size": model.vocabularyCount,
            "max_position_embeddings": model.positions, "type_vocab_size": 2, "layer_norm_eps": 1e-5,
            "hidden_act": "gelu", "pad_token_id": 1,
        ]
        tokenizer = isUnigram ? Self.unigram(SyntheticModel.smallPieces) : Self.wordPiece(Self.wordPieces)
    }

    static func rounded(_ value: Float, _ numbers: Numbers) -> Float {
        switch numbers {
        case .floats: value
        case .halves: Float(Float16(value))
        case .brain: Float(bitPattern: value.bitPattern & 0xFFFF_0000)
        }
    }

    static func wordPiece(_ pieces: [String], lowercase: Bool = true) -> [String: Any] {
        [
            "normalizer": [
                "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": NSNull(),
                "lowercase": lowercase,
            ] as [String: Any],
            "pre_tokenizer": ["type": "BertPreTokenizer"],
            "post_processor": ["type": "BertProcessing", "sep": ["[SEP]", 3] as [Any], "cls": ["[CLS]", 2] as [Any]]
                as [String: Any],
            "added_tokens": pieces.indices.filter { pieces[$0].hasPrefix("[") }.map {
                ["id": $0, "content": pieces[$0], "normalized": false, "special": true] as [String: Any]
            },
            "model": [
                "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 20, "vocab": pieces,
            ] as [String: Any],
        ]
    }

    static func unigram(_ pieces: [(String, Float)]) -> [String: Any] {
        let template: [[String: Any]] = [
            ["SpecialToken": ["id": "<s>", "type_id": 0] as [String: Any]],
            ["Sequence": ["id": "A", "type_id": 0] as [String: Any]],
            ["SpecialToken": ["id": "</s>", "type_id": 0] as [String: Any]],
        ]
        return [
            "normalizer": NSNull(),
            "pre_tokenizer": [
                "type": "Sequence",
                "pretokenizers": [
                    ["type": "WhitespaceSplit"], ["type": "Metaspace", "replacement": "▁", "add_prefix_space": true],
                ] as [[String: Any]],
            ] as [String: Any],
            "post_processor": [
                "type": "TemplateProcessing", "single": template,
                "special_tokens": [
                    "<s>": ["id": "<s>", "ids": [0], "tokens": ["<s>"]] as [String: Any],
                    "</s>": ["id": "</s>", "ids": [2], "tokens": ["</s>"]] as [String: Any],
                ],
            ] as [String: Any],
            "added_tokens": [
                ["id": 0, "content": "<s>", "normalized": false] as [String: Any],
                ["id": 26, "content": "<mask>", "normalized": true, "lstrip": true] as [String: Any],
            ],
            "model": ["type": "Unigram", "unk_id": 3, "vocab": pieces.map { [$0.0, Double($0.1)] as [Any] }]
                as [String: Any],
        ]
    }
}

/// The files.
extension SyntheticFolder {
    /// Calls a body with the folder, which is removed afterwards.
    func with(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder in
            try write(to: folder)
            try body(folder)
        }
    }

    func write(to folder: URL) throws {
        for (name, data) in try weights() { try data.write(to: folder.appending(path: name)) }
        try JSONSerialization.data(withJSONObject: config).write(to: folder.appending(path: "config.json"))
        try tokenizerData().write(to: folder.appending(path: "tokenizer.json"))
        for (name, data) in files {
            let url = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
    }

    /// The tokenizer; the vocabulary of words is written by hand, because a dictionary has no two equivalent keys.
    private func tokenizerData() throws -> Data {
        guard let model = tokenizer["model"] as? [String: Any], let pieces = model["vocab"] as? [String] else {
            return try JSONSerialization.data(withJSONObject: tokenizer)
        }
        var (whole, own) = (tokenizer, model)
        own["vocab"] = "VOCAB"
        whole["model"] = own
        let text = String(decoding: try JSONSerialization.data(withJSONObject: whole), as: UTF8.self)
        let vocabulary = pieces.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
        return Data(text.replacing("\"VOCAB\"", with: "{\(vocabulary)}").utf8)
    }

    /// The weights in so many files, with an index if there are several.
    func weights() throws -> [(String, Data)] {
        guard fileCount > 1 else { return [("model.safetensors", file(model.tensors.map(\.name)))] }
        var (names, index): ([[String]], [String: String]) = (Array(repeating: [], count: fileCount), [:])
        for (place, tensor) in model.tensors.enumerated() {
            names[place % fileCount].append(tensor.name)
            index[prefix + Self.hubName(tensor.name)] = "part-\(place % fileCount).safetensors"
        }
        let list = try JSONSerialization.data(withJSONObject: ["metadata": [:], "weight_map": index] as [String: Any])
        return names.enumerated().map { ("part-\($0).safetensors", file($1)) }
            + [("model.safetensors.index.json", list)]
    }

    private func file(_ names: [String]) -> Data {
        var (entries, body): ([String], Data) = ([], Data())
        for name in names {
            let values = model.values(name).map { Float($0) }
            let start = body.count
            for value in values {
                switch numbers {
                case .floats: withUnsafeBytes(of: value.bitPattern.littleEndian) { body.append(contentsOf: $0) }
                case .halves:
                    withUnsafeBytes(of: Float16(value).bitPattern.littleEndian) { body.append(contentsOf: $0) }
                case .brain:
                    withUnsafeBytes(of: UInt16(value.bitPattern >> 16).littleEndian) { body.append(contentsOf: $0) }
                }
            }
            entries.append(
                "\"\(prefix)\(Self.hubName(name))\": {\"dtype\": \"\(numbers.rawValue)\", \"shape\": \(shape(name)), "
                    + "\"data_offsets\": [\(start), \(body.count)]}")
        }
        let header = Data("{\(entries.joined(separator: ", "))}".utf8)
        return withUnsafeBytes(of: UInt64(header.count).littleEndian) { Data($0) } + header + body
    }

    private func shape(_ name: String) -> [Int] {
        switch name {
        case "emb.word": return [model.vocabularyCount, model.width]
        case "emb.pos": return [model.positions, model.width]
        case "emb.type": return [2, model.width]
        default: break
        }
        if name.hasSuffix("fi.w") { return [model.innerWidth, model.width] }
        if name.hasSuffix("fo.w") { return [model.width, model.innerWidth] }
        if name.hasSuffix("fi.b") { return [model.innerWidth] }
        let isMatrix = ["q.w", "k.w", "v.w", "ao.w"].contains { name.hasSuffix(".\($0)") }
        return isMatrix ? [model.width, model.width] : [model.width]
    }

    private static func hubName(_ name: String) -> String {
        let names = [
            "emb.word": "embeddings.word_embeddings.weight", "emb.pos": "embeddings.position_embeddings.weight",
            "emb.type": "embeddings.token_type_embeddings.weight", "emb.ln.w": "embeddings.LayerNorm.weight",
            "emb.ln.b": "embeddings.LayerNorm.bias",
        ]
        if let known = names[name] { return known }
        let parts = name.split(separator: ".").map(String.init)
        let inner = [
            "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
            "ao": "attention.output.dense", "aln": "attention.output.LayerNorm", "fi": "intermediate.dense",
            "fo": "output.dense", "oln": "output.LayerNorm",
        ]
        let end = parts[2] == "w" ? "weight" : "bias"
        return "encoder.layer.\(parts[0].dropFirst()).\(inner[parts[1]] ?? parts[1]).\(end)"
    }
}
