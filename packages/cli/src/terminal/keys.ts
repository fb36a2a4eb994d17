/** An input that reports key presses, such as `process.stdin` on a terminal. */
export interface KeyInput {
  readonly isTTY?: boolean
  setRawMode?(on: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer | string) => void): unknown
  off(event: 'data', listener: (chunk: Buffer | string) => void): unknown
  resume(): unknown
  pause(): unknown
}

const CTRL_C = '\u0003'

/**
 * Calls `pressed` for each key, without waiting for the end of the line. Ctrl-C is reported as `q`, because the terminal sends no signal
 * in raw mode. Does nothing if the input is not a terminal. Returns a function that restores the terminal.
 */
export const listenToKeys = (input: KeyInput, pressed: (key: string) => void): (() => void) => {
  const { setRawMode } = input
  if (input.isTTY !== true || setRawMode === undefined) return () => {}
  const onData = (chunk: Buffer | string): void => {
    const text = String(chunk)
    // An arrow or function key arrives as one chunk that begins with an escape character. Ignore it.
    if (text.startsWith('\u001b')) return
    for (const key of text) pressed(key === CTRL_C ? 'q' : key)
  }
  input.setRawMode?.(true)
  input.on('data', onData)
  input.resume()
  return () => {
    input.off('data', onData)
    input.setRawMode?.(false)
    input.pause()
  }
}
