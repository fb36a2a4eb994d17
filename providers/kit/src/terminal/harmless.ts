// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const COLOUR = /^\[[0-9;]*m/

const shown = (character: string): string => {
  if (character === '\r') return '\\r'
  const code = character.charCodeAt(0)
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/**
 * Returns the text with visible control characters, for example `^[` for escape. Otherwise, names and messages from a cluster could clear
 * the terminal, set its title or hide text. kubectl has done the same since CVE-2021-25743. Tabs and line ends do not change.
 */
export const harmless = (text: string): string => text.replaceAll(CONTROLS, shown)

/**
 * Like `harmless`, but keeps the colours of Kerf's own styles, in which `mark` replaces the escape character. The default mark is the
 * escape character itself, so that colours in names are also kept.
 */
export const harmlessStyled = (text: string, mark = '\u001b'): string => {
  const [first = '', ...rest] = text.split(mark)
  const others = rest.map((part) => {
    const [colour] = COLOUR.exec(part) ?? []
    return colour === undefined ? harmless(`${mark}${part}`) : `\u001b${colour}${harmless(part.slice(colour.length))}`
  })
  return `${harmless(first)}${others.join('')}`
}
