// Writing a message. Its own view: messages that arrive never touch it.
import {h, View} from "../lib/dom.js"
import {opened, toast} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {bytes, t} from "../lib/text.js"
import {iconButton} from "../lib/ui.js"
import {store} from "../data/store.js"
import {checkFiles} from "./files.js"
import {preview} from "./message.js"
import {candidates, emojiQuery, mentionQuery} from "./parts.js"

const TEXT_LIMIT = 256 * 1024
const isTouch = matchMedia("(pointer: coarse), (max-width: 480px)")
const enterSends = () => (localStorage.getItem("nexus-enter") ?? (isTouch.matches ? "break" : "send")) === "send"
const canSize = CSS.supports("field-sizing", "content")
let count = 0
// The list of emojis comes when somebody wants one.
let emojis = null
const loadEmojis = async () => (emojis ??= await import("./emoji.js"))
// Files that are chosen and not sent, by person and place; gone with the page, as the browser keeps no right to read them.
const keptFiles = new Map()
store.on("session", () => store.session.status === "signedOut" && keptFiles.clear())

// {id, threadRoot, people(), name(), suggest?(anchor), onSent, onEditLast, onEscape} → {focus, reply, addFiles, insert, close}
export const composer = (container, options) => {
  const {id, threadRoot} = options
  const place = threadRoot ? `${id} ${threadRoot}` : id
  const listId = `complete-${++count}`
  const keptAt = `${store.session.user?.id} ${place}`
  let field, picker, replyTo = null, files = keptFiles.get(keptAt) ?? [], problem = "", notice = "", shownNotice = "", completion = null,
    draftTimer, urls = new Map()

  const words = () => field.value
  const saveDraft = () => {
    clearTimeout(draftTimer)
    draftTimer = null
    store.setDraft(place, words())
  }
  // What the person writes in another tab; the tab where they type decides.
  const takeDraft = () => {
    const draft = store.draft(place)
    if (draftTimer || document.hasFocus() && document.activeElement === field || draft === words()) return
    field.value = draft
    form.classList.toggle("is-empty", !draft.trim() && !files.length)
    grow()
  }
  const grow = () => {
    if (canSize) return
    field.style.height = "auto"
    field.style.height = `${field.scrollHeight}px`
  }
  const onInput = () => {
    grow()
    const size = words().length
    const isTooLong = size > TEXT_LIMIT / 4 && new Blob([words()]).size > TEXT_LIMIT
    const next = isTooLong ? t("chat.textTooLong", {limit: bytes(TEXT_LIMIT)}) : ""
    form.classList.toggle("is-empty", !words().trim() && !files.length)
    if (next !== problem || shownNotice !== notice) {
      shownNotice = notice
      problem = next
      view.update()
    }
    clearTimeout(draftTimer)
    draftTimer = setTimeout(saveDraft, 400)
    store.typing(id, words() !== "")
    complete()
  }
  const complete = () => {
    const isCaret = field.selectionStart === field.selectionEnd
    const emoji = isCaret ? emojiQuery(words(), field.selectionStart) : null
    const query = isCaret && !emoji ? mentionQuery(words(), field.selectionStart) : emoji
    if (emoji && !emojis) loadEmojis().then(complete)
    const people = emoji ? emojis?.findEmojis(emoji.query) ?? [] : query ? candidates([
      ...(query.isFirst && store.session.methods?.assistant !== false ? [{id: "", name: "ai",
        isAssistant: true}] : []), ...options.people()], query.query, 100) : []
    const next = people.length ? {...query, people, chosen: 0} : null
    if (!next && !completion) return
    completion = next
    view.update()
  }
  const put = (from, to, text) => {
    field.setRangeText(text, from, to, "end")
    field.focus()
    onInput()
  }
  const choose = person => {
    const isEmoji = Boolean(person.emoji)
    const isAmbiguous = !isEmoji && options.people().filter(p => p.name === person.name).length > 1
    const {start} = completion
    completion = null
    put(start, field.selectionStart, isEmoji ? `${person.emoji} ` : `@${isAmbiguous ? person.id : person.name} `)
    completion = null
    view.update()
  }
  const add = chosen => {
    const checked = checkFiles(chosen, files.length)
    files = [...files, ...checked.files]
    notice = checked.problems.join(" ")
    field.focus()
    onInput()
    view.update()
  }
  const drop = file => {
    files = files.filter(other => other !== file)
    URL.revokeObjectURL(urls.get(file))
    urls.delete(file)
    field.focus()
    onInput()
    view.update()
  }
  const imageOf = file => {
    if (!urls.has(file)) urls.set(file, URL.createObjectURL(file))
    return urls.get(file)
  }
  const written = () => {
    const sent = {text: words().trim()}
    if (threadRoot) sent.threadRoot = threadRoot
    if (replyTo) {
      sent.replyTo = replyTo.id
      if (!threadRoot && replyTo.threadRoot) sent.threadRoot = replyTo.threadRoot
    } else if (threadRoot) sent.replyTo = threadRoot
    return sent
  }
  const send = () => {
    const sent = {...written(), files}
    if (problem || !sent.text && !files.length) return
    store.send(id, sent).catch(toast)
    empty()
    options.onSent?.()
  }
  // The text stays until it is scheduled. Files cannot be scheduled.
  const later = () => {
    const sent = written()
    if (problem || !sent.text || files.length) return
    opened(() => import("./later.js"), part => { part.sendLater(id, sent, empty) })
  }
  const empty = () => {
    field.value = ""
    for (const url of urls.values()) URL.revokeObjectURL(url)
    urls.clear()
    files = []
    notice = ""
    replyTo = completion = null
    onInput()
    saveDraft()
    view.now()
    field.focus()
  }
  const onKey = event => {
    if (event.isComposing || event.keyCode === 229) return
    const {key} = event
    const isCommand = event.ctrlKey || event.metaKey
    if (completion) {
      const {people, chosen} = completion
      const moves = {ArrowDown: 1, ArrowUp: -1}
      if (moves[key]) completion.chosen = (chosen + moves[key] + people.length) % people.length
      else if (key === "Enter" && !event.shiftKey || key === "Tab" && !event.shiftKey) choose(people[chosen])
      else if (key === "Escape") completion = null
      else return
      event.preventDefault()
      event.stopPropagation()
      view.update()
      form.querySelector(".completion [aria-selected=true]")?.scrollIntoView({block: "nearest"})
      return
    }
    if (key === "Enter" && isCommand && event.shiftKey) {
      event.preventDefault()
      later()
    } else if (key === "Enter" && (isCommand || enterSends() && !event.shiftKey && !event.altKey)) {
      event.preventDefault()
      send()
    } else if (key === "ArrowUp" && (isCommand || !words() && !event.shiftKey && !event.altKey)) {
      event.preventDefault()
      options.onEditLast()
    } else if (key === "Escape") {
      if (replyTo) {
        event.stopPropagation()
        replyTo = null
        view.update()
      } else options.onEscape?.(event)
    }
  }
  const onPaste = event => {
    const pasted = [...event.clipboardData.files]
    if (!pasted.length) return
    event.preventDefault()
    add(pasted)
  }
  const render = () => h("form", {key: "form", class: "composer", ref: element => { form = element },
    on: {submit: event => { event.preventDefault(); send() }}},
    replyTo && h("div", {key: "reply", class: "replying"}, icon("reply"),
      h("span", {class: "excerpt", dir: "auto"}, h("bdi", {class: "who"}, replyTo.senderName), " ", preview(replyTo)),
      iconButton("close", t("chat.cancelReply"), () => { replyTo = null; view.update(); field.focus() })),
    files.length > 0 && h("ul", {key: "files", class: "chosen-files", "aria-label": t("chat.files")},
      files.map((file, i) =>
      h("li", {key: `${i} ${file.name}`},
        /^image\/(png|jpeg|gif|webp|avif)$/.test(file.type) ? h("img", {src: imageOf(file), alt: ""}) : icon("file"),
        h("span", {class: "file-label"}, h("bdi", {class: "file-name", dir: "auto"}, file.name),
          h("span", {class: "quiet"}, bytes(file.size))),
        iconButton("close", t("chat.removeFile", {name: file.name}), () => drop(file))))),
    (problem || notice) && h("p", {key: "problem", class: "problem", role: "alert"}, problem || notice),
    completion && h("ul", {key: "complete", class: "completion", id: listId, role: "listbox",
      "aria-label": t(completion.people[0].emoji ? "chat.emoji" : "chat.people")},
      completion.people.map((person, i) => h("li", {key: person.emoji ?? (person.id || "@ai"), id: `${listId}-${i}`, role: "option",
        "aria-selected": i === completion.chosen, on: {
        mousedown: event => event.preventDefault(), click: () => choose(person)}},
        person.emoji ? [person.emoji, " ", h("span", {class: "quiet"}, person.name)] : person.isAssistant ? [icon("spark"), "@ai ", h("span", {class: "quiet"}, t("chat.askAssistant"))]
          : [h("bdi", null, person.name), " ", h("span", {class: "quiet"}, h("bdi", null, person.id))]))),
    h("div", {key: "line", class: "line"},
      h("input", {key: "pick", type: "file", multiple: true, hidden: true, tabindex: -1,
        "aria-label": t("chat.attach"), ref: element => { picker = element },
        on: {change: () => { add([...picker.files]); picker.value = "" }}}),
      iconButton("attach", t("chat.attach"), () => picker.click(), {key: "attach"}),
      h("textarea", {key: "field", rows: 1, dir: "auto", enterkeyhint: enterSends() ? "send" : "enter",
        "aria-label": options.label(), placeholder: options.label(),
        "aria-autocomplete": "list", "aria-controls": completion ? listId : null,
        "aria-activedescendant": completion ? `${listId}-${completion.chosen}` : null,
        ref: element => { field = element; field.value = store.draft(place) ?? "" },
        on: {input: () => { notice = ""; onInput() }, keydown: onKey, paste: onPaste,
          blur: () => { store.typing(id, false); saveDraft() }, click: complete}}),
      iconButton("smile", t("chat.emoji"), ({currentTarget}) => opened(loadEmojis, ({pickEmoji}) =>
        pickEmoji(currentTarget, emoji => put(field.selectionStart, field.selectionEnd, emoji))), {key: "emoji", "aria-haspopup": "dialog"}),
      options.suggest && store.session.methods?.hasLanguageModel !== false && iconButton("spark", t("chat.suggest"),
        event => options.suggest(event.currentTarget), {key: "suggest", "aria-haspopup": "menu"}),
      !files.length && iconButton("clock", t("chat.later"), later, {key: "later", class: "later", "aria-haspopup": "dialog"}),
      h("button", {key: "send", class: "icon-button send", type: "submit", title: t("chat.send"),
        "aria-label": t("chat.send")}, icon("send"))))

  let form
  const view = new View(container, render)
  form.classList.toggle("is-empty", !words().trim() && !files.length)
  grow()
  addEventListener("pagehide", saveDraft)
  // Only a new name is drawn: messages do not disturb who types.
  const offs = [
    store.on(`conversation:${id}`, () => field.placeholder !== options.label() && view.update()),
    store.on(`conversation:${place}`, takeDraft),
  ]
  return {
    focus: () => field.focus(),
    reply(message) {
      replyTo = message
      view.now()
      field.focus()
    },
    addFiles: add,
    // Puts a suggested text into an empty field, or behind what is there.
    insert(text) {
      put(words().length, words().length, words() && !/\s$/.test(words()) ? ` ${text}` : text)
    },
    hasText: () => words().trim() !== "",
    close() {
      for (const off of offs) off()
      if (files.length && store.session.status === "signedIn") keptFiles.set(keptAt, files)
      else keptFiles.delete(keptAt)
      removeEventListener("pagehide", saveDraft)
      saveDraft()
      store.typing(id, false)
      for (const url of urls.values()) URL.revokeObjectURL(url)
      view.close()
    },
  }
}
