// Choosing, changing and removing a picture, of a person or a group.
import {h} from "../lib/dom.js"
import {addTexts, t} from "../lib/text.js"
import {announce} from "../lib/dialog.js"
import {button, newId} from "../lib/ui.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"
import texts from "../text/profile.js"

addTexts(texts)

const ERRORS = new Set(Object.keys(texts.en).filter(key => key.startsWith("profile.error.")))
const FILE_LIMIT = 8 * 1024 * 1024
const SIDE = 512

// What the server reads is sent as it is; the browser draws anything else that it knows.
const readable = async file => {
  if (/^image\/(png|jpeg)$/.test(file.type) && file.size <= FILE_LIMIT) return file
  const picture = await createImageBitmap(file)
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = SIDE
  const scale = SIDE / Math.min(picture.width, picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  const context = canvas.getContext("2d")
  context.fillStyle = "white"
  context.fillRect(0, 0, SIDE, SIDE)
  context.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height)
  return new Promise((resolve, reject) => canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/jpeg", .92))
}

// update() is called when it looks different, taken(reply) when the server has changed the picture at `path`.
export const pictureEditor = ({path, update, taken}) => {
  const id = newId()
  let input, isBusy = false, error = null
  const work = async (act, done) => {
    // Buttons stay enabled, so that the focus stays.
    if (isBusy) return
    isBusy = true
    error = null
    update()
    try {
      taken(await act())
      announce(t(done))
    } catch (failure) {
      const key = `profile.error.${failure.code}`
      error = ERRORS.has(key) ? t(key) : sentence(failure)
    }
    isBusy = false
    update()
  }
  const choose = event => {
    const [file] = event.target.files
    event.target.value = ""
    if (file) work(async () => {
      const picture = await readable(file).catch(() => Promise.reject({code: "unsupported_media_type", status: 415}))
      return store.api.request("PUT", path, {body: picture, headers: {"Content-Type": picture.type}})
    }, "profile.isSet")
  }
  const remove = () => work(() => store.api.request("DELETE", path), "profile.isRemoved").then(() => document.getElementById(id)?.focus())
  return hasPicture => [
    h("div", {class: "row wrap"},
      h("input", {type: "file", accept: "image/*", hidden: true, "aria-label": t("profile.choose"), on: {change: choose}, ref: element => {
        input = element
      }}),
      button(t(hasPicture ? "profile.change" : "profile.choose"), () => input.click(), "", {id, "aria-describedby": `${id}-hint`}),
      hasPicture && button(t("profile.remove"), remove)),
    h("p", {id: `${id}-hint`, class: "hint"}, t("profile.pictureHint")),
    error && h("p", {class: "field-error", role: "alert"}, error),
  ]
}
