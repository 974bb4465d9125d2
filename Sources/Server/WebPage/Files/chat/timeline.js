// A conversation: opens at the first unread message, at a given one, or at the end.
import {h} from "../lib/dom.js"
import {attempt} from "../lib/dialog.js"
import {t} from "../lib/text.js"
import {sentence} from "../data/errors.js"
import {store} from "../data/store.js"
import {titleOf} from "./conversations.js"
import {chatView} from "./view.js"

export const timeline = (container, id, messageId = null) => {
  let isOpen = true, view
  const page = () => store.messages(id) ?? {items: []}
  const name = () => {
    const conversation = store.conversation(id)
    return conversation ? titleOf(conversation) : ""
  }
  const quietly = work => work.catch(() => {})
  const source = {
    items: () => page().items, hasOlder: () => page().hasOlder, hasNewer: () => page().hasNewer,
      isLoading: () => page().isLoading,
    loadOlder: () => quietly(store.loadOlder(id)), loadNewer: () => quietly(store.loadNewer(id)),
    toNewest: () => store.load(id), jump: wanted => store.jump(id, wanted),
    label: () => t("chat.messagesOf", {name: name()}), writeLabel: () => t("chat.writeTo", {name: name()}),
    keys: [`messages:${id}`],
    suggest: anchor => attempt(async () => {
      const {suggestReplies} = await import("../assistant/replies.js")
      await suggestReplies(anchor, id, text => isOpen && view.writer.insert(text))
    }),
    head() {
      const {items, hasOlder, isLoading, error} = page()
      if (error) {
        return h("div", {class: "state", role: "alert"}, h("p", null, sentence(error)),
          h("button", {type: "button", on: {click: () => quietly(items.length ? store.loadOlder(id) : store.load(id))}}, t("chat.retry")))
      }
      if (isLoading && (hasOlder || !items.length)) return h("p", {class: "state"}, t("chat.loading"))
      if (hasOlder) return h("p", {class: "state"})
      return h("p", {class: "state"}, items.length ? t("chat.beginning") : t("chat.empty"))
    },
  }
  // After a reading position that another device moved, the first message may not be known here.
  const firstUnread = async ({unreadCount, firstUnreadId} = {}) => {
    if (!unreadCount || firstUnreadId) return unreadCount ? firstUnreadId : null
    const path = `/v1/conversations/${encodeURIComponent(id)}/messages`
    const page = await store.api.request("GET", path, {query: {around: "unread", limit: 1}}).catch(() => null)
    return page?.firstUnreadId
  }
  const open = async () => {
    await store.arrival(id)
    const before = store.conversation(id)
    if (messageId && await view.jump(messageId)) return
    const firstUnreadId = await firstUnread(before ?? {})
    if (!isOpen) return
    // A person who has sent something meanwhile sees that.
    if (firstUnreadId && !view.ctx.hasSent) {
      view.ctx.newFrom = firstUnreadId
      try {
        await store.jump(id, firstUnreadId)
        if (isOpen && !view.ctx.hasSent) await view.jump(firstUnreadId, {isFocusing: false, align: "third", isMarked: false})
        if (!view.ctx.hasSent) return
      } catch {
        // Offline: what is on this device is shown.
      }
    }
    await quietly(store.load(id))
    if (isOpen) view.toEnd()
  }
  view = chatView(container, id, source)
  view.ctx.isOpening = true
  open().finally(() => {
    view.ctx.isOpening = false
    view.changed()
  })
  return {
    focusComposer: view.focusComposer, focusMessage: view.focusMessage, addFiles: view.writer.addFiles,
    jump: view.jump,
    close() {
      isOpen = false
      view.close()
    },
  }
}
