// The list of conversations: a window of rows of one height, a filter, and the archive behind a button.
import {h, View} from "../lib/dom.js"
import {t, shortTime, dateTime} from "../lib/text.js"
import {go, link} from "../lib/router.js"
import {icon} from "../lib/icons.js"
import {plainReady, plainText} from "../lib/plain.js"
import {attempt, opened} from "../lib/dialog.js"
import {fold} from "../lib/ranked.js"
import {avatar, button, iconButton, menuButton, openMenu} from "../lib/ui.js"
import {store} from "../data/store.js"

const MARGIN = 4

export const newConversation = () => opened(() => import("./new.js"), part => part.newConversation())

export const titleOf = conversation => conversation.title || conversation.name || t("list.unnamed")
// The other person of a direct conversation, or null.
export const partnerOf = conversation =>
  conversation.kind === "direct"
    ? conversation.members?.find(member => member.userId !== store.session.user?.id) ?? conversation.members?.[0] ?? null
    : null
export const faceOf = (conversation, size) => {
  const partner = partnerOf(conversation)
  return partner
    ? avatar(partner.userId, titleOf(conversation), {status: store.presence(partner.userId)?.status, size})
    : avatar(conversation.id, titleOf(conversation), {kind: "group", size})
}
export const preferencesMenu = conversation => {
  const {id, preferences} = conversation
  const change = values => () => attempt(() => store.setPreferences(id, values))
  return [
    {label: t("list.pin"), isChecked: preferences.pinned, act: change({pinned: !preferences.pinned})},
    {label: t("list.mute"), isChecked: preferences.muted, act: change({muted: !preferences.muted})},
    {label: t("list.archive"), isChecked: preferences.archived, act: change({archived: !preferences.archived})},
  ]
}

export const conversationList = container => {
  const state = {filter: "", showsArchive: false, isUnreadOnly: false, selected: null, active: null, from: 0, count: 16}
  let view, scroller, rowHeight = 64
  const set = change => {
    Object.assign(state, change)
    view.update()
  }
  const visible = () => {
    const wanted = fold(state.filter.trim())
    return store.conversations.filter(conversation => {
      // What is being read stays until another conversation is opened.
      const {id, unreadCount, mentionCount} = conversation
      const isHidden = state.isUnreadOnly && !unreadCount && !mentionCount && id !== state.selected
      if (!wanted) return !!conversation.preferences?.archived === state.showsArchive && !isHidden
      return fold([titleOf(conversation), ...(conversation.members ?? []).map(member => member.name)].join(" ")).includes(wanted)
    })
  }
  const measure = () => {
    rowHeight = scroller.querySelector(".conversation")?.offsetHeight || rowHeight
    const from = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - MARGIN)
    const count = Math.ceil((scroller.clientHeight || innerHeight) / rowHeight) + 2 * MARGIN
    if (from !== state.from || count !== state.count) set({from, count})
  }

  const preview = ({id, kind, lastMessage}) => {
    const draft = store.draft(id)
    if (draft?.trim?.() && id !== state.selected) return [h("em", {class: "draft"}, t("list.draft")), " ", h("bdi", null, draft)]
    if (!lastMessage) return t("list.nothing")
    const own = lastMessage.senderId === store.session.user?.id
    const who = own ? t("list.you") : kind === "direct" ? "" : lastMessage.senderName.split(/\s/)[0]
    const files = lastMessage.attachments?.length
    return [who && h("bdi", null, `${who}: `), files ? h("span", null, icon("attach"), " ") : null,
      h("bdi", null, plainText(lastMessage.text ?? "") || lastMessage.attachments?.[0]?.name || "")]
  }
  const row = (conversation, index, total) => {
    const {id, unreadCount, mentionCount, preferences, lastMessage, activeAt} = conversation
    const when = lastMessage?.timestamp ?? activeAt
    const isMuted = preferences?.muted
    const isOnline = partnerOf(conversation) && store.presence(partnerOf(conversation).userId)?.status === "online"
    return h("li", {key: id, class: "conversation", style: {"inset-block-start": `${index * rowHeight}px`}, "aria-setsize": total, "aria-posinset": index + 1},
      h("a", {
        href: link("conversation", id), class: unreadCount && !isMuted ? "unread" : "", draggable: "false",
        "aria-current": id === state.selected ? "page" : null, tabindex: id === state.active ? "0" : "-1", "data-index": index,
        on: {focus: () => set({active: id}), contextmenu: event => {
          event.preventDefault()
          openMenu(event.target.closest("a"), preferencesMenu(conversation))
        }},
      },
      faceOf(conversation),
      h("span", {class: "grow lines"},
        h("span", {class: "row"},
          h("bdi", {class: "name cut grow"}, titleOf(conversation)),
          isOnline && h("span", {class: "sr"}, t("head.online")),
          preferences?.pinned && h("span", {title: t("list.pinned")}, icon("pin"), h("span", {class: "sr"}, t("list.pinned"))),
          isMuted && h("span", {title: t("list.muted")}, icon("mute"), h("span", {class: "sr"}, t("list.muted"))),
          when && h("time", {class: "hint", datetime: when, title: dateTime(when)}, shortTime(when))),
        h("span", {class: "row"},
          h("span", {class: "preview cut grow", dir: "auto"}, preview(conversation)),
          mentionCount > 0 && h("span", {class: "badge"}, "@", h("span", {class: "sr"}, t("list.mentions", {count: mentionCount}))),
          unreadCount > 0 && h("span", {class: `badge ${isMuted ? "muted" : ""}`}, h("span", {"aria-hidden": "true"}, unreadCount > 99 ? "99+" : unreadCount),
            h("span", {class: "sr"}, t("list.unreadCount", {count: unreadCount})))))))
  }

  const keydown = event => {
    const all = visible()
    const at = all.findIndex(({id}) => id === state.active)
    const page = Math.max(1, Math.floor(scroller.clientHeight / rowHeight) - 1)
    const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1, PageDown: at + page, PageUp: at - page}[event.key]
    if (to === undefined || event.altKey || !all.length) return
    event.preventDefault()
    focusRow(Math.max(0, Math.min(to, all.length - 1)))
  }
  const focusRow = index => {
    const top = index * rowHeight
    if (top < scroller.scrollTop) scroller.scrollTop = top
    else if (top + rowHeight > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + rowHeight - scroller.clientHeight
    state.active = visible()[index]?.id ?? null
    measure()
    view.now()
    scroller.querySelector(`[data-index="${index}"]`)?.focus({preventScroll: true})
  }
  const filterKey = event => {
    const all = visible()
    if (event.key === "ArrowDown" && all.length) {
      event.preventDefault()
      focusRow(0)
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (all.length) go(link("conversation", all[0].id))
      else if (state.filter.trim()) go(link("search", {q: state.filter.trim()}))
    } else if (event.key === "Escape" && state.filter) {
      event.preventDefault()
      set({filter: ""})
    }
  }

  view = new View(container, () => {
    const all = visible()
    const archived = store.conversations.filter(({preferences}) => preferences?.archived).length
    if (!all.some(({id}) => id === state.active)) state.active = all.find(({id}) => id === state.selected)?.id ?? all[0]?.id ?? null
    const shown = all.map((conversation, index) => [conversation, index])
      .filter(([{id}, index]) => (index >= state.from && index < state.from + state.count) || id === state.active)
    return [
      h("header", {class: "head"},
        h("h1", {class: "grow cut"}, t(state.showsArchive ? "list.archived" : "shell.chats")),
        menuButton(t("list.more"), () => [
          {label: t("list.onlyUnread"), isChecked: state.isUnreadOnly, act: () => set({isUnreadOnly: !state.isUnreadOnly, from: 0})},
          {label: t("list.readAll"), icon: "checks", act: () => store.markAllRead()},
          {label: t("shell.activity"), icon: "bell", act: () => go("#/activity")},
          {label: t("shell.people"), icon: "person", act: () => go("#/people")},
        ]),
        iconButton("edit", t("list.new"), newConversation)),
      h("div", {class: "filter"}, icon("search"),
        h("input", {type: "search", value: state.filter, placeholder: t("list.filter"), "aria-label": t("list.filter"),
          on: {input: event => {
            scroller.scrollTop = 0
            set({filter: event.target.value, from: 0})
          }, keydown: filterKey}})),
      h("div", {class: "scroller", ref: el => {
        scroller = el
      }, on: {scroll: measure, keydown}},
      h("ul", {role: "list", "aria-label": t("shell.chats"), style: {"block-size": `${all.length * rowHeight}px`}},
        shown.map(([conversation, index]) => row(conversation, index, all.length))),
      !all.length && h("p", {class: "quiet none"}, t(state.filter ? "list.noMatch" : state.isUnreadOnly ? "list.allRead" : "list.empty")),
      state.filter.trim() && h("a", {class: "more", href: link("search", {q: state.filter.trim()})}, icon("search"), t("list.searchMessages", {text: state.filter.trim()})),
      !state.filter && (archived > 0 || state.showsArchive) &&
        h("button", {type: "button", class: "plain more", on: {click: () => set({showsArchive: !state.showsArchive})}},
          icon(state.showsArchive ? "back" : "archive"), state.showsArchive ? t("list.toChats") : t("list.toArchive", {count: archived}))),
    ]
  }, ["conversations", "presence", "session"], store)
  const resize = new ResizeObserver(measure)
  resize.observe(scroller)
  plainReady.then(() => {
    view.update()
    // After the words: initials stand where pictures come.
    return import("./faces.js")
  }).catch(() => {})
  const clock = setInterval(() => view.update(), 60_000)

  const watch = () => store.watch(store.conversations.map(partnerOf).filter(Boolean).map(({userId}) => userId).slice(0, 200))
  const off = store.on("conversations", watch)
  watch()
  return {
    visible,
    select: id => {
      if (id === state.selected) return
      state.active = id ?? state.active
      set({selected: id})
    },
    close: () => {
      off()
      clearInterval(clock)
      resize.disconnect()
      view.close()
    },
  }
}
