"""The official `openai` client, unchanged, against the server at CONFORMANCE_URL."""
import os

import openai

QUESTION = "When does the Hamburg pilot go live, and why was it moved?"
EVIDENCE = "general-074"

client = openai.OpenAI(base_url=os.environ["CONFORMANCE_URL"] + "/v1", api_key="any", max_retries=0)
messages = [
    {"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "Who are we?"},
    {"role": "assistant", "content": "A team."},
    {"role": "user", "content": QUESTION},
]


def check(name, condition, found=""):
    """Ends the run with what was found unless the condition holds."""
    if not condition:
        raise SystemExit(f"FAILED {name}: {found}")
    print(f"ok {name}")


def models():
    found = [model.id for model in client.models.list()]
    check("models.list", found == ["nexus", "all-MiniLM-L6-v2"], found)
    check("models.retrieve", client.models.retrieve("nexus").owned_by == "nexus")


def whole_answer():
    completion = client.chat.completions.create(model="nexus", messages=messages)
    message = completion.choices[0].message
    check("completion", message.role == "assistant" and message.content, completion)
    check("completion finish_reason", completion.choices[0].finish_reason == "stop", completion)
    check("completion sources", EVIDENCE in [source["messageId"] for source in message.sources], message.sources)
    check("completion citations", "[1]" in message.content and message.citations[0]["number"] == 1, message)
    check("completion annotations", len(message.annotations) == len(message.citations), message)
    note = message.annotations[0].url_citation
    check("completion annotation", message.content[note.start_index:note.end_index] == "[1]" and note.url, note)
    check("completion source list", "\n\n- [1] " in message.content, message.content)
    check("completion usage", completion.usage.total_tokens >= 0, completion)
    return message.content


def streamed_answer(whole):
    stream = client.chat.completions.create(
        model="nexus", messages=messages, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    pieces = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    check("stream text", "".join(pieces) == whole, pieces)
    check("stream sources", chunks[-2].choices[0].delta.sources[0]["rank"] == 1, chunks[-2])
    check("stream finish_reason", chunks[-2].choices[0].finish_reason == "stop", chunks[-2])
    check("stream usage", chunks[-1].choices == [] and chunks[-1].usage is not None, chunks[-1])
    with client.chat.completions.stream(model="nexus", messages=messages) as events:
        final = events.get_final_completion()
    check("stream helper", final.choices[0].message.content == whole, final)


def embeddings():
    texts = ["the pilot goes live", "der Start"]
    # The client asks for base64 unless told otherwise, and decodes it.
    packed = client.embeddings.create(model="all-MiniLM-L6-v2", input=texts)
    plain = client.embeddings.create(model="all-MiniLM-L6-v2", input=texts, encoding_format="float")
    check("embeddings shape", [len(item.embedding) for item in packed.data] == [384, 384])
    for left, right in zip(packed.data, plain.data):
        nearness = max(abs(a - b) for a, b in zip(left.embedding, right.embedding))
        check("embeddings base64 = float", nearness < 1e-7, nearness)
    check("embeddings usage", packed.usage.prompt_tokens > 0, packed.usage)


def refused(name, kind, code, param, call):
    """Ends the run unless the call fails as it should."""
    try:
        found = call()
    except kind as error:
        found = error
        check(name, (error.code, error.param) == (code, param), error)
        return
    check(name, False, found)


def errors():
    def chat(**more):
        return lambda: client.chat.completions.create(**{"model": "nexus", "messages": messages, **more})

    refused("error of a model", openai.NotFoundError, "model_not_found", "model", chat(model="gpt-4"))
    refused("error of n", openai.BadRequestError, "unsupported_value", "n", chat(n=2))
    refused("error of a stream", openai.BadRequestError, "invalid_field", "messages", chat(messages=[], stream=True))
    refused(
        "error of tokens", openai.BadRequestError, "invalid_field", "input[0]",
        lambda: client.embeddings.create(model="all-MiniLM-L6-v2", input=[1, 2]),
    )


models()
streamed_answer(whole_answer())
embeddings()
errors()
