import { randomUUID } from 'node:crypto'
import type { Output } from '@kerf/provider-contract'
import { harmlessStyled } from '@kerf/provider-kit/terminal'

type Environment = Readonly<Record<string, string | undefined>>

/** Stands for the escape character in styles. It is random, so that names in a cluster cannot contain it. */
const STYLE_MARK = `\u001b{${randomUUID()}}`

/**
 * A stream whose text can neither control the terminal nor change its colours. Trusted code, such as a progress line, writes control
 * sequences with `control`.
 */
class HarmlessOutput implements Output {
  readonly styleMark = STYLE_MARK
  readonly #stream: NodeJS.WriteStream

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true
  }

  get columns(): number {
    return this.#stream.columns
  }

  get rows(): number {
    return this.#stream.rows
  }

  write(text: string): boolean {
    return this.#stream.write(harmlessStyled(text, STYLE_MARK))
  }

  control(text: string): boolean {
    return this.#stream.write(text)
  }
}

/** Returns the streams of this process for the output of a command. */
export const standardStreams = (): { readonly stdout: Output; readonly stderr: Output; readonly env: Environment } => {
  const { stdout, stderr, env } = process
  return { stdout: new HarmlessOutput(stdout), stderr: new HarmlessOutput(stderr), env }
}
