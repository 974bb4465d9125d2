import test from "node:test"
import assert from "node:assert/strict"

const files = new URL("../../../Sources/Server/WebPage/Files/", import.meta.url)

test("the lines for programs hold the address as each program reads it", async () => {
  globalThis.localStorage ??= {getItem: () => null, setItem() {}}
  const {programs} = await import(new URL("chat/programs.js", files))
  const {default: area} = await import(new URL("text/settings.js", files))
  const address = "https://chat.example.com/mcp"
  const found = Object.fromEntries(programs(address, "ma\"ra").map(({id, lines}) => [id, lines]))
  assert.equal(JSON.parse(found.cursor).mcpServers.nexus.url, address)
  assert.deepEqual(JSON.parse(found.vscode).servers.nexus, {type: "http", url: address})
  assert.deepEqual(JSON.parse(found.command).mcpServers.nexus.args, ["mcp", "--user", "ma\"ra"])
  assert.equal(found["claude-code"], "claude mcp add --transport http nexus https://chat.example.com/mcp")
  assert.match(found.codex, /--url https:\/\/chat\.example\.com\/mcp\n/)
  assert.equal(found.claude, undefined)
  for (const id of Object.keys(found)) assert.ok(area.en[`program.for.${id}`] && area.de[`program.for.${id}`], id)
})
