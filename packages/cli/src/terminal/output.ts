import type { Output } from '@kerf/provider-contract'

/** Writes text that contains control sequences for the terminal. */
export const writeControl = (out: Pick<Output, 'write' | 'control'>, text: string): void => {
  if (out.control === undefined) out.write(text)
  else out.control(text)
}
