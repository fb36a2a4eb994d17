import { sampled } from '@kerf/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counted, countIn } from './counted.ts'
import { checkClaims, checkOverview, checkPending, checkPods, checkPool, checkPools, says } from './numbers.ts'
import { openSmallCluster } from './small-cluster.ts'
import type { WalkedCluster } from './walked-cluster.ts'
import { WalkedPages } from './walked-pages.ts'
import { walkedPaths } from './walked-paths.ts'
import { type Appearance, appearances, inWords, numbersWithoutLink, pageProblems } from './walker.ts'

/** The controller that the dashboard reaches: Kerf with an accessible port, or upstream Karpenter. */
type Controller = 'kerf' | 'upstream'

let cluster: WalkedCluster
let walk: WalkedPages
let counted: Counted

beforeAll(async () => {
  cluster = await openSmallCluster(Date.now())
  counted = await countIn(cluster.client)
  const { connection, controller } = cluster
  walk = await WalkedPages.open([
    { name: 'kerf', connection, controller },
    { name: 'upstream', connection },
  ])
})
afterAll(async () => {
  await walk?.close()
  await cluster?.close()
})

const goTo = (controller: Controller, path: string): Promise<Page> => walk.goTo(controller, path)

/**
 * The pages that look different with upstream Karpenter, because its controller reports less than Kerf's. All other pages are the same with
 * both.
 */
const otherwise = ['karpenter', 'karpenter/nodeclaims/draining', 'karpenter/pending-pods', 'karpenter/metrics'] as const

const looks = appearances.flatMap((look) => walkedPaths.map((path) => ({ path, look })))
const looksOtherwise = appearances
  .filter(({ name }) => name === '1440' || name === '200 %')
  .flatMap((look) => otherwise.map((path) => ({ path, look })))

/** Groups the pairs of page and appearance by page. */
const byPath = (cells: readonly { readonly path: string; readonly look: Appearance }[]) =>
  Array.from(
    Map.groupBy(cells, ({ path }) => path),
    ([path, ofPath]) => [path, ofPath.map(({ look }) => look)] as const,
  )

describe('a small cluster with objects in every unusual state', () => {
  test.each(byPath(sampled(looks, 12, 'pages × appearances')))(
    '%s: nothing overflows, is cut off or unreadable, and everything can be reached with the keyboard',
    async (path, inAppearances) => {
      const page = await goTo('kerf', path)
      expect(inWords(await pageProblems(page, inAppearances))).toEqual([])
    },
  )

  test.each(byPath(sampled(looksOtherwise, 2, 'pages × appearances of upstream’s')))(
    '%s, for a user of upstream Karpenter',
    async (path, inAppearances) => {
      const page = await goTo('upstream', path)
      expect(inWords(await pageProblems(page, inAppearances))).toEqual([])
    },
  )
})

describe.each(['kerf', 'upstream'] as const)(
  'every number equals the number of objects in the API server: %s',
  (controller) => {
    test('overview', async () => checkOverview(await goTo(controller, 'karpenter'), counted))

    test('overview: each number links to the objects that it counts', async () => {
      const page = await goTo(controller, 'karpenter')
      expect(await numbersWithoutLink(page)).toEqual([])
    })

    test('node pools', async () => {
      const page = await goTo(controller, 'karpenter/nodepools')
      await checkPools(page, counted, ['general', 'limited', 'frozen', 'tainted'])
    })

    test('a node pool', async () => {
      await checkPool(await goTo(controller, 'karpenter/nodepools/general'), counted, 'general')
    })

    test('node claims', async () => checkClaims(await goTo(controller, 'karpenter/nodeclaims'), counted))

    test('a node claim and its pods', async () => {
      await checkPods(await goTo(controller, 'karpenter/nodeclaims/plain'), counted, 'plain', 'web-plain-0')
    })

    test('pending pods', async () => checkPending(await goTo(controller, 'karpenter/pending-pods'), counted))

    test('the page names the missing resource or the reason, whatever keeps a pod pending', async () => {
      for (const [pod, words] of [
        ['train', /nvidia\.com\/gpu/],
        ['no-claim', /persistentvolumeclaim "?missing|PersistentVolumeClaim.*missing/i],
        ['gated', /held back by scheduling gates/],
      ] as const) {
        const page = await goTo(controller, `pods/shop/${pod}`)
        await page.locator('main .kerf').getByText(words).first().waitFor()
      }
    })

    test('decisions', async () => {
      const page = await goTo(controller, 'karpenter/decisions')
      await says(async () => {
        const text = await page.locator('main').innerText()
        for (const reason of ['FailedScheduling', 'Nominated', 'FailedDraining'])
          expect(text).toContain(`${reason}: ${counted.timesByReason[reason]}`)
      })
      const line = page.locator('main .MuiAccordionSummary-root', { hasText: 'FailedScheduling' }).first()
      expect(await line.innerText()).toContain(`${counted.timesByReason['FailedScheduling']} pods`)
    })
  },
)

test('no page logged errors', () => {
  expect(walk.complaints).toEqual([])
})
