// Smart replies above the composer: up to three texts to choose from.
import {h, View} from "../lib/dom.js"
import {t} from "../lib/text.js"
import {store} from "../data/store.js"
import {at, button, call, timeZone} from "./common.js"

let hasModel = true   // a server without a language model is asked once

// Calls choose(text) with a chosen reply. Nothing is shown while there are none.
export const smartReplies = (container, conversationId, choose) => {
  let replies = []
  let last = null
  let timer = 0
  let controller = null
  const pick = text => {
    show([])
    choose(text)
  }
  const view = new View(container, () => replies.length > 0
    && h("div", {class: "smart-replies", role: "group", "aria-label": t("assistant.replies")},
      replies.map((text, i) => button(text, () => pick(text), {key: i, dir: "auto"}))))
  const show = list => {
    replies = list
    view.update()
  }
  const load = async () => {
    controller = new AbortController()
    try {
      const reply = await call("POST", at("conversations", conversationId, "smart-replies"), {timeZone: timeZone()},
        {signal: controller.signal})
      if (reply.reason === "no_language_model") hasModel = false
      show(reply.replies)
    } catch {
      show([])
    }
  }
  const check = () => {
    const {items, hasNewer} = store.messages(conversationId) ?? {items: [], hasNewer: true}
    const message = !hasNewer && items.findLast(one => !one.threadRoot)
    if (!message || message.id === last) return
    const isFirst = last === null
    last = message.id
    controller?.abort()
    clearTimeout(timer)
    if (replies.length) show([])
    const isOwn = message.senderId === store.session.user?.id
    if (!hasModel || isOwn || message.kind !== "text" || document.hidden || store.connection.state === "offline") return
    timer = setTimeout(load, isFirst ? 600 : 1_500)
  }
  const off = store.on(`messages:${conversationId}`, check)
  check()
  return {
    close() {
      off()
      clearTimeout(timer)
      controller?.abort()
      view.close()
    },
  }
}
