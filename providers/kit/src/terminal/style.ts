import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** Formats text for a stream. */
export interface Style {
  /** Returns the text with colours. Returns it unchanged if colours are off (`NO_COLOR`, a pipe, a dumb terminal). */
  (format: Format, text: string): string
  /** The number of columns of the terminal. Infinity for a pipe, so that nothing is cut. */
  readonly width: number
}

type Paint = (format: Format, text: string) => string
const unpainted: Paint = (_format, text) => text
/** The mark is used only for the escape sequences of this style, not for those in the text itself. */
const painted =
  (mark = '\u001b'): Paint =>
  (format, text) => {
    const [before = '', after = ''] = styleText(format, ' ', { validateStream: false }).split(' ')
    return `${before.replaceAll('\u001b', mark)}${text}${after.replaceAll('\u001b', mark)}`
  }

const styleWith = (paint: Paint, width: number): Style =>
  Object.assign((...given: Parameters<Paint>) => paint(...given), { width })

export const plain: Style = styleWith(unpainted, Number.POSITIVE_INFINITY)

/** Returns whether colours should be used, according to https://no-color.org and `FORCE_COLOR`. */
export const hasColour = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean => {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return true
  return stream.isTTY === true && env['TERM'] !== 'dumb'
}

/** Returns the number of columns of the terminal. Infinity for a pipe, so that nothing is cut. */
export const terminalWidth = ({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number =>
  isTTY === true ? (columns ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY

/** Returns the style for a stream: with colours if the stream supports them, and with the width of the terminal if it is one. */
export const styleFor = (
  stream: { readonly isTTY?: boolean; readonly columns?: number; readonly styleMark?: string },
  env: Readonly<Record<string, string | undefined>>,
): Style => styleWith(hasColour(stream, env) ? painted(stream.styleMark) : unpainted, terminalWidth(stream))
