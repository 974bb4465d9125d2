// The head of a conversation: who, presence or typing, and what opens beside it.
import {h, View} from "../lib/dom.js"
import {t, ago, list} from "../lib/text.js"
import {opened} from "../lib/dialog.js"
import {go, link, route} from "../lib/router.js"
import {icon} from "../lib/icons.js"
import {menuButton} from "../lib/ui.js"
import {store} from "../data/store.js"
import {faceOf, partnerOf, preferencesMenu, titleOf} from "./conversations.js"

export const presenceText = presence => {
  if (presence?.status === "online" || presence?.status === "away") return t(`head.${presence.status}`)
  return presence?.lastSeen ? t("head.lastSeen", {when: ago(presence.lastSeen)}) : t("head.offline")
}

export const header = container => {
  let id = null
  const render = () => {
    const conversation = id && store.conversation(id)
    if (!id) return null
    const partner = conversation && partnerOf(conversation)
    const typists = store.typists(id).map(({name}) => name)
    const members = conversation?.memberCount ?? (conversation?.kind === "group" ? conversation.members?.length : 0)
    const line = typists.length ? t("head.typing", {count: typists.length, names: list(typists.slice(0, 3))})
      : partner ? presenceText(store.presence(partner.userId))
      : members ? t("head.members", {count: members}) : t(conversation?.visibility === "everyone" ? "head.open" : "head.group")
    const beside = (part, picture, label) => h("a", {class: "icon-link", title: label, "aria-label": label,
      href: route.part === part ? link("conversation", id) : link("conversation", id, part),
      "aria-current": route.part === part ? "true" : null}, icon(picture))
    return h("header", {class: "head"},
      h("a", {class: "icon-link back", href: "#/", "aria-label": t("shell.back")}, icon("back")),
      conversation && faceOf(conversation),
      h("div", {class: "grow"},
        h("h1", {class: "cut", dir: "auto"}, conversation ? titleOf(conversation) : t("shell.conversation")),
        conversation && h("p", {class: `hint cut ${typists.length ? "typing" : ""}`}, line)),
      conversation && beside("assistant", "spark", t("head.ask")),
      conversation && beside("details", "info", t("shell.details")),
      conversation && menuButton(t("head.more"), () => [
        {label: t("head.searchHere"), icon: "search", act: () => go(link("search", {in: id}))},
        {label: t("head.toDate"), icon: "clock", act: () => opened(() => import("./date.js"), ({goToDate}) => goToDate(id))},
        ...preferencesMenu(conversation),
      ]))
  }
  const view = new View(container, render, [], store)
  return {
    show: next => {
      id = next
      view.watch(id ? ["conversations", `conversation:${id}`, `typing:${id}`, "presence"] : [])
      view.now()
    },
    close: () => view.close(),
  }
}
