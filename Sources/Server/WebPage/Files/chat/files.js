// Files of messages: images when they come into view, sound and video when they are asked for, the rest as downloads.
import {h, patch} from "../lib/dom.js"
import {openDialog, toast} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {bytes, t} from "../lib/text.js"
import {iconButton} from "../lib/ui.js"
import {store} from "../data/store.js"

export const FILE_LIMIT = 25 * 1024 * 1024
export const FILE_COUNT = 10

const kindOf = type => /^(image|video|audio)\//.exec(type ?? "")?.[1] ?? "file"
const isShown = type => /^(image\/(png|jpeg|gif|webp|avif|bmp)|video\/|audio\/)/.test(type ?? "")

const seen = new WeakMap()
const observer = globalThis.IntersectionObserver && new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) {
    if (!isIntersecting) continue
    observer.unobserve(target)
    seen.get(target)?.()
  }
}, {rootMargin: "400px"})
const whenSeen = (element, fn) => {
  seen.set(element, fn)
  observer.observe(element)
}

export const download = async file => {
  try {
    const anchor = document.createElement("a")
    anchor.href = await store.fileURL(file)
    anchor.download = file.name
    anchor.click()
  } catch (error) {
    toast(error)
  }
}
const showImage = file => openDialog({title: file.name, class: "viewer", render: () => [
  h("img", {alt: file.name, ref: async element => { element.src = await store.fileURL(file) }}),
  h("button", {type: "button", on: {click: () => download(file)}}, icon("download"), t("chat.download"))]})

const loadImage = (element, file) => whenSeen(element, async () => {
  const image = document.createElement("img")
  try {
    image.alt = ""
    image.src = await store.fileURL(file)
    await image.decode()
    element.replaceChildren(image)
  } catch {
    element.classList.add("broken")
  }
})
const play = async (event, file, kind) => {
  const box = event.currentTarget.parentElement
  event.currentTarget.disabled = true
  try {
    const url = await store.fileURL(file)
    patch(box, h(kind, {src: url, controls: true, autoplay: true, "aria-label": file.name}))
    box.firstChild.focus()
  } catch (error) {
    event.target.disabled = false
    toast(error)
  }
}

// What is known of a file and its words; nothing if all of them are searched, or in a state of a later server.
const READINGS = ["waiting", "no_text", "too_large", "protected", "failed", "not_fetched"]
const PROBLEMS = ["encrypted", "gone", "refused", "file_too_large", "source_away", "no_room"]
const readingOf = ({reading}) => PROBLEMS.includes(reading?.problem) ? t(`chat.file.${reading.problem}`)
  : READINGS.includes(reading?.state) ? t(`chat.file.${reading.state}`)
  : reading?.isCut && t("chat.file.cut")

const one = (file, key, tab) => {
  const kind = kindOf(file.mediaType ?? file.type)
  const size = file.byteCount === undefined ? "" : bytes(file.byteCount)
  const label = [h("bdi", {class: "file-name", dir: "auto"}, file.name), size && h("span", {class: "quiet"}, size),
    readingOf(file) && h("span", {class: "quiet"}, readingOf(file))]
  if (!file.id && !file.blob) return h("div", {key, class: "file"}, icon(kind === "image" ? "image" : "file"),
    h("span", {class: "file-label"}, label))
  if (kind === "image" && isShown(file.mediaType)) {
    return h("button", {key, class: "image", type: "button", tabindex: tab,
      "aria-label": t("chat.image", {name: file.name}), title: file.name,
      opaque: true, ref: element => loadImage(element, file), on: {click: () => showImage(file)}})
  }
  const row = h("div", {class: "file", key}, icon("file"), h("span", {class: "file-label"}, label),
    iconButton("download", t("chat.downloadFile", {name: file.name}), () => download(file), {tabindex: tab}))
  return kind === "video" || kind === "audio"
    ? [h("div", {key: `media ${key}`, class: `media ${kind}`, opaque: true, ref: element => patch(element,
      h("button", {type: "button", class: "play", "aria-label": t("chat.play", {name: file.name}),
        on: {click: event => play(event, file, kind)}}, "▶"))}), row]
    : row
}
export const attachments = (message, ctx, tab) =>
  message.attachments?.length > 0 && h("div", {key: "files", class: "files"},
    message.attachments.map((file, i) => one(file, i, tab)))

// Splits chosen files into those that can be sent and sentences about the others.
export const checkFiles = (chosen, already = 0) => {
  const files = [], problems = []
  for (const file of chosen) {
    if (file.size > FILE_LIMIT) problems.push(t("chat.fileTooLarge", {name: file.name, limit: bytes(FILE_LIMIT)}))
    else if (file.size === 0) problems.push(t("chat.fileEmpty", {name: file.name}))
    else if (already + files.length >= FILE_COUNT) {
      problems.push(t("chat.tooManyFiles", {count: FILE_COUNT}))
      break
    } else files.push(file)
  }
  return {files, problems}
}
