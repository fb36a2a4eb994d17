import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'

/** What was measured, told without the directories of a machine. */
export interface Program {
  readonly command: string
  /** Of the binary; of the script where Node runs one. Nothing for a program that is looked up in PATH. */
  readonly sha256?: string
}

const isFile = (word: string): boolean => statSync(word, { throwIfNoEntry: false })?.isFile() === true
const isNode = (word: string): boolean => /^node(\.exe)?$/.test(basename(word))

export const programOf = (command: readonly string[]): Program => {
  const words = command.map((word) => (isAbsolute(word) ? basename(word) : word))
  const file = command.find((word) => isAbsolute(word) && !isNode(word) && isFile(word))
  if (file === undefined) return { command: words.join(' ') }
  return { command: words.join(' '), sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }
}
