// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const COLOUR = /^\[[0-9;]*m/

const shown = (character: string): string => {
  if (character === '\r') return '\\r'
  const code = character.charCodeAt(0)
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/**
 * Returns the text with control characters made visible, escape as `^[`: names and messages of a cluster can otherwise clear a
 * terminal, set its title or hide text (kubectl does so since CVE-2021-25743). Tabs and line ends are left.
 */
export const harmless = (text: string): string => text.replaceAll(CONTROLS, shown)

/**
 * `harmless`, except for the colours of Kerf's own styles. `mark` stands for escape in those; it is escape itself for a stream that has no other, which
 * then shows the colours in names too.
 */
export const harmlessStyled = (text: string, mark = '\u001b'): string => {
  const [first = '', ...rest] = text.split(mark)
  const others = rest.map((part) => {
    const [colour] = COLOUR.exec(part) ?? []
    return colour === undefined ? harmless(`${mark}${part}`) : `\u001b${colour}${harmless(part.slice(colour.length))}`
  })
  return `${harmless(first)}${others.join('')}`
}
