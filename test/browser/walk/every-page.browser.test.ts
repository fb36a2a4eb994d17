import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import uk from '../../../headlamp-plugin/src/locales/uk/translation.json' with { type: 'json' }
import zh from '../../../headlamp-plugin/src/locales/zh/translation.json' with { type: 'json' }
import { type Counted, countIn } from './counted.ts'
import { checkClaims, checkOverview, checkPending, checkPodsOf, checkPool, checkPools, says } from './numbers.ts'
import { fillWithOddObjects } from './odd-objects.ts'
import { openWalkedCluster, type WalkedCluster } from './walked-cluster.ts'
import { WalkedPages } from './walked-pages.ts'
import { appearances, inWords, layoutProblemsOf, numbersWithoutLink, problemsOf, sizes } from './walker.ts'

const HOUR = 3_600_000
/** How long ago the events of the small cluster were, so that they are lately for as long as the test takes. */
const EVENTS_AGO = HOUR / 6

/** Whose cluster it is: with Kerf, whose port can be asked, or as a user of upstream's has it. */
type Controller = 'kerf' | 'upstream'

// A page is looked at in three sizes and two appearances: half a minute on two cores, more on a busy machine.
vi.setConfig({ testTimeout: 5 * 60_000 })

let cluster: WalkedCluster
let walk: WalkedPages
let counted: Counted

beforeAll(async () => {
  const end = Date.now()
  cluster = await openWalkedCluster(end, 4 * HOUR, (client) => fillWithOddObjects(client, end - EVENTS_AGO))
  counted = await countIn(cluster.client)
  const { connection, controller } = cluster
  walk = await WalkedPages.open([
    { name: 'kerf', connection, controller },
    { name: 'upstream', connection },
  ])
}, 900_000)
afterAll(async () => {
  await walk?.close()
  await cluster?.close()
})

const goTo = (controller: Controller, path: string): Promise<Page> => walk.goTo(controller, path)

const paths = [
  'karpenter',
  'karpenter/nodepools',
  'karpenter/nodepools/general',
  'karpenter/nodepools/broken',
  'karpenter/nodeclaims',
  'karpenter/nodeclaims/plain',
  'karpenter/nodeclaims/draining',
  'karpenter/nodeclasses',
  'karpenter/nodeclasses/karpenter.k8s.aws/EC2NodeClass/default',
  'karpenter/nodeoverlays',
  'karpenter/nodeoverlays/dearer',
  'karpenter/capacitybuffers',
  'karpenter/capacitybuffers/shop/spare',
  'karpenter/pending-pods',
  'karpenter/decisions',
  'karpenter/metrics',
  'nodes/draining',
  'pods/shop/train',
] as const

/** What another controller does not report changes these pages; the others are the same. */
const otherwise = ['karpenter', 'karpenter/nodeclaims/draining', 'karpenter/pending-pods', 'karpenter/metrics'] as const

describe('a small cluster with every odd state', () => {
  test.each(paths)(
    '%s: nothing runs out of its place, is cut, unreadable or out of the keyboard’s reach',
    async (path) => {
      const page = await goTo('kerf', path)
      expect(inWords(await problemsOf(page, appearances))).toEqual([])
    },
  )

  test.each(otherwise)('%s, as a user of upstream’s has it', async (path) => {
    const page = await goTo('upstream', path)
    expect(
      inWords(
        await problemsOf(
          page,
          appearances.filter(({ name }) => name === '1440' || name === '200 %'),
        ),
      ),
    ).toEqual([])
  })
})

describe.each(['kerf', 'upstream'] as const)('every number is what the API server has: %s', (controller) => {
  test('overview', async () => checkOverview(await goTo(controller, 'karpenter'), counted))

  test('overview: from each number a link leads to what is behind it', async () => {
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
    await checkPodsOf(await goTo(controller, 'karpenter/nodeclaims/plain'), counted, 'plain', 'web-plain-0')
  })

  test('pending pods', async () => checkPending(await goTo(controller, 'karpenter/pending-pods'), counted))

  test('what is short for a pod is named, whatever keeps it', async () => {
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
})

/** Texts of other languages are longer, or have no spaces at which a line can end. Only nightly: they change seldom. */
describe.skipIf(process.env['KERF_NIGHTLY'] === undefined).each([
  ['Ukrainian', 'uk', uk.overview],
  ['Chinese', 'zh', zh.overview],
])('in %s (nightly)', (_name, language, heading) => {
  const speak = async (chosen: string): Promise<Page> => {
    const page = await goTo('kerf', 'karpenter')
    const settings = JSON.stringify({ '@kerf/headlamp-plugin': { language: chosen } })
    await page.evaluate(`localStorage.setItem('pluginConfigs', ${JSON.stringify(settings)})`)
    await page.reload()
    return page
  }

  beforeAll(async () => {
    const page = await speak(language)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  })
  afterAll(async () => {
    await speak('auto')
  })

  test.each(paths)('%s: nothing runs out of its place or is cut', async (path) => {
    const page = await goTo('kerf', path)
    expect(inWords(await layoutProblemsOf(page, sizes))).toEqual([])
  })
})

test('no page complained', () => {
  expect(walk.complaints).toEqual([])
})
