import { harmless, harmlessColoured } from './harmless.ts'
import type { Output } from './output.ts'
import { hasColour } from './style.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A stream whose text cannot steer the terminal. What may, such as a progress line, writes with `control`. */
class HarmlessOutput implements Output {
  readonly #stream: NodeJS.WriteStream
  readonly #clean: (text: string) => string

  constructor(stream: NodeJS.WriteStream, env: Environment) {
    this.#stream = stream
    this.#clean = hasColour(stream, env) ? harmlessColoured : harmless
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
    return this.#stream.write(this.#clean(text))
  }

  control(text: string): boolean {
    return this.#stream.write(text)
  }
}

/** The streams of this process for the output of a verb. */
export const standardStreams = (): { readonly stdout: Output; readonly stderr: Output; readonly env: Environment } => {
  const { stdout, stderr, env } = process
  return { stdout: new HarmlessOutput(stdout, env), stderr: new HarmlessOutput(stderr, env), env }
}
