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

// connectSection(state, address, user, change): `state.program` is the id of the chosen program.
export const connectSection = (state, address, user, change) => {
  const list = programs(address, user)
  const {id, name, lines} = list.find(({id}) => id === state.program) ?? list[0]
  return h("details", {class: "connect"},
    h("summary", null, t("program.title")),
    h("div", {class: "stack"},
      h("p", null, t("program.hint")),
      copied(t("program.address"), address, h("input", {readonly: true, class: "grow", value: address, dir: "ltr", "aria-label": t("program.address"),
        on: {focus: event => event.target.select()}})),
      h("label", {class: "field"}, h("span", null, t("program.which")), choice("program", id, list.map(({id, name}) => [id, name]), change)),
      h("p", null, t(`program.for.${id}`)),
      lines && copied(name, lines, h("textarea", {readonly: true, class: "grow lines", rows: lines.split("\n").length, value: lines, dir: "ltr",
        spellcheck: "false", "aria-label": t("program.linesOf", {name}), on: {focus: event => event.target.select()}}))))
}
