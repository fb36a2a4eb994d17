import { isatty } from 'node:tty'

/** Returns the terminal of this process. Credential plugins use it to show a URL, or to ask for a code. */
export const processTerminal = (): { readonly isInteractive: boolean; show(text: string): void } => {
  const { stderr } = process
  let hasShown = false
  return {
    // `process.stdin` is not used, because it would read the input that the user types for the plugin.
    isInteractive: isatty(0),
    show: (text) => {
      // Clear the progress line, which is drawn again later.
      if (!hasShown && stderr.isTTY) stderr.write('\r\u001b[2K')
      hasShown = true
      stderr.write(text)
    },
  }
}
