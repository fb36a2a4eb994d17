import type { Locator, Page } from 'playwright-core'

/** A tile of the overview, by its title. */
export const tileOf = (page: Page, title: string): Locator =>
  page.locator('main .MuiPaper-root', { has: page.getByText(title, { exact: true }) }).first()
