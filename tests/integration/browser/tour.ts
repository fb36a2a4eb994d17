// node tests/integration/browser/tour.ts --into DIR [--only odd,day,large]: takes pictures of every page of the dashboard for users of Kerf and
// of upstream Karpenter, so that a person can compare them. Needs Chromium; `day` needs Prometheus.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { karpenterKinds, kinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { Page } from 'playwright-core'
import { programOptions } from '../../../tools/program-options.ts'
import { root } from '../../../tools/source-files.ts'
import { launchChromium } from './chromium.ts'
import { languages, speak } from './walk/languages.ts'
import { type OpenedClusters, openDay, openLarge } from './walk/large-clusters.ts'
import { openSmallCluster } from './walk/small-cluster.ts'
import { WalkedPages } from './walk/walked-pages.ts'
import { settled } from './walk/walker.ts'

/** Names of objects in the cluster that the pictures show. */
interface Names {
  readonly pool: string
  readonly claim: string
  readonly node: string
}

interface Shot {
  readonly name: string
  /** What a person should see. */
  readonly shows: string
  path(names: Names): string
  /** Changes the page to the state that the picture shows. */
  act?(page: Page, names: Names): Promise<void>
  /** Closes dialogs and menus that would cover the next page. */
  leave?(page: Page): Promise<void>
}

const SHORT_WAIT = 30_000

/** Clicks the first button with this name, if there is one. */
const clickFirst = async (page: Page, name: string | RegExp): Promise<void> => {
  const button = page.getByRole('button', { name }).first()
  if ((await button.count()) === 0) return
  await button.click({ timeout: SHORT_WAIT })
  await settled(page)
}

const shots: readonly Shot[] = [
  { name: 'overview', shows: 'cost, least cost, what is kept, what goes next, the last hour', path: () => 'karpenter' },
  { name: 'decisions', shows: 'each node once, grouped by reason', path: () => 'karpenter/decisions' },
  {
    name: 'decisions-open',
    shows: 'a group with its nodes and times',
    path: () => 'karpenter/decisions',
    act: async (page) => {
      const group = page.locator('main .MuiAccordionSummary-root').first()
      if ((await group.count()) > 0) await group.click()
      await settled(page)
    },
  },
  { name: 'pending-pods', shows: 'why each pod waits', path: () => 'karpenter/pending-pods' },
  {
    name: 'explain-pod',
    shows: 'the remedy first, and one verdict for each NodePool',
    path: () => 'karpenter/pending-pods',
    act: (page) => clickFirst(page, /^Explain/),
  },
  { name: 'node-pools', shows: 'all columns without a cut name', path: () => 'karpenter/nodepools' },
  {
    name: 'node-pool',
    shows: 'usage, budgets and decisions of a NodePool',
    path: ({ pool }) => `karpenter/nodepools/${pool}`,
  },
  {
    name: 'editor',
    shows: 'what a changed label would do: drift, nodes, cost',
    path: ({ pool }) => `karpenter/nodepools/${pool}`,
    act: async (page) => {
      await clickFirst(page, /^Edit and preview/)
      await page.locator('.monaco-editor .view-lines').first().waitFor({ timeout: SHORT_WAIT })
      await page.locator('.monaco-editor .view-lines').getByText('nodeClassRef').first().click()
      await page.keyboard.press('Home')
      // Insert the text at once. If it were typed, Enter would accept a suggestion of the editor.
      await page.keyboard.insertText('terminationGracePeriod: 1h\n      ')
      await page.getByTestId('kerf-effect').getByText(/drift/).first().waitFor({ timeout: SHORT_WAIT })
      await settled(page)
    },
    leave: async (page) => {
      await clickFirst(page, 'Undo changes')
      await clickFirst(page, 'Close')
    },
  },
  { name: 'node-claims', shows: 'all columns without a cut name', path: () => 'karpenter/nodeclaims' },
  { name: 'node-claim', shows: 'why this node is kept', path: ({ claim }) => `karpenter/nodeclaims/${claim}` },
  {
    name: 'node',
    shows: 'why this node is kept, on the host’s page',
    path: ({ node }) => `nodes/${node}`,
    act: async (page) => {
      const why = page.getByRole('heading', { name: /Why this node is kept/ })
      if ((await why.count()) > 0) await why.first().scrollIntoViewIfNeeded()
    },
  },
  { name: 'nodes', shows: 'the host’s list with its own columns readable', path: () => 'nodes' },
  { name: 'node-classes', shows: 'node classes of every provider', path: () => 'karpenter/nodeclasses' },
  { name: 'metrics', shows: 'charts with whole numbers and dates', path: () => 'karpenter/metrics' },
  { name: 'fullness', shows: 'requests against allocatable', path: () => 'karpenter/fullness' },
  { name: 'policies', shows: 'policies of each NodePool', path: () => 'karpenter/policies' },
  { name: 'map', shows: 'NodePools with their NodeClaims and Nodes', path: () => 'map' },
]

const widths = [
  { name: '1440', width: 1440, height: 900 },
  { name: '1024', width: 1024, height: 768 },
] as const

const openOdd = async (): Promise<OpenedClusters> => {
  const { connection, controller, client, close } = await openSmallCluster(Date.now())
  const clusters = [
    { name: 'kerf', connection, controller },
    { name: 'upstream', connection },
  ]
  return { clusters, client, close }
}

const tours: Readonly<Record<string, () => Promise<OpenedClusters>>> = { odd: openOdd, day: openDay, large: openLarge }

/** Returns the NodePool, NodeClaim and Node with the most to show: the NodePool with the most claims, and its first registered claim. */
const namesIn = async (client: KubeClient): Promise<Names> => {
  const { items: claims } = await client.list(karpenterKinds.NodeClaim)
  const poolOf = (claim: (typeof claims)[number]): string => claim.metadata.labels?.['karpenter.sh/nodepool'] ?? ''
  const sizes = [...Map.groupBy(claims, poolOf)].toSorted(([, a], [, b]) => b.length - a.length)
  const [pool = ''] = sizes[0] ?? []
  const pods = (await client.list(kinds.Pod)).items
  const held = pods.find(({ metadata }) => metadata.annotations?.['karpenter.sh/do-not-disrupt'] === 'true')
  const registered = claims.filter((claim) => poolOf(claim) === pool && claim.status?.nodeName !== undefined)
  const claim = claims.find(({ status }) => status?.nodeName === held?.spec.nodeName) ?? registered[0]
  return { pool, claim: claim?.metadata.name ?? '', node: claim?.status?.nodeName ?? '' }
}

const print = (line: string): void => void process.stderr.write(`${line}\n`)

/** The maximum height of a picture, in CSS pixels. */
const TALLEST = 4_000

/** Makes the window as high as the page, because Headlamp scrolls its main part and not the page. */
const showWhole = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  if (size === null) return
  const hidden = (await page.evaluate(`(() => {
    const main = document.querySelector('main')
    if (document.querySelector('[role="dialog"], .react-flow') !== null) return 0
    let most = 0
    for (let part = main; part !== null; part = part.parentElement) most = Math.max(most, part.scrollHeight - part.clientHeight)
    return most
  })()`)) as number
  if (hidden === 0) return
  await page.setViewportSize({ width: size.width, height: Math.min(TALLEST, size.height + hidden) })
  await settled(page)
}

const take = async (page: Page, { act }: Shot, names: Names, file: string): Promise<void> => {
  try {
    await act?.(page, names)
  } catch (error) {
    print(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    process.exitCode = 1
  }
  await showWhole(page)
  await page.screenshot({ path: file })
}

/** Takes every picture of one cluster, in English for both controllers and the overview in the other languages. */
const tour = async (name: string, into: string): Promise<void> => {
  const opened = await (tours[name] ?? openOdd)()
  const names = await namesIn(opened.client)
  try {
    for (const language of languages) {
      const prepare = async (context: Parameters<typeof speak>[0]) => {
        await speak(context, language)
        await opened.prepare?.(context)
      }
      const walk = await WalkedPages.open(opened.clusters, prepare, launchChromium)
      try {
        const wanted = language.code === 'en' ? shots : shots.filter((shot) => shot.name === 'overview')
        for (const controller of opened.clusters.map((each) => each.name)) {
          for (const shot of wanted) {
            for (const { name: size, width, height } of widths) {
              const page = await walk.goTo(controller, shot.path(names))
              await page.setViewportSize({ width, height })
              await settled(page)
              const suffix = language.code === 'en' ? '' : `-${language.code}`
              await take(page, shot, names, join(into, `${name}-${controller}-${shot.name}${suffix}-${size}.png`))
              await page.keyboard.press('Escape')
              await shot.leave?.(page)
            }
          }
          print(`${name}, ${controller}, ${language.name}: ${wanted.length * widths.length} pictures`)
        }
        for (const complaint of walk.complaints) print(complaint)
      } finally {
        await walk.close()
      }
    }
  } finally {
    await opened.close()
  }
}

const { values } = programOptions(
  'npm run pictures:tour: takes pictures of every page of the dashboard, for users of Kerf and of upstream Karpenter.',
  { options: { into: { type: 'string' }, only: { type: 'string' } } },
)
const into = resolve(values.into ?? '')
const asked = (values.only ?? Object.keys(tours).join()).split(',')
const unknown = asked.filter((name) => tours[name] === undefined)
if (values.into === undefined || into === root || into.startsWith(`${root}${sep}`)) {
  print('--into must be a directory outside the repository')
  process.exitCode = 2
} else if (unknown.length > 0) {
  print(`--only knows ${Object.keys(tours).join(', ')}, not ${unknown.join(', ')}`)
  process.exitCode = 2
} else {
  mkdirSync(into, { recursive: true })
  const lines = shots.map(({ name, shows }) => `- ${name}: ${shows}`)
  writeFileSync(join(into, 'README.md'), `# Pictures\n\nCLUSTER-CONTROLLER-PAGE-WIDTH.png\n\n${lines.join('\n')}\n`)
  for (const name of asked) await tour(name, into)
}
