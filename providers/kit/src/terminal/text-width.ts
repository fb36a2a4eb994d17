const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches escape sequences
const ESCAPES = /\u001b(?:\{[0-9a-f-]*\})?\[[0-9;]*m/g

/**
 * Returns the number of columns that a text occupies in a terminal. Colour codes occupy none, and East Asian and emoji characters occupy
 * two.
 */
export const textWidth = (text: string): number => {
  const bare = text.replace(ESCAPES, '')
  if (/^[\u0020-\u007e]*$/.test(bare)) return bare.length
  let width = 0
  for (const { segment } of segments.segment(bare)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** Cuts a text without colours to `width` columns. If the text was cut, it ends with `…`. */
export const clip = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  let out = ''
  let used = 0
  for (const { segment } of segments.segment(text)) {
    const next = WIDE.test(segment) ? 2 : 1
    if (used + next > width - 1) break
    out += segment
    used += next
  }
  return `${out}…`
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - textWidth(text))) + text
