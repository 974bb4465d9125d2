"""The official `mcp` client, unchanged, against the server at CONFORMANCE_URL."""
import asyncio
import json
import os

from mcp import Client
from mcp.shared.exceptions import MCPError

QUESTION = "When does the Hamburg pilot go live, and why was it moved?"
EVIDENCE = "general-074"
TEMPLATE = "nexus://conversations/{conversationId}/messages/{messageId}"
TOOLS = [
    "search_messages", "ask", "read_timeline", "list_conversations", "get_conversation", "summarize_conversation",
    "list_action_items", "list_decisions", "list_deadlines", "post_message",
]
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
        check("list_tools", tools == TOOLS, tools)
        check("serverInfo", client.server_info.name == "nexus" and client.server_info.version != "1", client.server_info)
        found = data(await client.call_tool("search_messages", {"query": QUESTION, "topK": 5}))["results"]
        hit = next((hit for hit in found if hit["messageId"] == EVIDENCE), None)
        check("search_messages", hit is not None, found)
        check("conversation names", hit["conversationName"] == "general", hit)
        answer = data(await client.call_tool("ask", {"question": QUESTION}))
        check("ask", EVIDENCE in [source["messageId"] for source in answer["sources"]], answer)
        place = {"conversationId": hit["conversationId"], "around": EVIDENCE, "limit": 5}
        messages = data(await client.call_tool("get_conversation", place))["messages"]
        check("get_conversation", messages[2]["id"] == EVIDENCE and len(messages) == 5, messages)
        named = data(await client.call_tool("list_conversations", {"limit": 200}))["conversations"]
        check("list_conversations", hit["conversationId"] in [place["id"] for place in named], named)
        for tool in ["list_action_items", "list_decisions", "list_deadlines"]:
            items = data(await client.call_tool(tool, {"conversationId": hit["conversationId"]}))["items"]
            check(tool, items == [], items)
        # Without a language model there is no summary; the tool says so.
        summary = await client.call_tool("summarize_conversation", {"conversationId": hit["conversationId"]})
        check("summarize_conversation", summary.is_error and "model_not_configured" in summary.content[0].text, summary)
        templates = (await client.list_resource_templates()).resource_templates
        check("list_resource_templates", [item.uri_template for item in templates] == [TEMPLATE], templates)
        check("list_resources", (await client.list_resources()).resources == [])
        uri = TEMPLATE.format(conversationId=hit["conversationId"], messageId=EVIDENCE)
        message = json.loads((await client.read_resource(uri)).contents[0].text)
        check("read_resource", message["id"] == EVIDENCE, message)
        try:
            await client.read_resource(uri + "-unknown")
            check("unknown resource", False)
        except MCPError as error:
            check("unknown resource", error.code == (-32002 if mode == "legacy" else -32602), error)
        foreign = await client.call_tool("get_conversation", {"conversationId": "unknown"})
        check("foreign conversation", foreign.is_error and "conversation_forbidden" in foreign.content[0].text, foreign)


for mode in ["auto", "legacy"]:
    asyncio.run(call(mode))
