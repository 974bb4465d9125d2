import test from "node:test"
import assert from "node:assert/strict"
import fs from "node:fs"
import {STEPS} from "../../../Sources/Server/WebPage/Files/administration/connection-steps.js"

test("what is pasted to connect another chat is what the documentation says", () => {
  for (const [name, steps] of Object.entries(STEPS)) {
    const page = fs.readFileSync(new URL(`../../../docs/connect-${name}.md`, import.meta.url), "utf8")
    for (const {code} of steps) if (code) assert.ok(page.includes(code), `docs/connect-${name}.md lacks ${code}`)
  }
})
