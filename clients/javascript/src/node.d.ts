import type {Store} from "./index.js"

/** Keeps what waits to be sent in a folder, which only its owner can read: a file for each message. */
export class FileStore implements Store {
  constructor(folder: string)
  entries(): Promise<Array<[key: string, value: string]>>
  set(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
}
