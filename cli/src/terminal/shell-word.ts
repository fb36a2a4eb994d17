/** The text as one word for a POSIX shell: unchanged if it has no special characters, otherwise in quotes. */
export const shellWord = (text: string): string =>
  /^[\w./,:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The command that sets a variable for what is started from the shell: a POSIX shell, or PowerShell on Windows. */
export const exportCommand = (name: string, value: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? `$env:${name} = '${value.replaceAll("'", "''")}'` : `export ${name}=${shellWord(value)}`
