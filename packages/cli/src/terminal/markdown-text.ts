/** Characters that have a meaning in Markdown anywhere in a line. */
const SPECIAL = /[\\`*_[\]|~]/g

/**
 * Returns the text on one line and escaped for Markdown, so that names and messages from a cluster cannot become headings, links, HTML or
 * the end of a table cell.
 */
export const markdownText = (text: string): string =>
  text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll(SPECIAL, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(
      /^(\s*)([#>+-]|\d+[.)])/,
      (_all, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`,
    )
    // Markdown converts plain URLs into links.
    .replaceAll('://', '&#58;//')
    .replaceAll(/\bwww\./gi, (all) => `${all.slice(0, -1)}&#46;`)

/** Returns a row of a Markdown table. */
export const markdownRow = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`
