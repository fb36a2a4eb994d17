import type { Locator, Page } from 'playwright-core'

/** Returns the tile with this title on the overview page. */
export const findTile = (page: Page, title: string): Locator =>
  page.locator('main .MuiPaper-root', { has: page.getByText(title, { exact: true }) }).first()
