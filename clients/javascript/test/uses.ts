// Compiled, not run: an app in strict TypeScript.
import {Nexus, NexusError, SignedOutError, WebStore} from "nexus-chat-client"
import type {Answer, FeedEvent, Keep, Message, Source, Store} from "nexus-chat-client"
import {FileStore} from "nexus-chat-client/node"

const keep: Keep = {load: async () => localStorage.getItem("session"), save: value => localStorage.setItem("session", value)}

export const signIn = async (): Promise<Nexus> => {
  try {
    return await Nexus.resume("https://chat.example.com", {keep})
  } catch (error) {
    if (error instanceof SignedOutError && error.reason === "sessionEnded") return Nexus.signIn("https://chat.example.com", {userId: "ada", password: "…", keep})
    throw error
  }
}

export const tokens = (user: {getIdToken(force: boolean): Promise<string>}): Nexus =>
  new Nexus("https://chat.example.com", {token: async refused => user.getIdToken(refused !== null)})

export const ask = async (nexus: Nexus): Promise<Answer | null> => {
  const sources: Source[] = []
  for await (const event of nexus.ask("When?", {topK: 3, from: "2026-01-01T00:00:00Z"})) {
    if (event.type === "sources") sources.push(...event.sources)
    else if (event.type === "text") console.log(event.text.length)
    else if (event.type === "support") console.log(event.sentences.map(sentence => sentence.support === "contradicted"))
    else if (event.type === "outdated") console.log(event.by.messageId, event.source.excerpt)
    else if (event.type === "done") return event.answer
  }
  return null
}

export const follow = async (nexus: Nexus, cursor: string | null): Promise<string | null> => {
  const feed = nexus.feed({cursor, transport: "events"})
  const take = (event: FeedEvent): Message[] => {
    if (event.type !== "changes") return []
    return event.changes.flatMap(change => (change.type === "message" ? [change.message] : []))
  }
  for await (const event of feed) {
    if (event.type === "presence") console.log(event.people.map(({userId, status}) => `${userId} ${status}`))
    if (take(event).length) break
  }
  return feed.cursor
}

export const chat = async (nexus: Nexus): Promise<void> => {
  const chat = nexus.chat()
  const end = chat.onChange(ids => {
    if (!ids.has("pier")) return
    for (const message of chat.messages("pier")) console.log(message.pending ? message.localId : message.senderName, message.text)
  })
  await chat.open("pier")
  const {seq} = await chat.post("pier", {text: "hello", replyTo: "m1"})
  console.log(seq + 1, chat.conversations[0]?.unreadCount, chat.connection.state)
  end()
}

export const unsent = async (nexus: Nexus): Promise<string[]> => {
  const stores: Store[] = [new WebStore(), new WebStore(sessionStorage, "app "), new FileStore("unsent"), new Map<string, string>()]
  const chat = nexus.chat({store: stores[0], transport: "events"})
  const refused = chat.waiting.filter(({error}) => error instanceof NexusError && error.code === "conversation_forbidden")
  for (const {conversationId, localId} of refused) chat.discard(conversationId, localId)
  return refused.map(({text}) => text ?? "")
}

export const openID = async (open: (address: string) => Promise<URL>): Promise<Nexus> => {
  const begun = await Nexus.beginOpenID("https://chat.example.com")
  return Nexus.finishOpenID("https://chat.example.com", {begun, redirectedTo: await open(begun.url), keep})
}

export const rest = async (nexus: Nexus): Promise<void> => {
  const {items} = await nexus.items("decisions", {conversationId: "pier", limit: 10})
  await nexus.changeItem("action-items", "pier", "i1", {status: "done"})
  const readers = (await nexus.receipts("pier", "m1")).readBy
  const file = await nexus.upload(new Blob(["a"]), {name: "a.txt"})
  const members = await nexus.request<{members: unknown[]}>("GET", ["conversations", "pier", "members"], {query: {limit: 100}})
  try {
    await nexus.post("pier", {text: "", attachments: [file.id]}, {retryFor: Infinity})
  } catch (error) {
    if (error instanceof NexusError) console.log(error.code, error.retryAfter, error.localId)
  }
  console.log(items[0]?.decision, readers.length, members.members.length)
  // @ts-expect-error a reason that there is not
  console.log(nexus.signedOut === "expired")
}
