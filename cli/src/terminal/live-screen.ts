/** Redraws a block of lines in place, without clearing what the terminal showed before. */
export class LiveScreen {
  readonly #out: { write(text: string): unknown; readonly columns?: number; readonly rows?: number }
  #drawn = 0

  constructor(out: { write(text: string): unknown; readonly columns?: number; readonly rows?: number }) {
    this.#out = out
  }

  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#out.columns ?? 100, height: this.#out.rows ?? 40 }
  }

  /** Replaces the last frame. Lines beyond the terminal's height are left out from the top, as scrolling would. */
  draw(lines: readonly string[]): void {
    const visible = lines.slice(-Math.max(1, this.size.height - 1))
    const up = this.#drawn > 0 ? `\u001b[${this.#drawn}A` : '\u001b[?25l'
    this.#out.write(`${up}${visible.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[0J`)
    this.#drawn = visible.length
  }

  /** Leaves the last frame on the screen and gives the cursor back. */
  close(): void {
    this.#out.write('\u001b[?25h')
    this.#drawn = 0
  }
}
