// One message as virtual nodes.
import {h} from "../lib/dom.js"
import {icon} from "../lib/icons.js"
import {markdown, plainText} from "../lib/markdown.js"
import {blockNodes, wordNodes} from "../lib/prose.js"
import {link} from "../lib/router.js"
import {dateTime, day, isSameDay, number, shortTime, t, time} from "../lib/text.js"
import {avatar, iconButton} from "../lib/ui.js"
import {attachments} from "./files.js"
import {citationsIn, excerpt, keyOf, placeOf, shortened, withoutSourceLines} from "./parts.js"

export const isOwn = (message, ctx) => message.senderId === ctx.me
export const sourcesOf = message => (message.kind === "assistant" && message.extra?.nexus?.sources) || []

const addressOf = (source, message) => link("conversation", source.conversationId ?? message.conversationId, "message",
  source.messageId)

// The text as nodes: links, mentions, citations and Markdown are elements, everything else stays text.
const textNodes = (message, text, ctx, tab, isLarge) => {
  const sources = sourcesOf(message)
  const mark = (range, words) => {
    if (range.kind === "mention") return h("span", {class: range.userId === ctx.me ? "mention me" : "mention"}, words)
    const source = sources.find(s => s.number === range.number)
    return h("a", {class: "citation", href: addressOf(source, message), tabindex: tab, title: sourceTitle(source),
      "aria-label": t("chat.source", {number: range.number, name: source.senderName})}, words)
  }
  const blocks = markdown(text, [...ctx.mentionsIn(text), ...citationsIn(text, sources.map(s => s.number))])
  const [only, other] = blocks
  return other || only?.kind !== "paragraph"
    ? h("div", {class: "text prose", dir: "auto"}, blockNodes(blocks, {mark, tab}))
    : h("p", {class: isLarge ? "text large" : "text", dir: "auto"}, wordNodes(only.nodes, {mark, tab}))
}
const sourceTitle = source => [source.senderName, source.conversationName,
  dateTime(source.timestamp)].filter(Boolean).join(", ")

const words = (message, ctx, tab) => {
  const sources = sourcesOf(message)
  const whole = sources.length ? withoutSourceLines(message.text, sources) : message.text
  if (!whole) return null
  const key = keyOf(message)
  const brief = shortened(whole)
  const isOpen = ctx.expanded.has(key)
  const shown = brief && !isOpen ? brief + "…" : whole
  return [
    textNodes(message, shown, ctx, tab, /^(\p{Extended_Pictographic}|\p{M}|\u200d|\s){1,8}$/u.test(whole)),
    brief && h("button", {class: "link", type: "button", tabindex: tab, "aria-expanded": isOpen,
      on: {click: () => ctx.expand(message)}},
      isOpen ? t("chat.less") : t("chat.more", {count: whole.length})),
    sources.length > 0 && h("ul", {class: "sources", "aria-label": t("chat.sources")}, sources.map(source =>
      h("li", null, h("a", {class: "chip", href: addressOf(source, message), tabindex: tab, title: sourceTitle(source)},
        h("b", null, String(source.number)), " ", h("bdi", null, source.senderName),
        source.isElsewhere && [" · ", h("bdi", null, source.conversationName)], " · ", shortTime(source.timestamp))))),
  ]
}

// The later message that replaces what an answer says.
const outdated = (message, ctx, tab) => {
  if (!message.outdated) return null
  const {by} = message.outdated
  const found = by.conversationId === message.conversationId && ctx.quote(by.messageId)
  return h("p", {key: "outdated", class: "outdated"}, h("strong", null, t("chat.outdated")), " ",
    h("a", {href: addressOf(by, message), tabindex: tab}, found
      ? [h("bdi", null, found.senderName), ": ", h("bdi", null, preview(found))] : t("chat.laterMessage")))
}

const quote = (message, ctx, tab) => {
  if (!message.replyTo || message.replyTo === ctx.root) return null
  const found = ctx.quote(message.replyTo)
  const isThread = ctx.isTimeline && message.threadRoot
  return h("button", {class: "cited quote", type: "button", tabindex: tab,
    on: {click: () => ctx.jump(message.replyTo)}},
    h("span", {class: "sr"}, t(isThread ? "chat.inThread" : "chat.replyTo"), " "),
    icon(isThread ? "thread" : "reply"),
    found ? [h("bdi", {class: "who"}, found.senderName), " ", h("span", {class: "excerpt", dir: "auto"},
      preview(found))]
      : h("span", {class: "excerpt"}, t(found === null ? "chat.gone" : "chat.earlier")))
}

const threadChip = (message, ctx, tab) => {
  if (!ctx.isTimeline) return null
  if (message.replyCount && (!message.threadRoot || message.threadRoot === message.id)) {
    return h("a", {class: "thread-chip", href: ctx.threadLink(message.id), tabindex: tab}, icon("thread"),
      t("chat.replies", {count: message.replyCount}), message.lastReplyAt && h("span", {class: "quiet"},
        shortTime(message.lastReplyAt)))
  }
  return message.threadRoot && message.threadRoot !== message.id
    ? h("a", {class: "thread-chip", href: ctx.threadLink(message.threadRoot), tabindex: tab}, icon("thread"),
      t("chat.thread"))
    : null
}

const reactions = (message, ctx, tab) =>
  message.reactions?.length > 0 && h("div", {class: "reactions"}, message.reactions.map(({emoji, userIds, count}) => {
    const isMine = userIds.includes(ctx.me)
    const names = userIds.slice(0, 12).map(ctx.nameOf)
    const total = count ?? userIds.length
    const who = total > names.length ? t("chat.andMore", {names: names.join(", "),
      count: total - names.length}) : names.join(", ")
    return h("button", {key: emoji, class: "reaction", type: "button", tabindex: tab, "aria-pressed": isMine,
      title: who,
      "aria-label": t("chat.reaction", {emoji, count: total, names: who}), on: {
        click: () => ctx.react(message, emoji, !isMine),
        contextmenu: event => { event.preventDefault(); ctx.showReactions(message) }}},
      h("span", {class: "emoji"}, emoji), " ", number(total))
  }), h("button", {key: "add", class: "reaction", type: "button", tabindex: tab, "aria-label": t("chat.react"),
    "aria-haspopup": "dialog",
    on: {click: event => ctx.pickReaction(message, event.currentTarget)}}, icon("smile")))

const status = (message, ctx, tab) => {
  const {state, failure} = message
  if (state || failure) {
    const sent = message.attachments.map(file => file.progress ?? 1)
    const progress = state === "sending" && sent.length ? sent.reduce((a, b) => a + b, 0) / sent.length : 1
    return h("div", {class: `status ${failure ? "failed" : state}`}, icon(failure ? "error" : "clock"),
      h("span", null, failure ? `${t("chat.failed")}: ${failure.sentence}`
        : progress < 1 ? t("chat.uploading", {percent: Math.round(progress * 100)}) : t(`chat.${state}`)),
      progress < 1 && h("progress", {max: 1, value: progress, "aria-label": t("chat.upload")}),
      failure && h("button", {class: "link", type: "button", tabindex: tab, on: {click: () => ctx.retry(message)}},
        t("chat.retry")),
      (failure || state === "queued") &&
        h("button", {class: "link", type: "button", tabindex: tab, on: {click: () => ctx.discard(message)}},
          t("chat.discard")))
  }
  if (!isOwn(message, ctx) || !message.status) return null
  const isNamed = message.status === "read" && message.readBy > 0 && ctx.memberCount > 2
  const label = isNamed ? t("chat.readBy", {count: message.readBy,
    total: ctx.memberCount - 1}) : t(`chat.${message.status}`)
  return h("button", {class: `status ${message.status}`, type: "button", tabindex: tab, title: label,
    "aria-label": label,
    on: {click: () => ctx.showReceipts(message)}}, icon(message.status === "sent" ? "check" : "checks"),
    keyOf(message) === ctx.lastOwn && h("span", null, label))
}

const tool = (name, label, keys, run) =>
  iconButton(name, label, run, keys ? {"aria-keyshortcuts": keys,
    title: `${label} (${keys})`} : {"aria-haspopup": "menu"})
const tools = (message, ctx) =>
  h("div", {class: "acts", key: "tools"},
    tool("smile", t("chat.react"), "+", event => ctx.pickReaction(message, event.currentTarget)),
    tool("reply", t("chat.reply"), "R", () => ctx.reply(message)),
    ctx.isTimeline && tool("thread", t("chat.thread"), "T", () => ctx.openThread(message)),
    tool("more", t("chat.actions"), null, event => ctx.menu(message, event.currentTarget)))

const editor = (message, ctx) =>
  h("form", {key: "editor", class: "editor", on: {submit: event => { event.preventDefault(); ctx.saveEdit() }}},
    h("textarea", {key: "field", "aria-label": t("chat.editing"), dir: "auto", rows: 1,
      ref: element => ctx.startEditor(element, message),
      on: {keydown: event => {
        if (event.key === "Escape") { event.stopPropagation(); ctx.cancelEdit() }
        else if (event.key === "Enter" && !event.shiftKey &&
          !event.isComposing) { event.preventDefault(); ctx.saveEdit() }
      }}}),
    h("div", {class: "actions"},
      h("button", {type: "button", on: {click: ctx.cancelEdit}}, t("shell.cancel")),
      h("button", {type: "submit", class: "primary"}, t("chat.save"))))

const clock = message => h("time", {datetime: message.timestamp, title: dateTime(message.timestamp)},
  time(message.timestamp))
const spoken = (message, ctx) => {
  const name = isOwn(message, ctx) ? t("chat.you") : message.senderName
  return `${name}, ${time(message.timestamp)}: ${preview(message, 300)}${message.editedAt ? `, ${t("chat.edited")}` : ""}`
}

// The row of a message; the last row is used again while nothing in it has changed.
export const messageRow = (message, {before, after, isCurrent}, ctx) => {
  const key = keyOf(message)
  const place = placeOf(message, before, {newFrom: ctx.newFrom, isSameDay})
  const isLast = !after || placeOf(after, message, {newFrom: ctx.newFrom, isSameDay}).isFirst
  const isEditing = ctx.editing === key
  const parts = [message, place.isFirst, place.startsDay, place.isNew, isLast, isCurrent, ctx.hovered === key,
    isEditing, ctx.expanded.has(key),
    ctx.highlighted === key, message.replyTo && ctx.quote(message.replyTo),
    message.outdated && ctx.quote(message.outdated.by.messageId), ctx.lastOwn === key, ctx.version]
  const known = ctx.rows.get(key)
  if (known && known.parts.every((part, i) => part === parts[i])) return known.node
  const tab = isCurrent ? 0 : -1
  const own = isOwn(message, ctx)
  const isSent = !message.state && !message.isAnswering
  const name = message.senderName || message.senderId
  const node = h("div", {class: ctx.hovered === key ? "msg hovered" : "msg", key, "data-key": key},
    place.startsDay && h("div", {class: "day", key: "day"},
      // A feed may have no button between its articles; the key G and the menu of the head do the same.
      h("span", ctx.isTimeline ? {class: "pick-date", title: t("chat.goToDate"), on: {click: () => ctx.goToDate(message)}} : null, day(message.timestamp))),
    place.isNew && h("div", {class: "new-line", key: "new"}, h("span", null, t("chat.new"))),
    h("article", {key: "article", tabindex: tab, "aria-label": spoken(message, ctx), class: [
      "message", own && "own", place.isFirst && "first", isLast && "last",
        message.kind !== "text" && `kind-${message.kind}`,
      ctx.highlighted === key && "highlighted", message.failure && "is-failed",
        message.isAnswering && "is-pending"].filter(Boolean).join(" ")},
      h("div", {key: "face", class: "face"}, place.isFirst
        ? message.kind === "assistant" ? h("span", {class: "avatar small hue-0", "aria-hidden": "true"}, icon("spark"))
          : avatar(message.senderId, name, {size: "small"})
        : clock(message)),
      h("div", {key: "bubble", class: "bubble"},
        place.isFirst && h("header", {key: "head"}, message.kind === "assistant" ? h("bdi", {class: "name"}, name)
          : h("button", {type: "button", class: "name", tabindex: tab, title: t("chat.profile", {name}), on: {click: () => ctx.showPerson(message)}}, h("bdi", null, name)),
          message.kind === "assistant" && h("span", {class: "badge"}, t("chat.assistant")), clock(message)),
        quote(message, ctx, tab),
        isEditing ? editor(message, ctx) : h("div", {key: "words", class: "words"}, words(message, ctx, tab)),
        outdated(message, ctx, tab),
        attachments(message, ctx, tab),
        h("div", {key: "foot", class: "foot"},
          clock(message),
          message.editedAt && h("span", {title: dateTime(message.editedAt)}, t("chat.edited")),
          message.isAnswering && h("span", null, t("chat.answering")),
          status(message, ctx, tab)),
        reactions(message, ctx, tab),
        threadChip(message, ctx, tab)),
      isSent && !isEditing && (isCurrent || ctx.hovered === key) && tools(message, ctx)))
  ctx.rows.set(key, {parts, node})
  return node
}

// A message in one line; files have names instead of words.
export const preview = (message, length = 140) => excerpt(plainText((message.text ?? "").slice(0, length * 4)) ||
  (message.attachments ?? []).map(a => a.name).join(", "), length)
