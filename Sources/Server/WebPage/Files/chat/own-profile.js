// The person's own profile in the settings: picture, title, and the time zone that others see.
import {h} from "../lib/dom.js"
import {addTexts, t} from "../lib/text.js"
import {announce, attempt, toast} from "../lib/dialog.js"
import {avatar, button, choice, field, newId} from "../lib/ui.js"
import {profiles} from "../data/profiles.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"
import texts from "../text/profile.js"

addTexts(texts)

const ERRORS = new Set(Object.keys(texts.en).filter(key => key.startsWith("profile.error.")))
const FILE_LIMIT = 8 * 1024 * 1024
const SIDE = 512

// What the server reads is sent as it is; the browser draws anything else that it knows.
export const readable = async file => {
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

// update() is called when the form looks different.
export const ownProfile = update => {
  const ids = {title: newId(), file: newId(), zone: newId()}
  const state = {profile: null, title: "", error: null, isBusy: false}
  let input
  const set = change => {
    Object.assign(state, change)
    update()
  }
  const take = profile => {
    profiles.take(profile.userId, profile)
    set({profile, title: profile.title ?? "", error: null, isBusy: false})
  }
  store.api.request("GET", "/v1/profile").then(take, () => {})

  const failed = failure => {
    const key = `profile.error.${failure.code}`
    set({isBusy: false, error: ERRORS.has(key) ? t(key) : sentence(failure)})
  }
  const setPicture = async event => {
    const [file] = event.target.files
    event.target.value = ""
    if (!file) return
    set({isBusy: true, error: null})
    let picture
    try {
      picture = await readable(file)
    } catch {
      return failed({code: "unsupported_media_type"})
    }
    try {
      take(await store.api.request("PUT", "/v1/profile/picture", {body: picture, headers: {"Content-Type": picture.type}}))
      announce(t("profile.isSet"))
    } catch (failure) {
      failed(failure)
    }
  }
  const remove = () => attempt(async () => {
    take(await store.api.request("DELETE", "/v1/profile/picture"))
    announce(t("profile.isRemoved"))
    document.getElementById(ids.file)?.focus()
  })
  const save = change => attempt(async () => {
    take(await store.api.request("PUT", "/v1/profile", {body: change}))
    toast(t("settings.saved"))
  })
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])]

  return () => {
    const {user} = store.session
    const {profile} = state
    return [
      h("div", {class: "row wrap"},
        avatar(user.id, user.name, {size: "large"}),
        h("div", {class: "stack grow"},
          h("div", {class: "row wrap"},
            h("input", {type: "file", accept: "image/*", hidden: true, "aria-label": t("profile.choose"), on: {change: setPicture}, ref: element => {
              input = element
            }}),
            button(t(profile?.pictureId ? "profile.change" : "profile.choose"), () => input.click(), "",
              {id: ids.file, disabled: state.isBusy, "aria-describedby": `${ids.file}-hint`}),
            profile?.pictureId && button(t("profile.remove"), remove, "", {disabled: state.isBusy})),
          h("p", {id: `${ids.file}-hint`, class: "hint"}, t("profile.pictureHint")))),
      state.error && h("p", {class: "field-error", role: "alert"}, state.error),
      h("form", {class: "stack", on: {submit: event => {
        event.preventDefault()
        save({title: state.title.trim() || null})
      }}},
      field({id: ids.title, label: t("profile.title"), hint: t("profile.titleHint"), value: state.title, maxlength: 100, dir: "auto", autocomplete: "organization-title",
        on: {input: event => {
          state.title = event.target.value
        }}}),
      h("div", {class: "row"}, button(t("profile.save"), null, "", {type: "submit"}))),
      field({id: ids.zone, label: t("profile.zone"), hint: t("profile.visible"),
        control: props => choice("shownZone", profile?.timeZone ?? "", [["", t("profile.noZone")], ...zones.map(zone => [zone, zone.replaceAll("_", " ")])],
          zone => save({timeZone: zone || null}), props)}),
    ]
  }
}
