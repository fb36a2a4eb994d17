import { harmlessStyled } from './harmless.ts'
import { type Output, writeControl } from './output.ts'
import { textWidth } from './text-width.ts'

/** A stream of a terminal, as `process.stdout` is one. */
type LiveOutput = Omit<Output, 'isTTY'>

// Escape sequences of xterm, which every terminal of today knows.
const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const REST_OF_LINE = '\u001b[K'
const REST_OF_SCREEN = '\u001b[J'

/**
 * Draws frames on the terminal's second screen, so that resizing leaves no rubbish behind; what the terminal showed before is there again
 * after `close`.
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

  /** Replaces the last frame. What has no place in the window is left out at the end. A line that is wider goes on in the next row. */
  draw(lines: readonly string[]): void {
    const { width, height } = this.size
    const visible = lines.slice(0, height).map((line) => harmlessStyled(line, this.#out.styleMark))
    const start = this.#isOpen ? HOME : `${ENTER}${HOME}`
    // After a full row the cursor still stands on its last character, which clearing would take.
    const isFull = (line: string): boolean => line !== '' && textWidth(line) % width === 0
    const rows = visible.map((line) => (isFull(line) ? line : `${line}${REST_OF_LINE}`)).join('\r\n')
    writeControl(this.#out, `${start}${rows}${isFull(visible.at(-1) ?? '') ? '' : REST_OF_SCREEN}`)
    this.#isOpen = true
    this.#last = visible
  }

  /** Gives the terminal back, with the last frame in what it showed before. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    writeControl(this.#out, `${LEAVE}${this.#last.join('\n')}\n`)
  }
}
