import { isatty } from 'node:tty'

/** The terminal that this process was started in, for credential plugins that print what to open, or ask for a code. */
export const processTerminal = (): { readonly isInteractive: boolean; show(text: string): void } => {
  const { stderr } = process
  let hasShown = false
  return {
    // `process.stdin` would begin to read it, and the plugin is to.
    isInteractive: isatty(0),
    show: (text) => {
      // A line that shows the progress is there, and is written again.
      if (!hasShown && stderr.isTTY) stderr.write('\r\u001b[2K')
      hasShown = true
      stderr.write(text)
    },
  }
}
