// Runs the examples of README.md against servers: `CONFORMANCE_NEXUS=program node --test test/readme.mjs`.
import assert from "node:assert/strict"
import {execFile} from "node:child_process"
import {readFile} from "node:fs/promises"
import {after, test} from "node:test"
import {fileURLToPath} from "node:url"
import {promisify} from "node:util"
import {Nexus} from "../src/index.js"
import {Server} from "./server.mjs"

const page = await readFile(new URL("../README.md", import.meta.url), "utf8")
const folder = fileURLToPath(new URL("..", import.meta.url))
const harbor = fileURLToPath(new URL("../../../eval/datasets/harbor/", import.meta.url))
const examples = [...page.matchAll(/```js run( account)?\n([^]*?)```\n```text output\n([^]*?)```/g)]
const [sample, accounts] = [await Server.make(), await Server.make()]

after(() => Promise.all([sample.remove(), accounts.remove()]))

const escaped = line => line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** `…` alone in a line stands for any lines, also none. */
const matches = (expected, found) =>
  new RegExp("^" + expected.trimEnd().split("\n").map(line => (line === "…" ? "(?:.*\n)*" : escaped(line) + "\n")).join("") + "$").test(found)

/** Runs a program with the package by its name, as in an app. */
const run = async (code, url) => {
  const prelude = code.includes("import {Nexus}") ? "" : `import {Nexus} from "nexus-chat-client"\nconst nexus = new Nexus("${url}", {as: "mara"})\n`
  const text = prelude + code.replaceAll("http://127.0.0.1:8080", url).replaceAll(/"(session\.txt|unsent)"/g, (_, name) => JSON.stringify(`${accounts.folder}/${name}`))
  const flags = process.execArgv.filter(flag => flag.startsWith("--experimental-websocket"))
  const child = promisify(execFile)(process.execPath, [...flags, "--input-type=module", "--eval", text], {cwd: folder, timeout: 60_000})
  return (await child).stdout
}

test("the examples print what the page says", async () => {
  sample.run("import", harbor + "conversations.jsonl", harbor + "messages.jsonl")
  sample.run("ingest")
  const code = accounts.run("accounts", "invite", "ada", "--name", "Ada").trim().split("/").at(-1)
  await Promise.all([sample.start(), accounts.start()])
  await Nexus.acceptInvitation(accounts.url, {code, password: "correct horse"})
  assert.equal(examples.length, page.match(/```js run/g).length)
  for (const [, account, example, output] of examples) {
    const found = await run(example, account ? accounts.url : sample.url)
    assert.ok(matches(output, found), `${example}\nprinted:\n${found}`)
  }
})
