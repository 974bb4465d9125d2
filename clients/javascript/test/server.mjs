// A server of the program CONFORMANCE_NEXUS in its own folder on loopback, that can be killed and started again.
import {execFileSync, spawn} from "node:child_process"
import {mkdtempSync, rmSync} from "node:fs"
import {createServer} from "node:net"
import {tmpdir} from "node:os"
import {join} from "node:path"

const PROGRAM = process.env.CONFORMANCE_NEXUS
const SETTINGS = {"http.host": "127.0.0.1", "embedding.provider": "builtin", "chat.provider": "extractive"}

const freePort = () => new Promise(resolve => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const {port} = probe.address()
    probe.close(() => resolve(port))
  })
})

export class Server {
  static async make(settings = {}) {
    const server = Object.assign(new Server(), {settings: {...SETTINGS, ...settings}})
    server.folder = mkdtempSync(join(tmpdir(), "nexus-walk-"))
    server.url = `http://127.0.0.1:${(server.port = await freePort())}`
    return server
  }

  /** Runs a command of the program, and returns its output. */
  run(...command) { return execFileSync(PROGRAM, [...command, "--data", this.folder], {encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]}) }

  async start() {
    const settings = Object.entries(this.settings).flatMap(pair => ["--set", pair.join("=")]).concat("--log-level", "error")
    this.process = spawn(PROGRAM, ["serve", "--data", this.folder, "--port", String(this.port), ...settings], {stdio: "ignore"})
    this.ended = new Promise(resolve => this.process.once("exit", resolve))
    for (;;) {
      if (this.process.exitCode !== null) throw new Error("the server has ended")
      const reply = await fetch(this.url + "/ready").catch(() => null)
      if (reply?.ok) return this
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  async kill(how = "SIGKILL") {
    this.process.kill(how)
    await this.ended
  }

  async remove() {
    await this.kill()
    rmSync(this.folder, {recursive: true, force: true})
  }
}
