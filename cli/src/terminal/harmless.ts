// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, and colours, which are left alone
const CONTROLS_OR_COLOUR = /\u001b\[[0-9;]*m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

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

/** `harmless`, which leaves colours alone. */
export const harmlessColoured = (text: string): string =>
  text.replaceAll(CONTROLS_OR_COLOUR, (found) => (found.length > 1 ? found : shown(found)))
