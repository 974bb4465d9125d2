"""Clients of OpenAI's Responses API, unchanged, against the server at CONFORMANCE_URL."""
import asyncio
import os

os.environ["OPENAI_API_KEY"] = "any"
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import agents
import httpx
import litellm
import openai
from langchain_openai import ChatOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["CONFORMANCE_URL"] + "/v1"
QUESTION = "When does the Hamburg pilot go live, and why was it moved?"
FOLLOW_UP = "And who said so?"
ORDER = [
    "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta", "output_text.annotation.added",
    "output_text.done", "content_part.done", "output_item.done", "completed",
]

client = openai.OpenAI(base_url=URL, api_key="any", max_retries=0)


def check(name, condition, found=""):
    """Ends the run with what was found unless the condition holds."""
    if not condition:
        raise SystemExit(f"FAILED {name}: {found}")
    print(f"ok {name}")


def whole():
    reply = client.responses.create(model="nexus", input=QUESTION, instructions="Be brief.", metadata={"a": "b"})
    check("status", reply.status == "completed" and reply.error is None, reply)
    check("text", "[1]" in reply.output_text and "\n\n- [1] " in reply.output_text, reply.output_text)
    part = reply.output[0].content[0]
    note = part.annotations[0]
    check("annotation", note.type == "url_citation" and part.text[note.start_index:note.end_index] == "[1]", note)
    check("sources", reply.sources[0]["rank"] == 1, reply.sources)
    check("usage", reply.usage.total_tokens == reply.usage.input_tokens + reply.usage.output_tokens, reply.usage)
    check("echo", reply.instructions == "Be brief." and reply.metadata == {"a": "b"}, reply)
    return reply


def streamed(text):
    events = list(client.responses.create(model="nexus", input=QUESTION, stream=True))
    kinds = list(dict.fromkeys(event.type.removeprefix("response.") for event in events))
    check("order of events", kinds == ORDER, kinds)
    check("sequence", [event.sequence_number for event in events] == list(range(len(events))))
    pieces = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    check("text of the stream", pieces == text == events[-1].response.output_text, pieces)
    check("ids of the stream", events[0].response.id == events[-1].response.id, events[0])
    with client.responses.stream(model="nexus", input=QUESTION) as stream:
        for event in stream:
            pass
        check("stream helper", stream.get_final_response().output_text == text)


def followed(first):
    second = client.responses.create(model="nexus", input=FOLLOW_UP, previous_response_id=first.id)
    third = client.responses.create(model="nexus", input=FOLLOW_UP, previous_response_id=second.id)
    check("thread", second.conversation.id == third.conversation.id, second)
    thread = httpx.get(f"{URL}/threads/{second.conversation.id}").json()
    check("turns of the thread", thread["turnCount"] == 3 and thread["title"].startswith("When does"), thread)
    again = client.responses.create(model="nexus", input=[
        {"role": "user", "content": QUESTION}, first.output[0].model_dump(), {"role": "user", "content": FOLLOW_UP}])
    check("history in the input", again.status == "completed", again)


def kept(first):
    reply = client.responses.retrieve(first.id)
    check("kept response", (reply.output_text, reply.sources) == (first.output_text, first.sources), reply)
    check("citations of a kept response", reply.output[0].content[0].annotations == first.output[0].content[0].annotations, reply)
    items = list(client.responses.input_items.list(first.id, limit=10, order="asc"))
    check("input items", [item.content[0].text for item in items] == [QUESTION], items)
    gone = client.responses.create(model="nexus", input=QUESTION)
    client.responses.delete(gone.id)
    refused("deleted response", openai.NotFoundError, "response_not_found", None, lambda: client.responses.retrieve(gone.id))
    refused("stream of a kept response", openai.BadRequestError, "unsupported_value", "stream",
            lambda: client.responses.retrieve(first.id, stream=True))


def refused(name, kind, code, param, call):
    """Ends the run unless the call fails as it should."""
    try:
        found = call()
    except kind as error:
        return check(name, (error.code, error.param) == (code, param), error)
    check(name, False, found)


def errors():
    def create(**more):
        return lambda: client.responses.create(**{"model": "nexus", "input": QUESTION, **more})

    tool = {"type": "function", "name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}, "strict": False}
    refused("error of a model", openai.NotFoundError, "model_not_found", "model", create(model="other"))
    refused("error of tools", openai.BadRequestError, "unsupported_value", "tools", create(tools=[tool]))
    refused(
        "error of an unknown response", openai.BadRequestError, "previous_response_not_found", "previous_response_id",
        create(previous_response_id="resp_unknown"))
    unstored = client.responses.create(model="nexus", input=QUESTION, store=False)
    refused(
        "error of a response that was not stored", openai.BadRequestError, "previous_response_not_found", "previous_response_id",
        create(previous_response_id=unstored.id))
    refused("error of a path", openai.NotFoundError, "not_found", None, lambda: client.completions.create(model="nexus", prompt="x"))
    refused("error of another path", openai.NotFoundError, "not_found", None, lambda: client.responses.cancel("resp_unknown"))
    refused("error of another response", openai.NotFoundError, "response_not_found", None, lambda: client.responses.retrieve("resp_unknown"))
    refused("error of a method", openai.APIStatusError, "method_not_allowed", None, lambda: client.files.list())
    refused("error of an unknown name", openai.NotFoundError, "not_found", None, lambda: client.get("/nonsense", cast_to=object))


def langchain(text):
    model = ChatOpenAI(model="nexus", base_url=URL, api_key="any", use_responses_api=True)
    reply = model.invoke([("system", "Be brief."), ("user", QUESTION)])
    check("LangChain", reply.text == text, reply)
    check("LangChain citation", reply.content[0]["annotations"][0]["type"] == "url_citation", reply.content)
    check("LangChain second turn", model.invoke([("user", QUESTION), reply, ("user", FOLLOW_UP)]).text)
    check("LangChain stream", "".join(chunk.text for chunk in model.stream(QUESTION)) == text)
    chained = ChatOpenAI(model="nexus", base_url=URL, api_key="any", use_responses_api=True, use_previous_response_id=True)
    check("LangChain previous response", chained.invoke([("user", QUESTION), reply, ("user", FOLLOW_UP)]).text)


def lite(text):
    reply = litellm.responses(model="openai/nexus", input=QUESTION, api_base=URL, api_key="any")
    check("LiteLLM", reply.output[0].content[0].text == text, reply)
    events = list(litellm.responses(model="openai/nexus", input=QUESTION, api_base=URL, api_key="any", stream=True))
    check("LiteLLM stream", events[-1].response.output[0].content[0].text == text, events[-1])
    reply = litellm.completion(
        model="openai/responses/nexus", messages=[{"role": "user", "content": QUESTION}], api_base=URL, api_key="any")
    check("LiteLLM completion", reply.choices[0].message.content == text, reply)


async def pydantic(text):
    model = OpenAIResponsesModel("nexus", provider=OpenAIProvider(base_url=URL, api_key="any"))
    agent = Agent(model, instructions="Be brief.")
    first = await agent.run(QUESTION)
    check("pydantic-ai", first.output == text, first)
    second = await agent.run(FOLLOW_UP, message_history=first.all_messages())
    check("pydantic-ai second turn", second.output, second)
    async with agent.run_stream(QUESTION) as stream:
        check("pydantic-ai stream", await stream.get_output() == text)


async def openai_agents(text):
    agents.set_tracing_disabled(True)
    model = agents.OpenAIResponsesModel(model="nexus", openai_client=openai.AsyncOpenAI(base_url=URL, api_key="any"))
    agent = agents.Agent(name="n", instructions="Be brief.", model=model)
    first = await agents.Runner.run(agent, QUESTION)
    check("openai-agents", first.final_output == text, first)
    second = await agents.Runner.run(agent, first.to_input_list() + [{"role": "user", "content": FOLLOW_UP}])
    check("openai-agents second turn", second.final_output, second)
    chained = await agents.Runner.run(agent, FOLLOW_UP, previous_response_id=first.last_response_id)
    check("openai-agents previous response", chained.final_output, chained)
    stream = agents.Runner.run_streamed(agent, QUESTION)
    async for _ in stream.stream_events():
        pass
    check("openai-agents stream", stream.final_output == text, stream)


reply = whole()
streamed(reply.output_text)
followed(reply)
kept(reply)
errors()
langchain(reply.output_text)
lite(reply.output_text)
asyncio.run(pydantic(reply.output_text))
asyncio.run(openai_agents(reply.output_text))
