import type { Page } from 'playwright-core'

/** Navigates a page as a click on a link would. Loading Headlamp again would cost four seconds of processor time. */
export const followLink = async (page: Page, pathname: string): Promise<void> => {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(pathname)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}
