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

// What a server at an address answers; each test changes one thing.
const replies = (address, {status = 401, metadata, resource = address, issuer, token} = {}) => {
  const {origin} = new URL(address)
  const link = metadata ?? `${origin}/.well-known/oauth-protected-resource/mcp`
  const server = issuer ?? origin
  const documents = {
    [link]: {resource, authorization_servers: [server]},
    [`${server}/.well-known/oauth-authorization-server`]: {issuer: origin, authorization_endpoint: `${origin}/authorize`,
      token_endpoint: token ?? `${origin}/token`, registration_endpoint: `${origin}/register`},
  }
  return async (place, {method = "GET"} = {}) => {
    if (method === "POST") return new Response("{}", {status, headers: status === 401 ? {"www-authenticate": `Bearer realm="nexus", resource_metadata="${link}"`} : {}})
    return documents[place] ? Response.json(documents[place]) : new Response("", {status: 404})
  }
}

test("the test of the connection says what a program would meet", async t => {
  const {checkConnection} = await import(new URL("chat/programs.js", files))
  const {default: area} = await import(new URL("text/settings.js", files))
  const address = "https://chat.example.com/mcp"
  const found = async (options, place = address, here = new URL(place).origin) => {
    t.mock.method(globalThis, "fetch", options instanceof Error ? async () => { throw options } : replies(place, options))
    const {isGood, name} = await checkConnection(place, here)
    assert.ok(area.en[name] && area.de[name], name)
    return `${isGood ? "good" : "bad"} ${name.replace("program.test.", "")}`
  }
  assert.equal(await found({}), "good works")
  assert.equal(await found({}, "http://127.0.0.1:8080/mcp"), "good local")
  assert.equal(await found({}, "http://chat.example.com/mcp"), "bad plain")
  assert.equal(await found({}, address, "https://other.example.com"), "bad elsewhere")
  assert.equal(await found({status: 200}), "bad closed")
  assert.equal(await found({status: 404}), "bad closed")
  assert.equal(await found({metadata: "http://localhost:8080/.well-known/oauth-protected-resource/mcp"}), "bad otherPlace")
  assert.equal(await found({resource: "http://localhost:8080/mcp"}), "bad otherPlace")
  assert.equal(await found({issuer: "https://elsewhere.example.com"}), "bad noSignIn")
  assert.equal(await found({token: "http://localhost:8080/token"}), "bad noSignIn")
  assert.equal(await found(new TypeError("offline")), "bad away")
})
