import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the serious and critical accessibility violations that axe finds in the main part of the page. */
export const seriousViolations = async (page: Page): Promise<readonly unknown[]> => {
  await page.evaluate(axe)
  const found = (await page.evaluate(
    `axe.run('main', { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 200))]))`,
  )) as readonly (readonly [string, string, readonly string[]])[]
  return found.filter(([impact]) => impact === 'serious' || impact === 'critical')
}
