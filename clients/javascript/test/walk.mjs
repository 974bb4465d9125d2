// The walk of a stranger against a real server: `CONFORMANCE_NEXUS=program node --test test/walk.mjs`.
import assert from "node:assert/strict"
import {spawn} from "node:child_process"
import {readFile, readdir, writeFile} from "node:fs/promises"
import {join} from "node:path"
import {after, before, test} from "node:test"
import {Nexus, SignedOutError} from "../src/index.js"
import {FileStore} from "../src/node.js"
import {wireTypes} from "../tools/wire-types.mjs"
import {Provider} from "./provider.mjs"
import {Server} from "./server.mjs"

const PASSWORD = "correct horse"
let server, ada, ben, place

/** Waits until a condition holds after a change of the chat. */
const until = (chat, condition, what) => new Promise((resolve, reject) => {
  const patience = setTimeout(() => reject(new Error(`not within 60 s: ${what}`)), 60_000)
  const look = () => {
    if (!condition()) return
    clearTimeout(patience)
    end()
    resolve()
  }
  const end = chat.onChange(look)
  look()
})
const texts = chat => chat.messages(place).map(({text}) => text)
const transports = ["events", ...(globalThis.WebSocket ? ["socket"] : [])]

before(async () => {
  server = await Server.make()
  const codes = ["ada", "ben"].map(user => server.run("accounts", "invite", user, "--name", user).trim().split("/").at(-1))
  await server.start()
  ada = await Nexus.acceptInvitation(server.url, {code: codes[0], password: PASSWORD})
  ben = await Nexus.acceptInvitation(server.url, {code: codes[1], password: PASSWORD})
  place = (await ada.createGroup("Launch", ["ada", "ben"])).id
})

after(async () => {
  await server.remove()
})

test("people sign in, and a wrong password is refused", async () => {
  await assert.rejects(Nexus.signIn(server.url, {userId: "ada", password: "wrong horse"}), {code: "sign_in_failed", status: 401})
  const file = join(server.folder, "session.txt")
  const keep = {load: () => readFile(file, "utf8").catch(() => null), save: value => writeFile(file, value, {mode: 0o600})}
  await Nexus.signIn(server.url, {userId: "ada", password: PASSWORD, keep})
  const again = await Nexus.resume(server.url, {keep})
  assert.equal((await again.me()).userId, "ada")
  assert.equal(await again.signOut(), true)
  await assert.rejects(Nexus.resume(server.url, {keep}), {reason: "sessionEnded"})
})

for (const transport of transports) {
  test(`a conversation is live over ${transport}, and survives the death of the server`, async () => {
    const chat = ada.chat({transport})
    await chat.open(place)
    const start = texts(chat)
    await ben.post(place, "one")
    await until(chat, () => texts(chat).at(-1) === "one", "a message of another person")
    await chat.post(place, "two")
    await server.kill()
    const waiting = [ben.post(place, "three", {retryFor: Infinity}), ben.post(place, "four", {retryFor: Infinity}), chat.post(place, "five")]
    await until(chat, () => chat.connection.state === "offline", "the lost connection")
    assert.equal(chat.messages(place).at(-1).pending, true)
    await server.start()
    await Promise.all(waiting)
    await until(chat, () => chat.messages(place).length === start.length + 5 && chat.messages(place).every(m => !m.pending), "all messages")
    const found = texts(chat).slice(start.length)
    assert.deepEqual(found.filter(text => text !== "five"), ["one", "two", "three", "four"])
    const {messages} = await ben.messages(place)
    assert.deepEqual(messages.map(({id}) => id).reverse(), chat.messages(place).map(({id}) => id))
    chat.close()
  })
}

test("a feed that was stopped resumes at its cursor", async () => {
  const first = ada.feed()
  for await (const event of first) if (event.type === "connection" && event.state === "live") break
  const {cursor} = first
  const {messageId} = await ben.post(place, "while nobody looked")
  await ben.edit(place, messageId, "while nobody was looking")
  const seen = []
  for await (const event of ada.feed({cursor})) {
    assert.notEqual(event.type, "snapshot")
    seen.push(...(event.changes ?? []).filter(({type}) => type === "message"))
    if (seen.length) break
  }
  assert.deepEqual(seen.map(({message}) => message.text), ["while nobody was looking"])
  const unknown = ada.feed({cursor: "1-1"})
  for await (const event of unknown) if (event.type === "snapshot") break
})

test("messages are edited, reacted to, read and deleted", async () => {
  const chat = ada.chat()
  await chat.open(place)
  const {messageId} = await ben.post(place, "The crane comes on Thursday.")
  await ben.edit(place, messageId, "The crane comes on Friday.")
  await ada.react(place, messageId, "👍")
  const message = () => chat.messages(place).find(({id}) => id === messageId)
  await until(chat, () => message()?.reactions[0]?.emoji === "👍" && message().text.endsWith("Friday."), "the edited message")
  assert.ok(chat.conversation(place).unreadCount > 0)
  await chat.markRead(place)
  await until(chat, () => chat.conversation(place).unreadCount === 0, "the read mark")
  assert.deepEqual((await ben.receipts(place, messageId)).readBy.map(({userId}) => userId), ["ada"])
  const sender = ben.chat()
  await sender.open(place)
  assert.equal(sender.delivery(place, messageId), "read")
  sender.close()
  await ada.unreact(place, messageId, "👍")
  const {messageId: other} = await ben.post(place, "a mistake")
  await ben.delete(place, other)
  await ben.delete(place, other)
  await until(chat, () => !chat.messages(place).some(({id}) => id === other), "the deletion")
  await assert.rejects(ada.edit(place, messageId, "mine now"), {status: 403, code: "not_own"})
  chat.close()
})

test("a message that is sent twice is stored once", async () => {
  const draft = {text: "once", localId: "walk-1"}
  const [first, second] = [await ada.post(place, draft), await ada.post(place, draft)]
  assert.equal(first.messageId, second.messageId)
  const group = {headers: {"Idempotency-Key": "walk"}, body: {name: "Crew", members: [{userId: "ada"}]}}
  const made = [await ada.request("POST", ["conversations"], group), await ada.request("POST", ["conversations"], group)]
  assert.equal(made[0].id, made[1].id)
})

/** A program that posts three messages with a store, and is killed when these are kept. */
const postAndDie = async (folder, keep) => {
  const code = `
    import {readFile, writeFile} from "node:fs/promises"
    import {Nexus} from "./src/index.js"
    import {FileStore} from "./src/node.js"
    const keep = {load: () => readFile("${keep}", "utf8"), save: value => writeFile("${keep}", value)}
    const nexus = await Nexus.resume("${server.url}", {keep})
    const chat = nexus.chat({store: new FileStore("${folder}")})
    await chat.open("${place}")
    console.log("ready")
    process.stdin.once("data", () => {
      for (const text of ["six", "seven", "eight"]) chat.post("${place}", text).catch(() => {})
    })`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {cwd: new URL("..", import.meta.url), stdio: ["pipe", "pipe", "inherit"]})
  const ended = new Promise(resolve => child.once("exit", resolve))
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve)
    ended.then(code => reject(new Error(`the program ended: ${code}`)))
  })
  await server.kill()
  child.stdin.write("post\n")
  for (let names = []; names.filter(name => name.endsWith(".json")).length < 3; names = await readdir(folder).catch(() => [])) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  child.kill("SIGKILL")
  await ended
}

test("what a killed program wrote without a server is sent by the next one, once and in order", async () => {
  const [folder, file] = [join(server.folder, "unsent"), join(server.folder, "kept.txt")]
  const keep = {load: () => readFile(file, "utf8").catch(() => null), save: value => writeFile(file, value)}
  await Nexus.signIn(server.url, {userId: "ada", password: PASSWORD, keep})
  await postAndDie(folder, file)
  await server.start()
  const again = await Nexus.resume(server.url, {keep})
  const chat = again.chat({store: new FileStore(folder)})
  await chat.open(place)
  await until(chat, () => chat.waiting.length === 0 && texts(chat).at(-1) === "eight", "what was kept")
  assert.deepEqual(texts(chat).slice(-3), ["six", "seven", "eight"])
  assert.deepEqual((await ben.messages(place, {limit: 3})).messages.map(({text}) => text), ["eight", "seven", "six"])
  assert.deepEqual(await readdir(folder), [])
  chat.close()
})

test("what waits for a conversation that is gone is given back", async () => {
  const store = new FileStore(join(server.folder, "given-back"))
  const {id} = await ada.createGroup("Short", ["ada", "ben"])
  const chat = ben.chat({store})
  await chat.open(id)
  await ada.removeMember(id, "ben")
  await until(chat, () => !chat.conversation(id), "the departure")
  await assert.rejects(chat.post(id, "too late"), {code: "conversation_forbidden"})
  chat.close()
  const again = ben.chat({store})
  await again.ready
  assert.deepEqual(again.waiting.map(({text, error}) => [text, error.code]), [["too late", "conversation_forbidden"]])
  again.discard(id, again.waiting[0].localId)
  assert.deepEqual(again.waiting, [])
  again.close()
})

test("people sign in with OpenID Connect", async () => {
  const provider = await Provider.make({sub: "cy", name: "Cy"})
  const other = await Server.make(provider.settings)
  try {
    await other.start()
    assert.equal((await Nexus.methods(other.url)).oidc.name, "Harbour Office")
    let kept = null
    const keep = {load: () => kept, save: value => void (kept = value)}
    const begun = await Nexus.beginOpenID(other.url)
    const redirectedTo = provider.visit(begun.url)
    await assert.rejects(Nexus.finishOpenID(other.url, {begun: {...begun, binding: "stolen"}, redirectedTo}), {code: "sign_in_state"})
    const second = await Nexus.beginOpenID(other.url)
    const cy = await Nexus.finishOpenID(other.url, {begun: second, redirectedTo: new URL(provider.visit(second.url)), keep})
    assert.deepEqual([(await cy.me()).name, await cy.userId()], ["Cy", "cy"])
    assert.equal((await (await Nexus.resume(other.url, {keep})).me()).userId, "cy")
    provider.refuses = true
    const third = await Nexus.beginOpenID(other.url)
    await assert.rejects(Nexus.finishOpenID(other.url, {begun: third, redirectedTo: provider.visit(third.url)}), {code: "sign_in_refused", status: 401})
    const page = await fetch(Nexus.openIDAddress(other.url + "/"), {redirect: "manual"})
    assert.ok(page.headers.get("Location").startsWith(provider.url))
    await assert.rejects(Nexus.beginOpenID(server.url), {code: "sign_in_not_configured"})
  } finally {
    provider.close()
    await other.remove()
  }
})

test("a question is answered with sources", async () => {
  const asking = ada.ask("When does the crane come?", {conversationIds: [place]})
  const events = []
  for await (const event of asking) events.push(event)
  assert.deepEqual([events[0].type, events.at(-1).type], ["sources", "done"])
  assert.ok(events[0].sources.some(({excerpt}) => excerpt.includes("Friday")))
  const text = events.filter(({type}) => type === "text").map(event => event.text).join("")
  assert.match(text, /Friday\..*\[1\]/)
  const {answer} = events.at(-1)
  assert.equal(answer.answer, text)
  assert.ok(answer.sources.some(source => source.messageId === answer.citations[0].messageId))
  assert.match((await ada.ask("When does the crane come?", {conversationId: place}).answer()).answer, /Friday/)
  assert.equal((await ada.turns({limit: 1})).turns.length, 1)
})

test("a message is found, and a person", async () => {
  const {results} = await ben.search("crane", {conversationIds: [place]})
  assert.match(results[0].text, /crane/)
  assert.deepEqual((await ada.people("be")).map(({userId}) => userId), ["ben"])
})

test("a file goes up with a message and comes down again", async () => {
  const file = await ada.upload(new Blob(["north\n"], {type: "text/plain"}), {name: "plan.txt"})
  await ada.post(place, {text: "", attachments: [file.id]})
  const [message] = (await ben.messages(place, {limit: 1})).messages
  assert.equal(message.attachments[0].name, "plan.txt")
  assert.equal(await (await ben.download(message.attachments[0].id)).text(), "north\n")
  assert.equal((await ada.fileUse()).count, 1)
})

test("groups, preferences, settings and items", async () => {
  const group = await ada.createGroup("Pier", ["ada"])
  await ada.addMember(group.id, "ben")
  await ada.setRole(group.id, "ben", "admin")
  await ben.rename(group.id, "Quay")
  assert.equal((await ada.conversation(group.id)).name, "Quay")
  assert.equal((await ada.setPreferences(group.id, {muted: true})).muted, true)
  await ben.leave(group.id)
  assert.deepEqual((await ada.members(group.id)).members.filter(({leftAt}) => !leftAt).map(({userId}) => userId), ["ada"])
  assert.equal((await ada.changeSettings({timeZone: "Europe/Berlin"})).timeZone, "Europe/Berlin")
  assert.deepEqual((await ada.items("action-items")).items, [])
  await assert.rejects(ada.extractItems("decisions", place), {code: "model_not_configured"})
  await ada.dismissNotifications()
  assert.deepEqual(await ada.notifications(), [])
})

test("a session that was ended elsewhere ends the chat with its reason", async () => {
  const lost = await Nexus.signIn(server.url, {userId: "ben", password: PASSWORD})
  const chat = lost.chat()
  await chat.ready
  const current = (await lost.sessions()).find(({isCurrent}) => isCurrent)
  await ben.endSession(current.id)
  await until(chat, () => chat.connection.state === "ended", "the end of the session")
  assert.ok(chat.error instanceof SignedOutError)
  assert.deepEqual([chat.error.reason, lost.signedOut], ["sessionEnded", "sessionEnded"])
})

test("the types are those of the server's description", async () => {
  const description = await (await fetch(server.url + "/openapi.json")).json()
  const kept = await readFile(new URL("../src/wire.d.ts", import.meta.url), "utf8")
  assert.equal(kept, wireTypes(description), "run: node tools/wire-types.mjs URL > src/wire.d.ts")
})
