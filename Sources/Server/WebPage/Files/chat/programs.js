// What a person gives to a program that shall act for them: the address, and the lines for well-known programs.
import {h} from "../lib/dom.js"
import {t} from "../lib/text.js"
import {copyText} from "../lib/dialog.js"
import {button, choice} from "../lib/ui.js"

const json = value => JSON.stringify(value, null, 2)

// Each as the program's own documentation says; a program without lines takes the address alone.
export const programs = (address, user) => [
  {id: "claude", name: "Claude"},
  {id: "claude-code", name: "Claude Code", lines: `claude mcp add --transport http nexus ${address}`},
  {id: "codex", name: "Codex", lines: `codex mcp add nexus --url ${address}\ncodex mcp login nexus`},
  {id: "cursor", name: "Cursor", lines: json({mcpServers: {nexus: {url: address}}})},
  {id: "vscode", name: "VS Code", lines: json({servers: {nexus: {type: "http", url: address}}})},
  {id: "python", name: "openai-agents (Python)", lines: `server = MCPServerStreamableHttp({"url": ${JSON.stringify(address)}, "auth": provider})`},
  {id: "command", name: t("program.commandName"), lines: json({mcpServers: {nexus: {command: "nexus", args: ["mcp", "--user", user]}}})},
]

const copied = (label, text, input) => h("div", {class: "row"}, input,
  button(t("program.copy"), () => copyText(text, t("program.copied")), "", {"aria-label": t("program.copyOf", {what: label})}))

const question = JSON.stringify({jsonrpc: "2.0", id: 1, method: "initialize",
  params: {protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {name: "nexus-page", version: "1"}}})

// Does what a program does before it opens the browser: it asks without a token, follows the answer to the metadata, and reads
// where tokens come from. Returns the words for what it met: `isGood`, the text's name, and its values.
export const checkConnection = async (address, here = location.origin) => {
  const found = (name, values = {}, isGood = false) => ({isGood, name: `program.test.${name}`, values})
  const {origin, protocol, hostname} = new URL(address)
  // The browser lets the page call its own server only.
  if (origin !== here) return found("elsewhere", {address: origin, here})
  const read = async place => {
    const reply = await fetch(place, {credentials: "omit", cache: "no-store"})
    return reply.ok ? reply.json() : {}
  }
  try {
    const asked = await fetch(address, {method: "POST", credentials: "omit", body: question,
      headers: {"content-type": "application/json", accept: "application/json, text/event-stream"}})
    const metadata = /resource_metadata="([^"]+)"/.exec(asked.headers.get("www-authenticate") ?? "")?.[1]
    if (asked.status !== 401 || !metadata) return found("closed", {status: asked.status})
    if (new URL(metadata).origin !== origin) return found("otherPlace", {address: new URL(metadata).origin})
    const {resource, authorization_servers: [server] = []} = await read(metadata)
    if (resource !== address || !server) return found("otherPlace", {address: String(resource)})
    const places = await read(`${server}/.well-known/oauth-authorization-server`)
    const ways = ["authorization_endpoint", "token_endpoint", "registration_endpoint"].map(name => places[name])
    if (places.issuer !== server || !ways.every(way => way?.startsWith(`${origin}/`))) return found("noSignIn")
  } catch {
    return found("away")
  }
  if (["localhost", "127.0.0.1", "[::1]"].includes(hostname)) return found("local", {}, true)
  return protocol === "https:" ? found("works", {}, true) : found("plain")
}

// connectSection(state, address, user, set): `state.program` is the id of the chosen program, `state.test` what the last test found.
export const connectSection = (state, address, user, set) => {
  const test = async () => {
    set({test: {name: "program.test.runs"}})
    set({test: await checkConnection(address)})
  }
  const list = programs(address, user)
  const {id, name, lines} = list.find(({id}) => id === state.program) ?? list[0]
  return h("details", {class: "connect"},
    h("summary", null, t("program.title")),
    h("div", {class: "stack"},
      h("p", null, t("program.hint")),
      copied(t("program.address"), address, h("input", {readonly: true, class: "grow", value: address, dir: "ltr", "aria-label": t("program.address"),
        on: {focus: event => event.target.select()}})),
      h("label", {class: "field"}, h("span", null, t("program.which")), choice("program", id, list.map(({id, name}) => [id, name]), program => set({program}))),
      h("p", null, t(`program.for.${id}`)),
      lines && copied(name, lines, h("textarea", {readonly: true, class: "grow lines", rows: lines.split("\n").length, value: lines, dir: "ltr",
        spellcheck: "false", "aria-label": t("program.linesOf", {name}), on: {focus: event => event.target.select()}})),
      h("div", {class: "row wrap"}, button(t("program.test"), test),
        h("p", {role: "status", class: state.test?.isGood === false ? "error grow" : "grow"}, state.test ? t(state.test.name, state.test.values) : ""))))
}
