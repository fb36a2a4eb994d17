import type { Page } from 'playwright-core'

/** A page of the dashboard, and the elements that must be visible before it is useful. */
export interface MeasuredPage {
  readonly name: string
  /** The path below the cluster's URL. */
  readonly path: string
  /** The target for this page: seconds until the page is useful if nothing is cached. */
  readonly target: number
  isUseful(page: Page): Promise<unknown>
}

const COLD = 1
const MAP = 3

/** Finds a box of the map that is large enough to read and is inside the visible area. */
const FITTED = `[...document.querySelectorAll('.react-flow__node')].some((box) => {
  const pane = box.closest('.react-flow').getBoundingClientRect()
  const { left, top, right, bottom, width } = box.getBoundingClientRect()
  const isInside = left >= pane.left && top >= pane.top && right <= pane.right && bottom <= pane.bottom
  return isInside && width > 20 && /general/.test(box.textContent)
})`

const link =
  (name: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByRole('link', { name }).first().waitFor()
const text =
  (wanted: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByText(wanted).first().waitFor()

export const measuredPages: readonly MeasuredPage[] = [
  {
    ...{ name: 'Overview', path: 'karpenter', target: COLD },
    isUseful: (page) => page.locator('main .MuiPaper-root', { hasText: '$' }).first().waitFor(),
  },
  { name: 'Node pools', path: 'karpenter/nodepools', target: COLD, isUseful: link('general') },
  { name: 'Node claims', path: 'karpenter/nodeclaims', target: COLD, isUseful: link(/^claim-/) },
  {
    ...{ name: 'Node classes', path: 'karpenter/nodeclasses', target: COLD },
    isUseful: (page) =>
      page
        .getByRole('heading', { name: /NodeClass/ })
        .first()
        .waitFor(),
  },
  { name: 'Pending pods', path: 'karpenter/pending-pods', target: COLD, isUseful: text(/pod-\d*99/) },
  {
    ...{ name: 'Decisions', path: 'karpenter/decisions', target: COLD },
    isUseful: (page) => page.getByRole('slider').waitFor(),
  },
  {
    ...{ name: 'Metrics', path: 'karpenter/metrics', target: COLD },
    isUseful: (page) => page.getByLabel(/^Nodes by type/).waitFor(),
  },
  { name: 'Node pool', path: 'karpenter/nodepools/general', target: COLD, isUseful: text('of 4,000') },
  { name: 'Node claim', path: 'karpenter/nodeclaims/claim-node-0', target: COLD, isUseful: text('kwok://node-0') },
  { name: 'Map', path: 'map', target: MAP, isUseful: (page) => page.waitForFunction(FITTED) },
]

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

export interface Taken {
  readonly least: number
  readonly median: number
  readonly most: number
}

/** Returns the seconds from opening a URL until the page is useful. Loads the page anew each time. */
export const timePage = async (
  page: Page,
  base: string,
  { path, isUseful }: MeasuredPage,
  runs: number,
): Promise<Taken> => {
  const taken: number[] = []
  for (let run = 0; run < runs; run++) {
    await page.goto('about:blank')
    const began = performance.now()
    await page.goto(`${base}${path}`, { waitUntil: 'commit' })
    await isUseful(page)
    taken.push((performance.now() - began) / 1000)
  }
  return { least: Math.min(...taken), median: median(taken), most: Math.max(...taken) }
}
