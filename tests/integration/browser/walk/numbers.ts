import { untilPasses } from '@kerf/control-plane/progress'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { tableRow } from '../table-row.ts'
import { findTile } from '../tile.ts'
import { type Counted, costWords } from './counted.ts'

/** The number of table rows on one page. */
const ROWS = 15
/** The maximum number of groups above the table of pending pods. A line below them counts the remaining groups. */
const GROUPS = 20

/** Waits until the assertions pass, because the page loads its lists one after the other. */
export const says = (words: () => Promise<void>): Promise<void> => untilPasses(words, { what: 'the page to say it' })

/** Checks the total below a table. A table that fits on one page shows no total, so this counts the rows that link to objects. */
const countsTo = async (page: Page, count: number, below: string): Promise<void> => {
  if (count > ROWS) {
    await page
      .getByText(new RegExp(`^1.${ROWS} of ${count}$`))
      .first()
      .waitFor()
    return
  }
  const rows = page.locator('main tbody tr', { has: page.locator(`a[href*="/${below}/"]`) })
  await says(async () => expect(await rows.count()).toBe(count))
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Checks the overview's tiles, and the number of nodes and the cost of each NodePool. */
export const checkOverview = async (page: Page, counted: Counted): Promise<void> => {
  const { claims, launched, draining, nodes, cost, pending, pools } = counted
  const tile = async (title: string): Promise<readonly string[]> => lines(await findTile(page, title).innerText())
  await says(async () => {
    const cents = await tile('Cost per hour')
    const unpriced = `${cost.unpriced} node${cost.unpriced === 1 ? '' : 's'} without a known price`
    expect(cents.slice(0, 2)).toEqual(['Cost per hour', costWords(cost)])
    if (cost.unpriced > 0) expect(cents[2]).toBe(unpriced)
    const told = `${claims} node claim${claims === 1 ? '' : 's'}, ${launched} launched, ${draining} draining`
    expect(await tile('Nodes')).toEqual(['Nodes', String(nodes), told])
    expect((await tile('Pending pods')).slice(0, 2)).toEqual(['Pending pods', String(pending)])
  })
  const rows = await page.getByRole('region', { name: 'Nodes by pool' }).getByRole('listitem').allInnerTexts()
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    const [name = '', kinds = '', price = ''] = row.split('\n').map((each) => each.trim())
    // NodeClaims of a deleted NodePool may still exist, but only existing pools have their own line. The last line is for all other pools.
    const pool = pools.get(name)
    if (pool === undefined) continue
    const said = Object.fromEntries(
      kinds.split(' · ').map((each) => [each.replace(/^\d+ /, ''), Number.parseInt(each, 10)]),
    )
    expect([name, said, price]).toEqual([name, pool.byCapacityType, costWords(pool.cost)])
  }
}

/** Checks the table rows of these NodePools. */
export const checkPools = async (page: Page, counted: Counted, names: readonly string[]): Promise<void> => {
  // A narrower window hides some of the columns.
  await page.setViewportSize({ width: 1680, height: 900 })
  for (const name of names) {
    const { drifted, weight, nodes } = counted.pools.get(name) ?? { drifted: -1, weight: -1, nodes: -1 }
    await says(async () =>
      expect(await tableRow(page, name)).toMatchObject({
        Nodes: String(nodes),
        Drifted: String(drifted),
        Weight: String(weight),
      }),
    )
  }
}

/** Checks the cost and the NodeClaims on the page of a NodePool. */
export const checkPool = async (page: Page, counted: Counted, name: string): Promise<void> => {
  const { cost, claims } = counted.pools.get(name) ?? { cost: { sum: -1, unpriced: 0 }, claims: -1 }
  await page.getByRole('heading', { name: `Cost per hour: ${costWords(cost)}` }).waitFor()
  await countsTo(page, claims, 'nodeclaims')
}

/** Checks the number of NodeClaims, and the price of each claim on the visible page. */
export const checkClaims = async (page: Page, counted: Counted): Promise<void> => {
  await countsTo(page, counted.claims, 'nodeclaims')
  expect(await page.locator('main tbody tr').count()).toBe(Math.min(ROWS, counted.claims))
  const names = await page.locator('main tbody tr a[href*="/nodeclaims/"]').allInnerTexts()
  expect(names).toHaveLength(Math.min(ROWS, counted.claims))
  for (const name of names)
    expect([name, (await tableRow(page, name))['Price per hour']]).toEqual([name, counted.prices.get(name)])
}

/** Checks the list of pods on the page of a NodeClaim's node. One of them must be `pod`. */
export const checkPods = async (page: Page, counted: Counted, node: string, pod: string): Promise<void> => {
  const table = page.locator('main table', { has: page.getByRole('link', { name: pod }) }).first()
  await table.waitFor()
  expect(await table.locator('tbody tr').count()).toBe(counted.podsOn.get(node))
}

/** Checks the number of pending pods, and that the groups add up to it: the visible groups and the count of the remaining ones. */
export const checkPending = async (page: Page, counted: Counted): Promise<void> => {
  await countsTo(page, counted.pending, 'pods')
  const groups = await page.locator('main .MuiAccordionSummary-root').allInnerTexts()
  const shown = groups.map((line) => Number(/(\d+) pods?\n/.exec(line)?.[1]))
  const more = await page
    .locator('main')
    .getByText(/^and \d+ more$/)
    .allInnerTexts()
  // The page shows the largest groups, so the smallest groups are the ones that it does not show.
  const notShown = more.length === 0 ? [] : counted.pendingGroups.slice(GROUPS)
  expect(more).toEqual(notShown.length === 0 ? [] : [`and ${notShown.length} more`])
  if (more.length > 0) expect(shown).toEqual(counted.pendingGroups.slice(0, GROUPS))
  expect([...shown, ...notShown].reduce((sum, count) => sum + count, 0)).toBe(counted.pending)
}
