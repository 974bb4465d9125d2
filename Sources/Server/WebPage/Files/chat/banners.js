// Banners of new notifications: three at once at most, four seconds each, paused while pointed at or focused.
import {h, patch} from "../lib/dom.js"
import {t} from "../lib/text.js"
import {go, link, route} from "../lib/router.js"
import {plainText} from "../lib/plain.js"
import {avatar, iconButton} from "../lib/ui.js"
import {store} from "../data/store.js"
import {titleOf} from "./conversations.js"

const SHOWN = 3, LIFE = 4_000, STEP = 200

export const banners = (container, announce) => {
  const newest = () => store.notifications.reduce((most, {id}) => Math.max(most, id), 0)
  // What was there before this browser knew anything is not news.
  let queue = [], last = store.isFilled ? newest() : null, timer = null, isPaused = false
  const drop = id => {
    queue = queue.filter(banner => banner.id !== id)
    render()
  }
  const open = ({id, conversationId, messageId, kind}) => {
    drop(id)
    if (kind === "reminder") store.dismiss(id).catch(() => {})
    go(kind === "item" ? "#/items" : link("conversation", conversationId, "message", messageId))
  }
  const banner = notification => {
    const {id, kind, senderId, senderName, text, conversationId} = notification
    const conversation = store.conversation(conversationId)
    const place = conversation?.kind === "group" ? titleOf(conversation) : null
    return h("div", {key: id, class: "banner"},
      h("button", {type: "button", class: "plain grow", on: {click: () => open(notification)}},
        avatar(senderId, senderName, {size: "small"}),
        h("span", {class: "grow lines"},
          h("span", {class: "cut"}, h("bdi", {class: "name"}, senderName), place && [" · ", h("bdi", null, place)]),
          h("span", {class: "cut", dir: "auto"}, ["mention", "reply", "item", "reminder"].includes(kind) && h("span", {class: "hint"}, t(`banner.${kind}`), " "), plainText(text)))),
      iconButton("close", t("shell.close"), () => drop(id)))
  }
  const render = () => {
    patch(container, queue.slice(0, SHOWN).map(banner))
    if (!queue.length) {
      clearInterval(timer)
      timer = null
      isPaused = false
    } else timer ??= setInterval(tick, STEP)
  }
  const tick = () => {
    if (isPaused || document.hidden) return
    const before = queue.length
    for (const shown of queue.slice(0, SHOWN)) shown.left -= STEP
    queue = queue.filter(({left}) => left > 0)
    if (queue.length !== before) render()
  }
  const pause = value => () => {
    isPaused = value
  }
  const listeners = {pointerenter: pause(true), pointerleave: pause(false), focusin: pause(true), focusout: pause(false)}
  for (const [name, fn] of Object.entries(listeners)) container.addEventListener(name, fn)

  const isOnScreen = id => !document.hidden && route.name === "conversation" && route.id === id
  const changed = () => {
    if (!store.isFilled) return
    last ??= newest()
    const known = new Set(store.notifications.map(({id}) => id))
    const fresh = store.notifications.filter(({id, kind, senderId, conversationId}) =>
      id > last && (kind === "reminder" || senderId !== store.session.user?.id && !isOnScreen(conversationId)))
    last = Math.max(last, newest())
    queue = queue.filter(({id}) => known.has(id))
    for (const notification of fresh.sort((a, b) => a.id - b.id)) {
      queue.push({...notification, left: LIFE})
      const conversation = store.conversation(notification.conversationId)
      const {senderName: name, kind} = notification, text = (kind === "reminder" ? t("banner.reminder") + " " : "") + plainText(notification.text)
      const place = conversation?.kind === "group" ? titleOf(conversation) : null
      announce(place ? t("banner.spoken", {name, place, text}) : `${name}: ${text}`)
      if (document.hidden) store.notify({...notification, title: place ? `${name} · ${place}` : name, body: text})
    }
    if (!isPaused) queue = queue.slice(-SHOWN)
    render()
  }
  const off = store.on("notifications", changed)
  return {
    close: () => {
      off()
      queue = []
      render()
      for (const [name, fn] of Object.entries(listeners)) container.removeEventListener(name, fn)
    },
  }
}
