/** What Markdown gives a meaning to anywhere in a line. */
const SPECIAL = /[\\`*_[\]|~]/g

/**
 * Returns the text as Markdown that shows it as it is, on one line: names and messages of a cluster may hold what would become a
 * heading, a link, HTML or the end of a table's cell.
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
    // Addresses become links without any mark.
    .replaceAll('://', '&#58;//')
    .replaceAll(/\bwww\./gi, (all) => `${all.slice(0, -1)}&#46;`)

/** A row of a Markdown table. */
export const markdownRow = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`
