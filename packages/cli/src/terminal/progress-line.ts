import type { Output } from '@kerf/provider-contract'
import { harmless } from '@kerf/provider-kit/terminal'
import { writeControl } from './output.ts'

/** A line that shows progress on a terminal. It writes nothing to a pipe. */
export class ProgressLine {
  readonly #out: Pick<Output, 'write' | 'control' | 'isTTY'>

  constructor(out: Pick<Output, 'write' | 'control' | 'isTTY'>) {
    this.#out = out
  }

  show(text: string): void {
    this.#control(`\r\u001b[2K${harmless(text)} …`)
  }

  /** Draws a bar with a count. After the first tenth, it also shows the estimated remaining time. */
  bar(text: string, done: number, total: number, elapsed: number): void {
    if (this.#out.isTTY !== true || total <= 0) return
    const share = Math.min(1, done / total)
    const filled = Math.round(share * 24)
    const left =
      share >= 0.1 && elapsed > 1_000 ? `  about ${Math.ceil((elapsed / share - elapsed) / 1000)} s left` : ''
    this.#control(
      `\r\u001b[2K${text}  ${'█'.repeat(filled)}${'░'.repeat(24 - filled)}  ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}${left}`,
    )
  }

  clear(): void {
    this.#control('\r\u001b[2K')
  }

  #control(text: string): void {
    if (this.#out.isTTY === true) writeControl(this.#out, text)
  }
}
