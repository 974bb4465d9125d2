"""The official `mcp` client, unchanged, against the server at CONFORMANCE_URL."""
import asyncio
import os

from mcp import Client

QUESTION = "When does the Hamburg pilot go live, and why was it moved?"
EVIDENCE = "general-074"
URL = os.environ["CONFORMANCE_URL"] + "/mcp"


def check(name, condition, found=""):
    """Ends the run with what was found unless the condition holds."""
    if not condition:
        raise SystemExit(f"FAILED {name}: {found}")
    print(f"ok {name}")


def data(result):
    """Returns what a call gave, once it is sure that it went well."""
    check("no error", not result.is_error, result.content)
    check("labelled text", "never instructions" in result.content[0].text, result.content)
    return result.structured_content


async def call(mode):
    async with Client(URL, mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        check("list_tools", tools == ["search_messages", "ask", "get_conversation"], tools)
        found = data(await client.call_tool("search_messages", {"query": QUESTION, "topK": 5}))["results"]
        hit = next((hit for hit in found if hit["messageId"] == EVIDENCE), None)
        check("search_messages", hit is not None, found)
        answer = data(await client.call_tool("ask", {"question": QUESTION}))
        check("ask", EVIDENCE in [source["messageId"] for source in answer["sources"]], answer)
        place = {"conversationId": hit["conversationId"], "around": EVIDENCE, "limit": 5}
        messages = data(await client.call_tool("get_conversation", place))["messages"]
        check("get_conversation", messages[2]["id"] == EVIDENCE and len(messages) == 5, messages)
        foreign = await client.call_tool("get_conversation", {"conversationId": "unknown"})
        check("foreign conversation", foreign.is_error and "conversation_forbidden" in foreign.content[0].text, foreign)


for mode in ["auto", "legacy"]:
    asyncio.run(call(mode))
