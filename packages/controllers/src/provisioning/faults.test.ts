import { kinds, parseQuantity, toWhole } from '@kerf/apis'
import { ApiError, SeededRandom } from '@kerf/runtime'
import { isNightly, pod, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createPoolOfType, Harness } from '../testing/harness/index.ts'

const PODS = 24

const errors = [
  { code: 0, reason: 'Unreachable', message: 'connection reset' },
  { code: 409, reason: 'Conflict', message: 'the object has been modified' },
  { code: 429, reason: 'TooManyRequests', message: 'too many requests' },
  { code: 500, reason: 'InternalError', message: 'etcdserver: leader changed' },
  { code: 504, reason: 'Timeout', message: 'the server did not answer in time' },
] as const

/** Injects random API faults until `quietAfter` milliseconds of virtual time have passed. */
const trouble = (harness: Harness, seed: number, quietAfter: number): void => {
  const random = new SeededRandom(seed).fork('faults')
  const share = { error: 0.02 + 0.1 * random.next(), crash: 0.02 * random.next() }
  harness.fault = (call, when) => {
    if (harness.clock.monotonic() > quietAfter) return undefined
    const draw = random.next()
    if (draw < share.crash) return 'restart'
    if (draw >= share.crash + share.error) return undefined
    // After a write has taken effect, the only possible fault is a lost response.
    const choices = when === 'after' ? errors.filter(({ code }) => code !== 409 && code !== 429) : errors
    const chosen = choices[Math.floor(random.next() * choices.length)]
    return chosen === undefined || call.verb === 'watch' ? undefined : new ApiError(chosen)
  }
}

/** Creates pods without conditions, as users do. The simulated kube-scheduler decides whether they fit on a node. */
const ask = async (w: Harness, count: number, prefix: string): Promise<void> => {
  for (let index = 0; index < count; index++) {
    const { status: _, ...made } = pod(`${prefix}-${index}`, { requests: { cpu: '1200m' } })
    await w.put(kinds.Pod, made)
  }
}

let restarts = 0

const seeds = sampled(
  Array.from({ length: 25 }, (_, index) => index + 1),
  5,
  'provisioning faults',
)

test.each(seeds)('every pod gets one node, even if calls fail or the process restarts (seed %i)', async (seed) => {
  const w = await Harness.create({ seed, cluster: 'whole' })
  try {
    await createPoolOfType(w, 's-4x-amd64-linux')
    trouble(w, seed, 60_000)
    await ask(w, PODS / 2, 'early')
    await w.pass(4_000)
    await ask(w, PODS / 2, 'late')
    await w.pass(300_000)
    const pods = (await w.admin.list(kinds.Pod)).items
    expect(pods.filter(({ status }) => status?.phase !== 'Running').map(({ metadata }) => metadata.name)).toEqual([])

    const claims = (await w.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const nodes = (await w.admin.list(kinds.Node)).items
    expect(w.kerf.state.unlaunched.size).toBe(0)
    expect(claims.every(({ status }) => status?.nodeName !== undefined)).toBe(true)
    expect(nodes.map(({ spec }) => spec.providerID).sort()).toEqual(
      claims.map(({ status }) => status?.providerID).sort(),
    )
    // Three pods fit on a node. No pod is planned for more than one claim. Pods that are created while nodes are starting might not be
    // planned for any claim.
    const planned = claims.reduce(
      (sum, { spec }) => sum + toWhole(parseQuantity(spec.resources?.requests?.['pods'] ?? 0)),
      0,
    )
    expect(planned).toBeLessThanOrEqual(PODS)
    expect(claims).toHaveLength(PODS / 3)
    await w.pass(25_000)
    expect(await w.claims()).toHaveLength(claims.length)
    restarts += w.restarts
  } finally {
    w.stop()
  }
})

test('the process was restarted during the runs', () => {
  expect(restarts).toBeGreaterThan(isNightly() ? 10 : 0)
})
