import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'

/** The measured program, without directories that are specific to this machine. */
export interface Program {
  readonly command: string
  /** The hash of the binary, or of the script if Node.js runs a script. Absent for a program found through PATH. */
  readonly sha256?: string
}

const isFile = (word: string): boolean => statSync(word, { throwIfNoEntry: false })?.isFile() === true
const isNode = (word: string): boolean => /^node(\.exe)?$/.test(basename(word))

export const toProgram = (command: readonly string[]): Program => {
  const words = command.map((word) => (isAbsolute(word) ? basename(word) : word))
  const file = command.find((word) => isAbsolute(word) && !isNode(word) && isFile(word))
  if (file === undefined) return { command: words.join(' ') }
  return { command: words.join(' '), sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }
}
