/** A word as a POSIX shell takes it: as it is where no character means more than itself, in quotes otherwise. */
export const shellWord = (text: string): string =>
  /^[\w./,:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
