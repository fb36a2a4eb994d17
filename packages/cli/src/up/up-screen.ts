import type { Output } from '@kerf/provider-contract'
import { type Style, styleFor } from '@kerf/provider-kit/terminal'
import { LiveScreen } from '../terminal/live-screen.ts'
import { exportCommand } from '../terminal/shell-word.ts'
import type { ClusterView } from './cluster-view.ts'
import { renderView } from './render-view.ts'

export interface ScreenOptions {
  readonly isLive: boolean
  readonly out: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The output of `up`: on a terminal, a screen that is redrawn; otherwise, one line per change. */
export class UpScreen {
  readonly #options: ScreenOptions
  readonly #style: Style
  readonly #live: LiveScreen
  #title = 'Kerf'
  #notes: readonly string[] = []
  #dashboard = ''
  #begun = false
  #showsHelp = false

  constructor(options: ScreenOptions) {
    this.#options = options
    this.#style = styleFor(options.out, options.env)
    this.#live = new LiveScreen(options.out)
  }

  /** Shows the progress of a slow step. Used before the first view. */
  progress(line: string): void {
    this.#options.out.write(`${line} …\n`)
  }

  /** Shows a line about an event. On the live screen, it is part of the frame. */
  line(text: string): void {
    if (!this.#options.isLive) this.#options.out.write(`${text}\n`)
  }

  /** The output for the controller's log. It collects the log lines, so that they do not disturb the live screen. */
  get logSink(): { write(text: string): unknown } {
    return { write: (text: string) => this.#problems.push(...text.trimEnd().split('\n')) }
  }

  readonly #problems: string[] = []

  begin(about: {
    readonly title: string
    readonly kubeconfig: string
    readonly endsBySignal: boolean
    readonly hasKeys: boolean
  }): void {
    this.#begun = true
    this.#title = about.title
    this.#notes = [
      `kubectl:   ${exportCommand('KUBECONFIG', about.kubeconfig)}`,
      ...(about.hasKeys
        ? ['? help   q stop and remove everything']
        : about.endsBySignal
          ? ['Ctrl-C stops it and removes everything.']
          : []),
    ]
    if (!this.#options.isLive) for (const note of this.#notes) this.#options.out.write(`${note}\n`)
  }

  /** Shows the progress of the dashboard below the other notes, in place of the previous line. */
  dashboard(line: string): void {
    this.#dashboard = line
    if (!this.#options.isLive) this.line(line)
  }

  /** Switches between the help page and the view of the cluster. */
  toggleHelp(): void {
    this.#showsHelp = !this.#showsHelp
  }

  draw(view: ClusterView, log: readonly string[]): void {
    if (!this.#options.isLive) return
    const lines = [...log, ...this.#problems.slice(-5)]
    const notes = this.#dashboard === '' ? this.#notes : [this.#dashboard, ...this.#notes]
    const frame = { view, title: this.#title, notes, log: lines, showsHelp: this.#showsHelp }
    this.#live.draw(renderView(frame, this.#live.size, this.#style))
  }

  end(): void {
    if (this.#options.isLive && this.#begun) this.#live.close()
    this.#begun = false
  }
}
