import { karpenterKinds, kinds } from '@kerf/apis'
import { type Plan, scheduleInSteps } from '@kerf/engine'
import { afterEach, expect, test } from 'vitest'
import type { Scheduler } from '../deps.ts'
import { bindPod, createClaimOfPool, createPendingPods, createPoolOfType, Harness } from '../testing/harness/index.ts'

/** The number of iterations of the event loop after which the informers have received all changes. */
const TURNS = 20

let harness: Harness
afterEach(() => harness.stop())

/**
 * Starts a cluster. After the snapshot, the next decision about pods takes a few more iterations of the event loop. `change` runs during
 * these iterations.
 */
const deciding = async () => {
  let change: (() => Promise<unknown>) | undefined
  let atEnd: (() => void) | undefined
  const plans: Plan[] = []
  const schedule: Scheduler = function* (snapshot, pods, options) {
    const plan = yield* scheduleInSteps(snapshot, pods, options)
    plans.push(plan)
    if (change === undefined) return plan
    void change()
    change = undefined
    for (let turn = 0; turn < TURNS; turn++) yield
    atEnd?.()
    return plan
  }
  harness = await Harness.create({ schedule })
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await harness.pass(2_000)
  const meanwhile = (next: () => Promise<unknown>, end?: () => void): void => {
    change = next
    atEnd = end
  }
  return { meanwhile, plans }
}

const targets = (): readonly string[] => harness.kerf.state.placements.targets()

test('other work runs between two steps of a decision, and the decision is carried out afterwards', async () => {
  const { meanwhile } = await deciding()
  let turns = 0
  let stepsBeforeThePlan = 0
  const count = async () => {
    for (; turns < 3; turns++) await new Promise<void>((resolve) => harness.clock.timer(0, resolve))
  }
  meanwhile(count, () => {
    stepsBeforeThePlan = turns
  })
  await createPendingPods(harness, 3, { requests: { cpu: '500m' } })
  await harness.pass(5_000)
  expect(stepsBeforeThePlan).toBe(3)
  expect(await harness.claims()).toHaveLength(1)
})

test('no claim is launched for pods that were bound during planning', async () => {
  const { meanwhile } = await deciding()
  const pods = await createPendingPods(harness, 2, { requests: { cpu: '500m' } })
  meanwhile(async () => {
    for (const pod of pods) await bindPod(harness, pod, 'elsewhere')
  })
  await harness.pass(5_000)
  expect(await harness.claims()).toEqual([])
})

test('no record is kept of pods that were deleted during planning', async () => {
  const { meanwhile } = await deciding()
  const pods = await createPendingPods(harness, 2, { requests: { cpu: '500m' } })
  meanwhile(async () => {
    for (const pod of pods) await harness.delete(kinds.Pod, pod)
  })
  await harness.pass(5_000)
  expect(harness.kerf.state.timings.size).toBe(0)
  expect(targets()).toEqual([])
})

test('a pod planned for a node that is deleted during planning gets another node', async () => {
  const { meanwhile, plans } = await deciding()
  const claim = await createClaimOfPool(harness)
  await harness.pass(60_000)
  plans.length = 0
  meanwhile(() => harness.admin.delete(karpenterKinds.NodeClaim, { name: claim }))
  await createPendingPods(harness, 1, { requests: { cpu: '500m' } })
  await harness.pass(1_100)
  expect(plans.map(({ placements }) => placements.length)).toEqual([1])
  expect(targets()).toEqual([])
  await harness.pass(3_000)
  expect(targets()).toHaveLength(1)
  expect(targets()).not.toContain(claim)
})
