import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** Colours text. Returns it unchanged when colour is off (`NO_COLOR`, a pipe, a dumb terminal). */
export type Style = (format: Format, text: string) => string

export const plain: Style = (_format, text) => text
const coloured: Style = (format, text) => styleText(format, text, { validateStream: false })

/** Follows the conventions of https://no-color.org and `FORCE_COLOR`. */
export const hasColour = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean => {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return true
  return stream.isTTY === true && env['TERM'] !== 'dumb'
}

export const styleFor = (...given: Parameters<typeof hasColour>): Style => (hasColour(...given) ? coloured : plain)
