import ChatCore
import Foundation
import SentenceEncoder
import Testing

/// Folders in the public hub's form, with small random weights; scripts/check-encoders compares with the reference engines.
@Suite struct ModelFolderTests {
    private static let texts = ["it shipped!", "東 it a", "ship it"]

    private func pooling(_ mode: String) -> Data {
        Data(#"{"word_embedding_dimension": 64, "pooling_mode_\#(mode)": true, "pooling_mode_max_tokens": false}"#.utf8)
    }

    private func encoder(_ folder: URL) throws -> TransformerEncoder {
        try TransformerEncoder(BuiltInModel(folder: folder), folder: folder, threadCount: 2)
    }

    /// The largest difference of a component from the plain network's vector.
    private func difference(_ made: SyntheticFolder, fromStart: Bool = false) throws -> Float {
        var largest: Float = 0
        try made.with { folder in
            let encoder = try encoder(folder)
            for (text, vector) in zip(Self.texts, encoder.encode(Self.texts)) {
                let ids = encoder.tokenIDs(of: text, limit: 40)
                let expected: [Float]
                if fromStart {
                    let state = made.model.states(ids)[0]
                    let length = state.reduce(0) { $0 + $1 * $1 }.squareRoot()
                    expected = state.map { Float($0 / length) }
                } else {
                    expected = made.model.vector(ids)
                }
                #expect(vector.count == made.model.width)
                largest = zip(vector, expected).reduce(largest) { max($0, abs($1.0 - $1.1)) }
            }
        }
        return largest
    }

    @Test func bertOfFloatsAgrees() throws {
        #expect(try difference(SyntheticFolder()) < 1e-5)
    }

    @Test(arguments: [SyntheticFolder.Numbers.halves, .brain]) func numbersOf16BitsAgree(
        _ numbers: SyntheticFolder.Numbers
    ) throws {
        #expect(try difference(SyntheticFolder(numbers: numbers)) < 1e-5)
    }

    @Test func robertaWithWideHeadsInSeveralFilesAgrees() throws {
        var made = SyntheticFolder(type: "xlm-roberta", isUnigram: true, width: 128, heads: 2, numbers: .brain)
        (made.fileCount, made.prefix) = (3, "roberta.")
        #expect(try difference(made) < 1e-5)
    }

    @Test func theStartTokensVectorIsTaken() throws {
        var made = SyntheticFolder()
        made.files["1_Pooling/config.json"] = pooling("cls_token")
        #expect(try difference(made, fromStart: true) < 1e-5)
        #expect(try difference(made) > 1e-2)
        made.files["modules.json"] = Data(
            """
            [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
             {"idx": 1, "name": "1", "path": "other", "type": "sentence_transformers.models.Pooling"},
             {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]
            """.utf8)
        made.files["other/config.json"] = pooling("mean_tokens")
        #expect(try difference(made) < 1e-5)
    }

    /// A header whose length is no multiple of 4 leaves the numbers where they cannot be read in place.
    @Test func numbersAtAnOddAddressAreRead() throws {
        var made = SyntheticFolder()
        var differences: [Float] = []
        for prefix in ["", "a.", "ab.", "abc."] {
            made.prefix = prefix
            differences.append(try difference(made))
        }
        #expect(differences.allSatisfy { $0 < 1e-5 })
    }

    @Test func descriptionIsRead() throws {
        var made = SyntheticFolder(type: "xlm-roberta", isUnigram: true)
        made.files["config_sentence_transformers.json"] = Data(
            #"{"prompts": {"query": "query: ", "document": "passage: "}}"#.utf8)
        try made.with { folder in
            let model = try BuiltInModel(folder: folder)
            #expect(model.name == folder.lastPathComponent)
            #expect(model.dimensions == 64)
            #expect(model.tokenLimit == 46, "two positions are before the first token's")
            #expect(model.statesPrefixes && model.queryPrefix == "query: " && model.passagePrefix == "passage: ")
            try model.verify(folder: folder)
        }
        made.files["sentence_bert_config.json"] = Data(#"{"max_seq_length": 32}"#.utf8)
        made.files["config_sentence_transformers.json"] = Data(#"{"prompts": {"query": "", "document": ""}}"#.utf8)
        try made.with { folder in
            let model = try BuiltInModel(folder: folder)
            #expect(model.tokenLimit == 32 && !model.statesPrefixes)
            let text = String(repeating: "a ", count: 100)
            #expect(try encoder(folder).encode([text]) == encoder(folder).encode([text + "b"]))
        }
    }

    @Test func tokensHaveVectorsToo() throws {
        let made = SyntheticFolder()
        try made.with { folder in
            let encoder = try encoder(folder)
            let text = "it shipped!"
            let states = encoder.tokenStates(of: [TokenText(text: text)])[0]
            let expected = made.model.states(encoder.tokenIDs(of: text, limit: 40)).dropFirst().dropLast().flatMap(
                \.self)
            #expect(states.count == expected.count)
            #expect(zip(states, expected).allSatisfy { abs(Double($0) - $1) < 1e-4 })
        }
    }
}

/// What is refused, and in which words.
extension ModelFolderTests {
    private func explanation(_ change: (inout SyntheticFolder) -> Void) throws -> String {
        var made = SyntheticFolder()
        change(&made)
        var found = "no error"
        try made.with { folder in
            do throws(EncoderError) {
                let model = try BuiltInModel(folder: folder)
                _ = try TransformerEncoder(model, folder: folder, threadCount: 1)
            } catch { found = error.explanation }
        }
        return found
    }

    @Test(arguments: [
        ("model_type", "modernbert", "the type modernbert"), ("model_type", "mpnet", "the type mpnet"),
        ("model_type", "distilbert", "the type distilbert"), ("hidden_act", "gelu_new", "the activation gelu_new"),
        ("position_embedding_type", "relative_key", "positions of the type relative_key"),
    ])
    func otherNetworksAreRefused(_ key: String, _ value: String, _ words: String) throws {
        let found = try explanation { $0.config[key] = value }
        #expect(found.hasPrefix("config.json: \(words) is not supported, only "), "\(found)")
    }

    @Test func sizesAreChecked() throws {
        #expect(try explanation { $0.config["num_attention_heads"] = 4 }.contains("heads must have 32 or 64"))
        #expect(try explanation { $0.config["num_attention_heads"] = 0 }.contains("heads must have 32 or 64"))
        #expect(
            try explanation { $0.config["hidden_size"] = nil } == "config.json does not have the form of such a file")
        #expect(
            try explanation { $0.config["hidden_size"] = "64" } == "config.json does not have the form of such a file")
        #expect(
            try explanation { $0.config["vocab_size"] = 20 }
                == "the tensor embeddings.word_embeddings.weight has the shape [28, 64] instead of [20, 64]")
        #expect(try explanation { $0.config["vocab_size"] = 14 }.contains("does not fit the weights"))
        #expect(
            try explanation {
                $0.config["model_type"] = "roberta"
                $0.config["pad_token_id"] = 1_000
            } == "config.json does not have the form of such a file")
    }

    @Test func weightsAreChecked() throws {
        #expect(
            try explanation { $0.model.tensors.removeAll { $0.name == "l1.fo.b" } }
                == "the weights lack the tensor encoder.layer.1.output.dense.bias")
        #expect(
            try explanation { made in
                guard let place = made.model.tensors.firstIndex(where: { $0.name == "l0.q.w" }) else { return }
                made.model.tensors[place].tensor = .floats([Float.nan] + Array(repeating: 0, count: 64 * 64 - 1))
            } == "the tensor encoder.layer.0.attention.self.query.weight contains a number that is not finite")
        #expect(
            try explanation { made in
                let whole = (try? made.weights()[0].1) ?? Data()
                made.files["model.safetensors"] = whole.dropLast(100)
            }.contains("the weights are damaged or incomplete"))
        #expect(
            try explanation { $0.files["model.safetensors"] = Data(repeating: 0xFF, count: 8) + Data("{}".utf8) }
                == "model.safetensors is damaged or incomplete: its header does not fit the file")
    }

    @Test func missingFilesAreNamed() throws {
        for name in ["config.json", "tokenizer.json", "model.safetensors"] {
            try SyntheticFolder().with { folder in
                try FileManager.default.removeItem(at: folder.appending(path: name))
                #expect(throws: EncoderError.unreadable(file: name)) {
                    try TransformerEncoder(BuiltInModel(folder: folder), folder: folder, threadCount: 1)
                }
                guard name == "model.safetensors" else { return }
                try Data().write(to: folder.appending(path: "pytorch_model.bin"))
                #expect(
                    throws: EncoderError.unsupported(
                        file: "pytorch_model.bin", what: "only model.safetensors is read; save the model as safetensors"
                    )
                ) {
                    try TransformerEncoder(BuiltInModel(folder: folder), folder: folder, threadCount: 1)
                }
            }
        }
    }

    @Test func anIndexCannotLeaveItsFolder() throws {
        var made = SyntheticFolder()
        made.fileCount = 2
        made.files["model.safetensors.index.json"] = Data(#"{"weight_map": {"a": "../part-0.safetensors"}}"#.utf8)
        try made.with { folder in
            #expect(throws: EncoderError.malformedFile(file: "model.safetensors.index.json")) {
                try encoder(folder)
            }
        }
        made.files["model.safetensors.index.json"] = Data(#"{"weight_map": {"a": "part-7.safetensors"}}"#.utf8)
        try made.with { folder in
            #expect(throws: EncoderError.unreadable(file: "part-7.safetensors")) { try encoder(folder) }
        }
    }

    @Test func stepsAndPoolingsAreChecked() throws {
        let dense =
            #"[{"path": "", "type": "sentence_transformers.models.Transformer"}, {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]"#
        #expect(
            try explanation { $0.files["modules.json"] = Data(dense.utf8) }.contains("the step Dense is not supported"))
        let outside = #"[{"path": "../a", "type": "sentence_transformers.models.Transformer"}]"#
        #expect(
            try explanation { $0.files["modules.json"] = Data(outside.utf8) }.contains("modules.json does not have"))
        for mode in ["lasttoken", "weightedmean_tokens"] {
            let found = try explanation { $0.files["1_Pooling/config.json"] = pooling(mode) }
            #expect(found.contains("is not supported, only mean and cls"), "\(found)")
        }
    }

    @Test func tokenizersAreChecked() throws {
        func change(_ key: String, _ value: Any) throws -> String {
            try explanation { $0.tokenizer[key] = value }
        }
        #expect(
            try change("model", ["type": "BPE", "vocab": ["a": 0], "merges": [String]()] as [String: Any])
                == "tokenizer.json: a tokenizer of the type BPE is not supported, only WordPiece and Unigram")
        #expect(try change("model", 3).contains("tokenizer.json does not have the form"))
        #expect(try change("normalizer", ["type": "Nmt"]).contains("the normalizer Nmt of a WordPiece model"))
        #expect(try change("pre_tokenizer", ["type": "ByteLevel"]).contains("the pre-tokenizer ByteLevel"))
        #expect(try change("post_processor", NSNull()).contains("one token before and one after"))
        #expect(
            try explanation { $0.files["tokenizer.json"] = Data("{\"model\": {\"vocab\": {\"a\": 0".utf8) }
                == "tokenizer.json does not have the form of such a file")
        #expect(
            try explanation {
                $0.tokenizer = SyntheticFolder.wordPiece(["a", "b"])
            }.contains("the vocabulary in tokenizer.json is damaged"), "there is no unknown token")
    }

    /// Any byte of a tokenizer may be another: then it is refused, or is another tokenizer.
    @Test func aDamagedTokenizerDoesNoHarm() throws {
        for isUnigram in [false, true] {
            try SyntheticFolder(isUnigram: isUnigram).with { folder in
                let url = folder.appending(path: "tokenizer.json")
                let data = try Data(contentsOf: url)
                let model = try BuiltInModel(folder: folder)
                for place in stride(from: 0, to: data.count, by: 7) {
                    var damaged = data
                    damaged[place] ^= place % 2 == 0 ? 0x07 : 0x81
                    try (place % 3 == 0 ? damaged.prefix(place) : damaged).write(to: url)
                    if let encoder = try? TransformerEncoder(model, folder: folder, threadCount: 1) {
                        _ = encoder.tokenIDs(of: "it shipped <mask> 東京", limit: 20)
                    }
                }
            }
        }
    }
}
