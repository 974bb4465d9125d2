// The frame of the page: navigation, three panes by width, keyboard, title, connection.
import {h, patch, View} from "../lib/dom.js"
import {dateTime, t} from "../lib/text.js"
import {go, link, onRoute, route} from "../lib/router.js"
import {Pane} from "../lib/pane.js"
import {icon} from "../lib/icons.js"
import {announce, opened, toast} from "../lib/dialog.js"
import {avatar, button, empty, iconButton, openMenu} from "../lib/ui.js"
import {store} from "../data/store.js"
import {conversationList} from "./conversations.js"
import {header} from "./header.js"
import {banners} from "./banners.js"

const SIDES = {thread: "shell.thread", details: "shell.details", assistant: "shell.assistant"}
const WIDE_PAGES = new Set(["settings", "administration", "assistant"])

export const mount = (container, parts) => {
  const offs = []
  let list, head, main, side, shown = null, wasShown = false, thread = null
  const elements = {}
  const ref = name => el => {
    elements[name] = el
  }

  const place = () => {
    if (route.name === "conversation" && route.id) return SIDES[route.part] ? "side" : "main"
    return route.name && route.name !== "sign-in" ? "main" : "list"
  }
  const nav = [
    ["", "chats", "thread", "#/"], ["assistant", "assistant", "spark"], ["search", "search", "search"], ["items", "items", "list"],
    ["administration", "administration", "shield"], ["settings", "settings", "gear"],
  ]
  const isCurrent = name => route.name === name || (!name && route.name === "conversation")
  const entry = ([name, key, picture, href = link(name)]) => {
    const unread = name ? 0 : unreadCount()
    return h("a", {key, href, class: `to-${key}`, "aria-current": isCurrent(name) ? "page" : null},
      icon(picture), h("span", null, t(`shell.${key}`)), " ",
      unread > 0 && h("span", {class: "badge"}, unread > 99 ? "99+" : unread, h("span", {class: "sr"}, ` ${t("shell.unread")}`)))
  }
  const isPage = () => route.name && (parts[route.name] ?? nav.some(([name]) => name === route.name))
  const mainLabel = () => isPage() ? `shell.${route.name}` : "shell.conversation"
  const render = () => {
    const {user} = store.session
    const view = place()
    return [
      h("div", {key: "connection", class: "connection-slot", role: "status"}, connection()),
      passwordLink(),
      h("div", {key: "shell", class: `shell at-${view} ${WIDE_PAGES.has(route.name) ? "no-list" : ""} ${route.name === "conversation" ? "in-conversation" : ""}`},
        h("nav", {class: "rail", "aria-label": t("shell.navigation"), ref: ref("rail")},
          nav.filter(([name]) => name !== "administration" || user?.role === "administrator").map(entry),
          h("button", {type: "button", class: "plain me", "aria-haspopup": "menu", "aria-label": t("shell.account", {name: user?.name}),
            on: {click: event => openMenu(event.currentTarget, account())}}, avatar(user?.id ?? "", user?.name ?? ""))),
        h("main", {class: "panes"},
          h("section", {class: "pane list", tabindex: "-1", "aria-label": t("shell.chats"), ref: ref("list"), opaque: true}),
          h("section", {class: "pane main", tabindex: "-1", "aria-label": t(mainLabel()), ref: ref("main")},
            h("div", {class: "head-slot", opaque: true, ref: ref("head")}),
            h("div", {class: "slot", opaque: true, ref: ref("mainSlot")})),
          h("section", {class: "pane side", tabindex: "-1", "aria-label": t(SIDES[route.part] ?? "shell.details"), hidden: view !== "side", ref: ref("side")},
            h("header", {class: "head"},
              h("a", {class: "icon-link back", href: link("conversation", route.id), "aria-label": t("shell.back")}, icon("back")),
              h("h1", {class: "grow cut"}, t(SIDES[route.part] ?? "shell.details")),
              iconButton("close", t("shell.close"), () => go(link("conversation", route.id)), {class: "close"})),
            h("div", {class: "slot", opaque: true, ref: ref("sideSlot")}))),
        h("div", {class: "banners", opaque: true, ref: ref("banners")})),
    ]
  }
  const account = () => [
    {label: t("shell.settings"), icon: "gear", act: () => go("#/settings")},
    {label: t("shell.help"), icon: "info", act: help},
    {label: t("shell.signOut"), icon: "lock", act: () => store.signOut()},
  ]

  // Somebody may have made a link that sets this person's password: the person is told while it is open.
  const passwordLink = () => {
    const link = store.session.passwordLink
    if (!link || new Date(link.expiresAt) < Date.now()) return null
    const {expiresAt, madeBy} = link
    const when = dateTime(expiresAt)
    return h("div", {key: "password-link", class: "connection password-link", role: "alert"},
      h("span", null, madeBy ? t("shell.passwordLinkBy", {who: madeBy, when}) : t("shell.passwordLink", {when})))
  }

  // Short gaps are nobody's business: the banner waits a second.
  let troubleSince = null, ticking
  const connection = () => {
    const {state, retryAt} = store.connection
    if (state === "live") {
      troubleSince = null
      return null
    }
    troubleSince ??= Date.now()
    clearTimeout(ticking)
    ticking = setTimeout(() => frame.update(), 1_000)
    if (Date.now() - troubleSince < 1_000) return null
    const seconds = Math.ceil((new Date(retryAt) - Date.now()) / 1000)
    const isOffline = state === "offline"
    return h("div", {class: `connection ${state}`},
      h("span", null, t(`shell.${state}`)),
      isOffline && retryAt && seconds > 0 && h("span", {"aria-hidden": "true"}, t("shell.retryIn", {count: seconds})),
      isOffline && button(t("shell.retry"), () => store.retryNow(), "link"))
  }

  const unreadCount = () => store.conversations.reduce((sum, {unreadCount, mentionCount, preferences}) =>
    sum + (preferences?.archived || preferences?.muted ? mentionCount : unreadCount), 0)
  const title = () => {
    const unread = unreadCount()
    const conversation = route.name === "conversation" && store.conversation(route.id)
    const place = conversation ? conversation.title ?? conversation.name : isPage() ? t(`shell.${route.name}`) : ""
    document.title = `${unread ? `(${unread > 99 ? "99+" : unread}) ` : ""}${place ? `${place} · ` : ""}Nexus`
  }

  // The conversation of the address is none of this person's: it never was, or it ended.
  let isLost = false
  const lost = () => route.name === "conversation" && !!route.id && store.connection.state === "live" && !store.conversation(route.id)
  const recheck = () => {
    title()
    if (isLost !== lost()) show()
  }
  const notice = (target, render) => {
    const view = new View(target, render)
    return {close: () => view.close()}
  }
  const welcome = target => notice(target, () => empty(t("shell.welcome"), t("shell.welcomeHow"),
      h("div", {class: "row"}, h("a", {class: "button primary", href: "#/assistant"}, icon("spark"), t("shell.askNexus")),
        button(t("shell.keys"), help))))
  const mountPart = (module, target) => module.mount(target, route)
  const show = () => {
    frame.now()
    const {name, id, part, partId} = route
    const isIn = name === "conversation" && id
    if (shown !== (isIn ? id : null)) {
      shown = isIn ? id : null
      store.open(shown)
    }
    head.show(isIn ? id : null)
    list.select(isIn ? id : null)
    isLost = lost()
    if (isLost) main.show("lost", async () => null, (_, target) => notice(target, () => h("p", {class: "notice"}, t("head.unknown"))))
    else if (isIn) {
      main.show(`timeline ${id}`, parts.timeline, (module, target) => {
        const timeline = module.timeline(target, id, route.part === "message" ? route.partId : null)
        if (part !== "message" && matchMedia("(width >= 48rem) and (pointer: fine)").matches) timeline.focusComposer?.()
        return {
          close: () => timeline.close(),
          update: ({part, partId}) => part === "message" && timeline.jump?.(partId),
          focusMessage: timeline.focusMessage, addFiles: timeline.addFiles,
        }
      }, route)
    } else if (name === "settings") main.show("settings", () => import("./settings.js"), mountPart, route)
    else if (parts[name]) main.show(name, parts[name], mountPart, route)
    else main.show("welcome", async () => null, (_, target) => welcome(target))
    if (isLost) side.close()
    else if (isIn && part === "thread") side.show(`thread ${id} ${partId}`, parts.thread, (module, target) => {
      const part = module.thread(target, id, partId)
      // Who opened a thread wants to write in it; on touch screens the keyboard would cover it.
      if (wasShown && matchMedia("(pointer: fine)").matches) part.focusComposer()
      return part
    })
    else if (isIn && part === "details") side.show(`details ${id}`, () => import("./details.js"), mountPart, route)
    else if (isIn && part === "assistant") side.show(`assistant ${id}`, parts.assistant, mountPart, route)
    else side.close()
    title()
    const left = thread
    thread = isIn && part === "thread" ? partId : null
    // A pane that was hidden or closed took the focus with it.
    if (wasShown) setTimeout(() => {
      const focused = document.activeElement
      const isLost = !focused || focused === document.body || !focused.checkVisibility()
      if (isLost && !(left && !thread && main.part?.focusMessage?.(left))) elements[place()].focus()
    })
    wasShown = true
  }

  const FOCUSABLE = ["textarea", "[aria-current=page]", "a[tabindex='0']", "a[href], button, input, select, [tabindex='0']"]
  const focusIn = element => {
    const targets = FOCUSABLE.flatMap(selector => [...element.querySelectorAll(selector)])
    const target = targets.find(el => el.checkVisibility() && !el.disabled)
    ;(target ?? element).focus()
  }
  const movePane = back => {
    const panes = ["rail", "list", "main", "side"].map(name => elements[name]).filter(el => el?.checkVisibility({visibilityProperty: true}))
    const at = panes.findIndex(pane => pane.contains(document.activeElement))
    const next = panes[(at + (back ? -1 : 1) + panes.length) % panes.length]
    focusIn(next)
  }
  const step = (by, onlyUnread) => {
    const all = list.visible()
    const at = all.findIndex(({id}) => id === shown)
    for (let i = at + by; i >= 0 && i < all.length; i += by) {
      if (!onlyUnread || all[i].unreadCount) return go(link("conversation", all[i].id))
    }
  }
  const toSwitch = () => opened(() => import("./switcher.js"), ({switcher}) => switcher({current: shown, help, search}))
  const search = text => {
    go(text ? link("search", {q: text}) : "#/search")
    setTimeout(() => elements.main.querySelector("input")?.focus(), 150)
  }
  const keydown = event => {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]")
    const isDialog = document.querySelector("dialog[open]")
    const command = event.ctrlKey || event.metaKey
    let act
    if (isDialog) return
    if (event.key === "F6") act = () => movePane(event.shiftKey)
    else if (command && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") act = toSwitch
    else if (event.altKey && !command && event.key === "ArrowUp") act = () => step(-1, event.shiftKey)
    else if (event.altKey && !command && event.key === "ArrowDown") act = () => step(1, event.shiftKey)
    else if (event.key === "?" && !isTyping && !command) act = help
    else if (event.key === "Escape" && elements.side.contains(event.target) && !event.defaultPrevented) act = () => go(link("conversation", route.id))
    if (!act) return
    event.preventDefault()
    act()
  }
  addEventListener("keydown", keydown)
  // Without this the browser leaves the page and shows a file that misses the conversation.
  const hasFiles = ({dataTransfer}) => [...dataTransfer?.types ?? []].includes("Files")
  const dragover = event => {
    if (!hasFiles(event)) return
    event.preventDefault()
    dragged(event.target.closest?.(".conversation a") ?? null)
  }
  const drop = event => {
    if (event.defaultPrevented || !hasFiles(event)) return
    event.preventDefault()
    dragged(null)
    if (document.querySelector("dialog[open]")) return
    const files = [...event.dataTransfer.files], place = rowOf(event)
    if (place) return addTo(place, files)
    if (main.part?.addFiles) main.part.addFiles(files)
    else toast(t("shell.dropWhere"))
  }
  // A conversation of the list takes files too: it is opened with them.
  const rowOf = event => event.target.closest?.(".conversation a")?.hash
  const addTo = (hash, files, tries = 100) => {
    if (hash !== location.hash) go(hash)
    const id = decodeURIComponent(hash.split("/")[2])
    if (main.key === `timeline ${id}` && main.part) main.part.addFiles(files)
    else if (tries) setTimeout(addTo, 50, hash, files, tries - 1)
  }
  let over = null
  const dragged = row => {
    if (over === row) return
    over?.classList.remove("dropping")
    over = row
    over?.classList.add("dropping")
  }
  const dragleave = event => !event.relatedTarget && dragged(null)
  addEventListener("dragover", dragover)
  addEventListener("drop", drop)
  addEventListener("dragleave", dragleave)

  const frame = new View(container, render, ["connection", "session", "conversations"], store)
  list = conversationList(elements.list)
  head = header(elements.head)
  main = new Pane(elements.mainSlot)
  side = new Pane(elements.sideSlot)
  const shownBanners = banners(elements.banners, announce)
  offs.push(store.on("scheduled", () => store.hasScheduled && import("./later.js").then(({tellRefused}) => tellRefused()).catch(() => {})), onRoute(show), store.on("conversations", recheck), store.on("connection", recheck),
    () => removeEventListener("keydown", keydown), () => removeEventListener("dragover", dragover), () => removeEventListener("drop", drop), () => removeEventListener("dragleave", dragleave))
  show()
  return {
    close: () => {
      for (const off of offs) off()
      clearTimeout(ticking)
      for (const part of [list, head, main, side, shownBanners]) part.close()
      store.open(null)
      document.title = "Nexus"
      frame.close()
    },
  }
}

const help = () => opened(() => import("./help.js"), part => part.help())
