/** Returns the text as one word for a POSIX shell. It is quoted if it contains special characters. */
export const shellWord = (text: string): string =>
  /^[\w./,:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the shell command that sets an environment variable: for PowerShell on Windows, otherwise for a POSIX shell. */
export const exportCommand = (name: string, value: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? `$env:${name} = '${value.replaceAll("'", "''")}'` : `export ${name}=${shellWord(value)}`
