import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isolatedText } from '../../../packages/dashboard/plugin/src/model/message.ts'
import { seriousViolations } from './accessibility.ts'
import { BrowserDashboard } from './browser-dashboard.ts'
import { followLink } from './follow-link.ts'

let dashboard: BrowserDashboard

beforeAll(async () => {
  dashboard = await BrowserDashboard.start()
})
afterAll(async () => {
  await dashboard?.close()
})

const json = (route: Route, body: object, status = 200) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })

const forbidden = (what: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Forbidden',
  code: 403,
  message: `${what} is forbidden: User "reader" cannot list resource "${what}"`,
})

/** A message that is written from right to left, with an override of the direction that is not closed. */
const RIGHT_TO_LEFT = 'הצומת חסום \u202e(node-1)'

/** Asserts that the page is one of the plugin and shows content instead of Headlamp's error page. */
const expectAlive = async (page: Page, heading: string): Promise<void> => {
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
}

describe('invalid or incomplete objects', () => {
  const listOf = (kind: string, items: readonly object[]) => ({
    apiVersion: 'karpenter.sh/v1',
    kind: `${kind}List`,
    metadata: { resourceVersion: '1' },
    items,
  })
  const named = (name: string, more: object = {}) => ({
    apiVersion: 'karpenter.sh/v1',
    metadata: { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
    ...more,
  })
  const claims = [
    named('bare', { kind: 'NodeClaim' }),
    named('nothing', { kind: 'NodeClaim', spec: null, status: null }),
    named('wrong', {
      kind: 'NodeClaim',
      spec: 'x',
      status: { conditions: 'x', capacity: { cpu: 'lots', memory: '1e999' } },
    }),
    named('backwards', {
      kind: 'NodeClaim',
      status: {
        conditions: ['Consolidatable', 'Ready', 'Initialized', 'Registered', 'Launched'].map((type) => ({
          type,
          status: 'True',
        })),
      },
    }),
  ]
  const pools = [
    named('bare', { kind: 'NodePool' }),
    named('absurd', {
      kind: 'NodePool',
      spec: {
        limits: { cpu: 'many', memory: '-5', nodes: {} },
        template: { spec: { requirements: 'none', nodeClassRef: 7 } },
        disruption: { budgets: [{ nodes: 'half', schedule: 'never', duration: 'long' }, null, 'x'] },
      },
      status: { resources: 'x', conditions: [{}] },
    }),
  ]
  const events = {
    apiVersion: 'v1',
    kind: 'EventList',
    metadata: { resourceVersion: '1' },
    items: Array.from({ length: 10_000 }, (_, place) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `e${place}`, namespace: 'default', uid: `e${place}`, creationTimestamp: 'yesterday' },
      involvedObject: place % 3 === 0 ? null : { kind: 'NodeClaim', name: `c${place}` },
      reason: 'DisruptionBlocked',
      source: { component: 'karpenter' },
      message: RIGHT_TO_LEFT,
      lastTimestamp: place % 7 === 0 ? 'soon' : '2026-01-01T00:00:00Z',
    })),
  }
  const routes = {
    '**/apis/karpenter.sh/v1/nodeclaims?*': (route: Route) => json(route, listOf('NodeClaim', claims)),
    '**/apis/karpenter.sh/v1/nodeclaims': (route: Route) => json(route, listOf('NodeClaim', claims)),
    '**/apis/karpenter.sh/v1/nodepools?*': (route: Route) => json(route, listOf('NodePool', pools)),
    '**/apis/karpenter.sh/v1/nodepools': (route: Route) => json(route, listOf('NodePool', pools)),
    '**/api/v1/events?*': (route: Route) => json(route, events),
    '**/api/v1/events': (route: Route) => json(route, events),
  }

  let odd: Page | undefined
  test.each([
    ['karpenter', 'Overview'],
    ['karpenter/nodeclaims', 'Node claims'],
    ['karpenter/nodepools', 'Node pools'],
    ['karpenter/decisions', 'Decisions'],
    ['karpenter/metrics', 'Metrics'],
    ['karpenter/fullness', 'Fullness'],
    ['karpenter/policies', 'Policies'],
    ['karpenter/pending-pods', 'Pending pods'],
  ])('leave %s working', async (path, heading) => {
    if (odd === undefined || odd.isClosed()) odd = await dashboard.openWith('nodes', routes)
    const page = odd
    await followLink(page, new URL(page.url()).pathname.replace(/sandbox\/.*/, `sandbox/${path}`))
    await expectAlive(page, heading)
    if (path === 'karpenter/decisions') await page.getByText(isolatedText(RIGHT_TO_LEFT)).first().waitFor()
    if (path === 'karpenter/nodeclaims') {
      for (const { metadata } of claims) await page.getByRole('link', { name: metadata.name, exact: true }).waitFor()
    }
  })
})

describe('objects that the user may not list', () => {
  test('are named in a message, and the rest of the page works', async () => {
    const page = await dashboard.openWith('karpenter/pending-pods', {
      '**/api/v1/pods?*': (route) => json(route, forbidden('pods'), 403),
      '**/api/v1/events*': (route) => json(route, forbidden('events'), 403),
    })
    await expectAlive(page, 'Pending pods')
    await page.getByText('You are not allowed to list pods in this cluster.').waitFor()
    await followLink(page, new URL(page.url()).pathname.replace('pending-pods', 'decisions'))
    await page.getByText('You are not allowed to read events').waitFor()
    await followLink(page, new URL(page.url()).pathname.replace('decisions', 'nodepools'))
    await page.getByRole('link', { name: 'general', exact: true }).waitFor()
    await dashboard.discard(page)
  })
})

describe('Prometheus', () => {
  const services = (route: Route) =>
    json(route, {
      kind: 'ServiceList',
      apiVersion: 'v1',
      metadata: {},
      items: route.request().url().includes('prometheus')
        ? [{ metadata: { name: 'prom', namespace: 'monitoring' }, spec: { ports: [{ port: 9090 }] } }]
        : [],
    })
  const up = (route: Route) => json(route, { status: 'success', data: { resultType: 'vector', result: [] } })
  const asks: string[] = []
  /** The end of the fixed range, in seconds. */
  const FIXED_END = Date.parse('2026-01-02T05:00') / 1000
  /** With this many points, a chart has handles, which count as controls. */
  const MANY_POINTS = 12

  let opened: Page | undefined
  /** Shows the charts with these responses. All tests use the same page, which requests new data whenever it shows the charts again. */
  const showMetrics = async (answer: (route: Route) => Promise<void>): Promise<Page> => {
    const page =
      opened === undefined || opened.isClosed()
        ? await dashboard.openWith('karpenter/nodepools', {
            '**/api/v1/services?*': services,
            '**/proxy/api/v1/query?*': up,
          })
        : opened
    opened = page
    await page.route('**/proxy/api/v1/query_range?*', answer)
    for (const [path, heading] of [
      ['nodepools', 'Node pools'],
      ['metrics', 'Metrics'],
    ] as const) {
      await followLink(page, new URL(page.url()).pathname.replace(/karpenter\/.*/, `karpenter/${path}`))
      await expectAlive(page, heading)
    }
    return page
  }

  test('is found and queried, and the chart shows its series', async () => {
    const page = await showMetrics(async (route) => {
      asks.push(new URL(route.request().url()).searchParams.get('query') ?? '')
      const now = Math.floor(Date.now() / 1000)
      await json(route, {
        status: 'success',
        data: {
          resultType: 'matrix',
          result: [
            {
              metric: { nodepool: 'from-prometheus' },
              values: Array.from({ length: MANY_POINTS }, (_, place) => [
                now - 300 * (MANY_POINTS - place - 1),
                String(place),
              ]),
            },
          ],
        },
      })
    })
    const chart = page.getByLabel(/^Cost by node pool: from-prometheus/)
    await chart.waitFor()
    // With this many points, the chart has two handles that limit its time range. They also work with the keyboard.
    expect(await chart.getByRole('slider').count()).toBe(2)
    expect(await seriousViolations(page)).toEqual([])
    expect(await page.getByText('No Prometheus found').count()).toBe(0)
    expect(asks.some((query) => query.includes('karpenter_nodepools_cost_total'))).toBe(true)

    await page.getByRole('button', { name: 'Pause' }).click()
    const paused = page.getByRole('status').filter({ hasText: /^Paused at / })
    await paused.waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await paused.waitFor({ state: 'detached' })

    await page.getByRole('combobox', { name: 'Time range' }).click()
    await page.getByRole('option', { name: 'from – to' }).click()
    const asksFixedRange = page.waitForRequest((request) => {
      const { searchParams } = new URL(request.url())
      const [start, end] = [Number(searchParams.get('start')), Number(searchParams.get('end'))]
      // A range ends at a multiple of the step.
      return end - start === 7_200 && end <= FIXED_END && end > FIXED_END - 120
    })
    await page.getByLabel('From time').fill('2026-01-02T03:00')
    await page.getByLabel('To time').fill('2026-01-02T05:00')
    await asksFixedRange
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
  })

  test.each([
    [
      'an error',
      (route: Route) => json(route, { status: 'error', error: 'query timed out' }, 503),
      /503|query timed out|Unreachable/,
    ],
    [
      'a page',
      (route: Route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<html>login</html>' }),
      /no JSON object/,
    ],
    ['that does not come', () => new Promise<void>(() => {}), /^Loading/],
  ])('with the response %s shows a message in the chart', async (_name, answer, words) => {
    const page = await showMetrics(answer)
    await page.getByRole('status').filter({ hasText: words }).first().waitFor()
    await expectAlive(page, 'Metrics')
  })
})

test('while the API server is unavailable the page stays and no edit is lost; after that new objects appear', async () => {
  const page = await dashboard.open('karpenter/nodepools/general')
  await page.getByRole('button', { name: 'Edit and preview the effect' }).click()
  await page.locator('.monaco-editor .view-lines').getByText('720h', { exact: true }).first().dblclick()
  await page.keyboard.type('100h')
  await page.route('**/clusters/**', (route) => route.abort())
  // The page says that its figures are old, and since when.
  const stale = page.getByText(/^The API server is not responding\. All figures are from \S+/)
  await stale.waitFor()
  await page.getByRole('button', { name: 'Dry run on the server' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /unreachable|failed|network/i })
    .first()
    .waitFor()
  expect(await page.locator('.monaco-editor .view-lines').innerText()).toContain('100h')
  await page.unroute('**/clusters/**')
  await page.getByRole('button', { name: 'Dry run on the server' }).click()
  await page.getByText('The API server would accept this.').waitFor()
  await stale.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo changes' }).click()
  await page.getByRole('dialog').getByText('Close', { exact: true }).click()
  dashboard.leave(page)
})

/** Returns a text of the plugin in this locale. */
const textOf = (locale: 'uk' | 'zh', key: string): string => {
  const file = new URL(`../../../packages/dashboard/plugin/src/locales/${locale}/translation.json`, import.meta.url)
  const text = (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>)[key]
  if (text === undefined) throw new Error(`the locale ${locale} has no text ${key}`)
  return text
}

/** The families of the installed fonts that have Chinese characters. */
const chineseFonts = spawnSync('fc-list', [':lang=zh-cn', 'family'], { encoding: 'utf8' }).stdout ?? ''

describe('languages', () => {
  // Use a separate window, because the pages of the other tests are in English.
  let page: Page
  beforeAll(async () => {
    page = await dashboard.openInLanguage('karpenter', 'zh')
  })

  test('follow Headlamp’s language if it has one', async () => {
    await page.getByRole('heading', { name: '概览', exact: true }).waitFor()
    await page.getByText(textOf('zh', 'lowerBound'), { exact: true }).waitFor()
  })

  test.skipIf(chineseFonts === '')(
    'Chinese texts have glyphs (skipped without a Chinese font, for example fonts-wqy-microhei)',
    async () => {
      await page.getByRole('heading', { name: '概览', exact: true }).waitFor()
      // If a font lacks a character, it draws the same box for every character that it lacks.
      const drawn = await page.evaluate(`(() => {
        const { font } = getComputedStyle(document.querySelector('main h1'))
        return ['概', '览', '\\u{e000}'].map((character) => {
          const canvas = document.createElement('canvas')
          canvas.width = canvas.height = 64
          const context = canvas.getContext('2d')
          context.font = font
          context.fillText(character, 16, 40)
          return canvas.toDataURL()
        })
      })()`)
      expect(new Set(drawn as readonly string[]).size).toBe(3)
    },
  )

  test('can be chosen in the settings', async () => {
    await page.evaluate(`localStorage.setItem('i18nextLng', 'en')`)
    const overview = page.url()
    await page.goto(
      `${overview.replace(/\/c\/.*/, '')}/settings/plugins/${encodeURIComponent('@kerf/headlamp-plugin')}`,
    )
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Українська' }).click()
    // Headlamp stores settings after half a second.
    await page.waitForFunction(`localStorage.getItem('pluginConfigs')?.includes('"uk"')`)
    await page.goto(overview)
    await page.getByRole('heading', { name: 'Огляд', exact: true }).waitFor()
    await page.getByText(textOf('uk', 'lowerBound'), { exact: true }).waitFor()
  })
})

test('the keyboard alone is enough to reach a page and open the explanation of a node', async () => {
  const page = await dashboard.open('karpenter')
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor()
  const link = page.locator('main').getByRole('link', { name: /node claims?, / })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Node claims', exact: true }).waitFor()
  const claim = page
    .locator('main tbody')
    .getByRole('link', { name: /^general-/ })
    .first()
  await claim.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Why this node is kept' }).waitFor()
  await dashboard.discard(page)
})
