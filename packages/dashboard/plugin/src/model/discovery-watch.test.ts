import { expect, test } from 'vitest'
import { DiscoveryWatch, LONGEST_REQUEST } from './discovery-watch.ts'
import type { Discovery } from './served-kinds.ts'
import { Steps } from './testing/steps.ts'

const PRESENT: Discovery = { state: 'present', kinds: [] }
const STEP = 250

/** How requests to an unreachable API server fail: the error, and the delay in milliseconds. */
interface Outage {
  readonly error: unknown
  readonly after: number
}

/** A fake API server that a test stops and starts, with the discovery watch of an open page. */
class OpenPage {
  readonly timers = new Steps()
  outage: Outage | undefined
  isHidden = false
  changes = 0
  regained = 0
  requests = 0
  readonly watch = new DiscoveryWatch({
    ask: () => this.#ask(),
    now: () => this.timers.now,
    changed: () => {
      this.changes++
    },
    regained: () => {
      this.regained++
    },
  })
  readonly leave = this.watch.follow(this.timers, () => this.isHidden)

  #ask(): Promise<Discovery> {
    this.requests++
    const { outage } = this
    if (outage === undefined) return Promise.resolve(PRESENT)
    return new Promise((_, refuse) => this.timers.set(() => refuse(outage.error), outage.after))
  }

  /** Advances the time step by step. The promises of each step settle before the next one. */
  async advance(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += STEP) {
      this.timers.advance(STEP)
      for (let turn = 0; turn < 4; turn++) await Promise.resolve()
    }
  }
}

const outages: readonly (readonly [string, Outage])[] = [
  ['refuses connections', { error: new TypeError('Failed to fetch'), after: 0 }],
  ['is behind a proxy that responds 502', { error: { status: 502 }, after: 1_000 }],
  ['does not respond', { error: { status: 408 }, after: LONGEST_REQUEST }],
]

test.each(
  outages.flatMap(([how, outage]) => Array.from({ length: 8 }, (_, place) => [how, 60 + place / 2, outage] as const)),
)(
  'if the API server %s from second %d on, the page says within ten seconds since when its figures are old',
  async (_, second, outage) => {
    const killed = second * 1000
    const page = new OpenPage()
    await page.advance(killed)
    expect(page.watch.staleSince).toBeUndefined()
    page.outage = outage
    await page.advance(10_000)
    const since = page.watch.staleSince ?? Number.NaN
    // The figures are from the last response before the outage.
    expect(since).toBeLessThanOrEqual(killed)
    expect(since).toBeGreaterThan(killed - 4_500)
    await page.advance(120_000)
    expect(page.watch.staleSince).toBe(since)
    expect(page.watch.found).toBe(PRESENT)
    expect(page.regained).toBe(0)

    page.outage = undefined
    await page.advance(10_000)
    expect(page.watch.staleSince).toBeUndefined()
    expect(page.regained).toBe(1)
    // The three changes are the discovery, the outage and its end. A page is rendered again only for these.
    expect(page.changes).toBe(3)
  },
)

test('a refusal is a response: the figures are not old', async () => {
  const page = new OpenPage()
  await page.advance(10_000)
  page.outage = { error: { status: 403 }, after: 0 }
  await page.advance(60_000)
  expect(page.watch.staleSince).toBeUndefined()
})

test('the kinds of the cluster are unknown until the first response', async () => {
  const page = new OpenPage()
  // The first request was sent before the outage began, so this page opens during the outage.
  const late = new DiscoveryWatch({
    ask: () => Promise.reject(new TypeError('Failed to fetch')),
    now: () => page.timers.now,
    ...{ changed: () => undefined, regained: () => undefined },
  })
  late.refresh()
  expect(late.found.state).toBe('asking')
  await page.advance(STEP)
  expect(late.found.state).toBe('unknown')
  expect(late.staleSince).toBeUndefined()
})

test('a hidden page sends no requests, and none is sent after the page was left', async () => {
  const page = new OpenPage()
  page.isHidden = true
  await page.advance(60_000)
  expect(page.requests).toBe(1)
  page.isHidden = false
  await page.advance(8_000)
  expect(page.requests).toBe(3)
  page.leave()
  await page.advance(60_000)
  expect(page.requests).toBe(3)
})
