import type { Page } from 'playwright-core'

const clean = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the text of each cell in a table row, keyed by column heading. The row is the one that contains a link with this name. */
export const tableRow = async (page: Page, name: string): Promise<Readonly<Record<string, string>>> => {
  const row = page.locator('main tr', { has: page.getByRole('link', { name, exact: true }) }).first()
  await row.waitFor()
  const texts = await row.evaluate((element) => {
    const textsOf = (parts: Iterable<{ readonly innerText: string }>) => Array.from(parts, (part) => part.innerText)
    const headings = element.closest('table')?.querySelectorAll('thead th')
    return { heads: textsOf(headings as never), cells: textsOf(element.querySelectorAll('td') as never) }
  })
  const heads = texts.heads.map((text) => clean(text).replace(/ ?\d+$/, ''))
  const cells = texts.cells.map(clean)
  return Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? '']))
}
