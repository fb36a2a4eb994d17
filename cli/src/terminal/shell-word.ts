/** The text as one word for a POSIX shell: unchanged if it has no special characters, otherwise in quotes. */
export const shellWord = (text: string): string =>
  /^[\w./,:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
