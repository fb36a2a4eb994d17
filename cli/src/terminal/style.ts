import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** How text is shown on a stream. */
export interface Style {
  /** Colours text. Returns it unchanged when colour is off (`NO_COLOR`, a pipe, a dumb terminal). */
  (format: Format, text: string): string
  /** Columns of the terminal; without end in a pipe, where nothing is cut. */
  readonly width: number
}

type Paint = (format: Format, text: string) => string
const unpainted: Paint = (_format, text) => text
/** A text may hold sequences of an inner style, and of others. Only those of this one get the mark. */
const painted =
  (mark = '\u001b'): Paint =>
  (format, text) => {
    const [before = '', after = ''] = styleText(format, ' ', { validateStream: false }).split(' ')
    return `${before.replaceAll('\u001b', mark)}${text}${after.replaceAll('\u001b', mark)}`
  }

const styleWith = (paint: Paint, width: number): Style =>
  Object.assign((...given: Parameters<Paint>) => paint(...given), { width })

export const plain: Style = styleWith(unpainted, Number.POSITIVE_INFINITY)

/** Follows the conventions of https://no-color.org and `FORCE_COLOR`. */
export const hasColour = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean => {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return true
  return stream.isTTY === true && env['TERM'] !== 'dumb'
}

/** Columns of a terminal; without end in a pipe, where nothing is cut. */
export const widthOf = ({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number =>
  isTTY === true ? (columns ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY

/** The style of a stream: colours if it has them, and its width if it is a terminal. */
export const styleFor = (
  stream: { readonly isTTY?: boolean; readonly columns?: number; readonly styleMark?: string },
  env: Readonly<Record<string, string | undefined>>,
): Style => styleWith(hasColour(stream, env) ? painted(stream.styleMark) : unpainted, widthOf(stream))
