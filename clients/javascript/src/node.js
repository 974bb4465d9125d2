import {createHash} from "node:crypto"
import {mkdir, open, readFile, readdir, rename, rm} from "node:fs/promises"
import {join} from "node:path"

/** Keeps a chat's unsent messages in a folder: a file for each, which is written whole or not at all. */
export class FileStore {
  constructor(folder) { Object.assign(this, {folder, number: 0}) }

  async entries() {
    const names = await readdir(this.folder).catch(orEmpty)
    // A process that was killed while it wrote left a part.
    const parts = names.filter(name => isLeft(/\.json\.(\d+)\.\d+$/.exec(name)?.[1]))
    await Promise.all(parts.map(name => rm(join(this.folder, name), {force: true})))
    const read = name => readFile(join(this.folder, name), "utf8").then(JSON.parse).catch(() => null)
    return (await Promise.all(names.filter(name => name.endsWith(".json")).map(read))).filter(Array.isArray)
  }

  async set(key, value) {
    await mkdir(this.folder, {recursive: true, mode: 0o700})
    const part = `${this.path(key)}.${process.pid}.${(this.number += 1)}`
    const file = await open(part, "w", 0o600)
    try {
      await file.writeFile(JSON.stringify([key, value]))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, this.path(key))
    await this.sync()
  }

  delete(key) { return rm(this.path(key), {force: true}) }

  // A renamed file survives a loss of power only when its folder is written too.
  async sync() {
    const folder = await open(this.folder)
    await folder.sync().finally(() => folder.close())
  }

  path(key) { return join(this.folder, createHash("sha256").update(key).digest("hex") + ".json") }
}

const isLeft = id => {
  if (!id) return false
  try {
    process.kill(Number(id), 0)
    return false
  } catch (error) {
    return error.code === "ESRCH"
  }
}

// Before the first message there is no folder.
const orEmpty = error => {
  if (error.code === "ENOENT") return []
  throw error
}
