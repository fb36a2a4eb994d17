import type { Output } from '@kerf/provider-contract'
import { harmlessStyled, textWidth } from '@kerf/provider-kit/terminal'
import { writeControl } from './output.ts'

/** The output stream of a terminal, such as `process.stdout`. */
type LiveOutput = Omit<Output, 'isTTY'>

// Escape sequences of xterm, which all common terminals support.
const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const REST_OF_LINE = '\u001b[K'
const REST_OF_SCREEN = '\u001b[J'

/**
 * Draws frames on the terminal's alternate screen, so that no parts of old frames remain after a resize. `close` restores the previous
 * content of the terminal.
 */
export class LiveScreen {
  readonly #out: LiveOutput
  #last: readonly string[] = []
  #isOpen = false

  constructor(out: LiveOutput) {
    this.#out = out
  }

  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#out.columns ?? 80, height: this.#out.rows ?? 24 }
  }

  /**
   * Replaces the last frame. Lines that do not fit into the window are left out. A line that is wider than the window wraps to the next
   * row.
   */
  draw(lines: readonly string[]): void {
    const { width, height } = this.size
    const visible = lines.slice(0, height).map((line) => harmlessStyled(line, this.#out.styleMark))
    const start = this.#isOpen ? HOME : `${ENTER}${HOME}`
    // After a full row, the cursor is still on the row's last character, which clearing would delete.
    const isFull = (line: string): boolean => line !== '' && textWidth(line) % width === 0
    const rows = visible.map((line) => (isFull(line) ? line : `${line}${REST_OF_LINE}`)).join('\r\n')
    writeControl(this.#out, `${start}${rows}${isFull(visible.at(-1) ?? '') ? '' : REST_OF_SCREEN}`)
    this.#isOpen = true
    this.#last = visible
  }

  /** Restores the terminal, and prints the last frame to it. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    writeControl(this.#out, `${LEAVE}${this.#last.join('\n')}\n`)
  }
}
