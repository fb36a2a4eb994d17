/** A stream that a command writes to, with what a terminal says of itself. */
export interface Output {
  write(text: string): unknown
  /** Writes a text with sequences that steer the terminal. Absent where `write` takes them. */
  control?(text: string): unknown
  /** What styles write in the place of escape, which `write` turns into it and which nobody else can know. Absent where styles write escape itself. */
  readonly styleMark?: string
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** Writes a text with sequences that steer the terminal. */
export const writeControl = (out: Pick<Output, 'write' | 'control'>, text: string): void => {
  if (out.control === undefined) out.write(text)
  else out.control(text)
}
