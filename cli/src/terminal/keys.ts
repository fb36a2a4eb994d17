/** What reads keys, as `process.stdin` does on a terminal. */
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
 * Calls back for each key that is pressed, without waiting for a line; Ctrl-C is `q`, because the terminal makes no signal of it meanwhile.
 * Nothing where nobody types. Answers what gives the terminal back.
 */
export const listenToKeys = (input: KeyInput, pressed: (key: string) => void): (() => void) => {
  const { setRawMode } = input
  if (input.isTTY !== true || setRawMode === undefined) return () => {}
  const onData = (chunk: Buffer | string): void => {
    const text = String(chunk)
    // An arrow or a function key comes as one chunk that begins with an escape.
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
