import { kinds, type Milliseconds, type Pod } from '@kerf/apis'
import { scheduleInSteps } from '@kerf/engine'
import { ApiError } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import type { Scheduler } from '../deps.ts'
import { createPoolOfType, Harness } from '../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

/** Creates a pool with one instance type. Returns the times of all later decisions, relative to the time of the call. */
const watched = async (registrationDelay = '1m'): Promise<{ readonly decisions: readonly Milliseconds[] }> => {
  const decisions: Milliseconds[] = []
  const noted: Scheduler = (snapshot, pods, options) => {
    decisions.push(harness.clock.monotonic() - began)
    return scheduleInSteps(snapshot, pods, options)
  }
  harness = await Harness.create({ schedule: noted, registrationDelay })
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await harness.pass(2_000)
  const began = harness.clock.monotonic()
  decisions.length = 0
  return { decisions }
}

const waiting = async (name: string, cpu = '1'): Promise<Pod> => {
  const { status: _none, ...wanted } = pod(name, { requests: { cpu } })
  return await harness.put(kinds.Pod, wanted)
}

/** Writes a refusal by kube-scheduler with this message to the pod's status. */
const refuse = async (refused: Pod, message: string): Promise<void> => {
  const lastTransitionTime = new Date(harness.clock.now()).toISOString()
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastTransitionTime,
  } as const
  await harness.patch(kinds.Pod, refused, { status: { conditions: [condition] } }, 'status')
}

test('a pod that waits for its node triggers a pass at most every ten seconds, even if kube-scheduler refuses it', async () => {
  const { decisions } = await watched()
  const [first, second] = [await waiting('first'), await waiting('second')]
  await harness.clock.advance(2_500)
  await refuse(first, 'no node')
  await harness.pass(1_500)
  expect(decisions).toHaveLength(1)
  expect(harness.kerf.state.placements.decidedTarget(second)).toBeDefined()
  await refuse(second, 'no node')
  for (const words of ['a taint', 'another taint']) {
    await harness.pass(1_200)
    await refuse(first, words)
  }
  await harness.pass(3_000)
  expect(decisions).toHaveLength(1)
  await harness.pass(10_000)
  expect(decisions.length).toBeGreaterThan(1)
})

test('a pod that kube-scheduler refuses after its node has registered triggers a pass at once', async () => {
  const { decisions } = await watched('0s')
  // A pod with a nominated node triggers no pass, so the API server must refuse nominations in this test.
  harness.fault = ({ verb, subresource, kind }, when) =>
    when === 'before' && verb === 'patch' && subresource === 'status' && kind?.kind === 'Pod'
      ? new ApiError({ code: 403, reason: 'Forbidden', message: 'pods "first" is forbidden' })
      : undefined
  const first = await waiting('first')
  await refuse(first, 'no node')
  await harness.pass(5_000)
  expect(await harness.claims()).toMatchObject([
    {
      status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Registered', status: 'True' })]) },
    },
  ])
  const before = decisions.length
  await refuse(first, 'no room')
  await harness.pass(1_500)
  expect(decisions).toHaveLength(before + 1)
})

test('the ten seconds may end at a fraction of a millisecond', { timeout: 20_000 }, async () => {
  const { decisions } = await watched('10m')
  // The precision of floating-point numbers halves at each power of two, so a measured duration may be slightly less than ten seconds.
  await harness.clock.advance(2 ** 17 - 9_000 - harness.clock.monotonic())
  for (let index = 0; index < 30; index++) {
    await refuse(await waiting(`pod-${index}`), 'no node')
    await harness.clock.advance(100 + Math.sqrt(index + 2) / 10)
  }
  await harness.pass(5_000)
  const before = decisions.length
  await harness.pass(12_000)
  expect(decisions.length).toBeGreaterThan(before)
})

test('a pod that fits nowhere triggers a pass whenever it changes', async () => {
  const { decisions } = await watched()
  const huge = await waiting('huge', '1000')
  await refuse(huge, 'no node')
  await harness.pass(1_500)
  expect(decisions).toHaveLength(1)
  await refuse(huge, 'something new')
  await harness.pass(1_500)
  expect(decisions).toHaveLength(2)
})
