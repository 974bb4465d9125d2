// A thread beside its conversation: the first message and all replies.
import {h} from "../lib/dom.js"
import {t} from "../lib/text.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import {chatView} from "./view.js"

const compare = (a, b) => (a.seq ?? (a.state ? Infinity : 0)) - (b.seq ?? (b.state ? Infinity : 0)) || (a.timestamp < b.timestamp ? -1 : 1)

export const thread = (container, id, root) => {
  let isOpen = true, isLoading = true, error = null, loaded = [], items = [], count, timer, view
  const collect = () => {
    const live = (store.messages(id)?.items ?? []).filter(m => m.id === root || m.threadRoot === root)
    const byKey = new Map(loaded.map(m => [m.id, m]))
    const ids = new Set(live.map(m => m.id))
    for (const m of live) byKey.set(m.id ?? m.localId, m)
    items = [...byKey.values()].sort((a, b) => (a.id === root ? -1 : b.id === root ? 1 : compare(a, b)))
    const first = items.find(m => m.id === root)
    // Replies outside of the window of the conversation come and go without a message here.
    if (first && count !== undefined && first.replyCount !== count &&
      !ids.has(items.at(-1)?.id)) timer ??= setTimeout(load, 1_000)
    count = first?.replyCount
    return items
  }
  const load = async () => {
    timer = null
    const path = `/v1/conversations/${encodeURIComponent(id)}/messages/${encodeURIComponent(root)}`
    try {
      const replies = []
      let after, first = store.messages(id).items.find(m => m.id === root)
      do {
        const page = await store.api.request("GET", `${path}/replies`, {query: {limit: 200, after}})
        replies.push(...page.messages)
        after = page.next
      } while (after && isOpen)
      // The first message may be deleted; its replies are shown without it.
      first ??= await store.api.request("GET", path).catch(failure => {
        if (failure.code !== "message_not_found") throw failure
        return null
      })
      loaded = [first, ...replies.filter(m => m.threadRoot === root || m.replyTo === root)].filter(Boolean)
      error = null
    } catch (failure) {
      error = failure
    }
    isLoading = false
    if (!isOpen) return
    view.changed()
  }
  view = chatView(container, id, {
    items: collect, hasOlder: () => false, hasNewer: () => false, isLoading: () => isLoading, loadOlder() {},
      loadNewer() {},
    toNewest: async () => {}, jump: async () => { throw error ?? new Error("missing") },
    label: () => t("chat.thread"), writeLabel: () => t("chat.writeThread"),
    keys: [`messages:${id}`],
    head: () => isLoading || error
      ? h("p", {class: "state", role: error ? "alert" : null}, error ? sentence(error) : t("chat.loading"))
      : h("p", {class: "state"}, items.length && items[0].id !== root ? [t("chat.gone"), " "] : null,
        t("chat.replies", {count: items.filter(m => m.id !== root).length})),
  }, root)
  load()
  return {
    focusComposer: view.focusComposer,
    close() {
      isOpen = false
      clearTimeout(timer)
      view.close()
    },
  }
}
