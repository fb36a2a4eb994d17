/** Returns the text as one word for a POSIX shell: unchanged if it has no special characters, otherwise in quotes. */
export const shellWord = (text: string): string =>
  /^[\w./,:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the command that sets a variable for programs started from the shell: for a POSIX shell, or for PowerShell on Windows. */
export const exportCommand = (name: string, value: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? `$env:${name} = '${value.replaceAll("'", "''")}'` : `export ${name}=${shellWord(value)}`
