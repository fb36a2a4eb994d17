/** Returns a pattern that matches the text, whatever line breaks and spaces the formatter puts between its words. */
export const textPattern = (text: string): RegExp =>
  new RegExp(
    text
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&'))
      .join('\\s*'),
    'g',
  )

/** Returns how often the text occurs. */
export const occurrences = (source: string, text: string): number => source.match(textPattern(text))?.length ?? 0
