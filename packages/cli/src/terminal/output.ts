/** A stream to which a command writes, with the properties of the terminal. */
export interface Output {
  write(text: string): unknown
  /** Writes text that may contain control sequences for the terminal. Absent if `write` accepts them. */
  control?(text: string): unknown
  /**
   * Placeholder that styles write instead of the escape character. `write` replaces it. It is secret, so that text from a cluster cannot
   * contain it. Absent if styles write the escape character itself.
   */
  readonly styleMark?: string
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** Writes text that may contain control sequences for the terminal. */
export const writeControl = (out: Pick<Output, 'write' | 'control'>, text: string): void => {
  if (out.control === undefined) out.write(text)
  else out.control(text)
}
