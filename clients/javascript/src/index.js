export {Nexus} from "./nexus.js"
export {NexusError, SignedOutError} from "./errors.js"
export {Feed} from "./feed.js"
export {Chat} from "./chat.js"
