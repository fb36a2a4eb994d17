/** Returns a pattern that matches the text with any line breaks and spaces between its words. */
export const textPattern = (text: string): RegExp =>
  new RegExp(
    text
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'))
      .join('\\s*'),
    'g',
  )

/** Returns the number of occurrences of the text. */
export const occurrences = (source: string, text: string): number => source.match(textPattern(text))?.length ?? 0
