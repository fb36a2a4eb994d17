import { kinds, type Milliseconds, type Pod, type PodSpec } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { nodeClassRef, pod } from '@kerf/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { createPool, createPoolOfType, Harness } from '../testing/harness/index.ts'
import { isQueueLong } from './untried-pods.ts'

let harness: Harness
afterEach(() => harness.stop())

/** Creates a pod that kube-scheduler has not tried yet. */
const untried = async (name: string, cpu = '1', spec: Partial<PodSpec> = {}): Promise<Pod> => {
  const { status: _none, ...wanted } = pod(name, { requests: { cpu }, spec })
  return await harness.put(kinds.Pod, wanted)
}

/** Writes a refusal by kube-scheduler at the current time to the pod's status. */
const refuse = async (refused: Pod): Promise<void> => {
  const lastTransitionTime = new Date(harness.clock.now()).toISOString()
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime } as const
  await harness.patch(kinds.Pod, refused, { status: { conditions: [condition] } }, 'status')
}

/** Creates a pod that kube-scheduler refuses after `delay`. `others` creates the other pods right after the first one. */
const refusedAfter = async <T>(delay: Milliseconds, others: () => Promise<T>): Promise<T> => {
  const first = await untried('first')
  const rest = await others()
  await harness.clock.advance(delay)
  await refuse(first)
  return rest
}

/** Returns, for each claim, for how many pods it was created. */
const requested = async (): Promise<readonly string[]> =>
  (await harness.claims()).map(({ spec }) => String(spec.resources?.requests?.['pods'])).sort()

test('pods behind refused pods in the queue of kube-scheduler are planned together with them', async () => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  const waiting = await refusedAfter(2_500, () => Promise.all([untried('u-0'), untried('u-1')]))
  await harness.pass(1_500)
  expect(await requested()).toEqual(['3'])
  const claim = (await harness.claims())[0]?.metadata.name
  for (const each of waiting) expect(harness.kerf.state.placements.decidedTarget(each)).toBe(claim)
})

/** Creates another pod every 0.8 s after the refusal. Returns, for each claim of the first pass, for how many pods it was created. */
const boughtWhileOthersCome = async (delay: Milliseconds): Promise<readonly string[]> => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await refusedAfter(delay, () => untried('second'))
  for (let next = 0; next < 3; next++) {
    await harness.pass(800)
    await untried(`later-${next}`)
  }
  await harness.pass(1_300)
  return await requested()
}

test('while pods are still added to a long queue, the first pass waits for them', async () => {
  expect(await boughtWhileOthersCome(2_500)).toEqual(['5'])
})

test('if kube-scheduler tries each pod at once, the pass does not wait', async () => {
  expect(await boughtWhileOthersCome(100)).toEqual(['1'])
})

/** Creates a running pod, and a PriorityClass `urgent` whose pods have a higher priority than that pod. */
const runsBeforeUrgent = async (preemptionPolicy: 'PreemptLowerPriority' | 'Never'): Promise<void> => {
  await harness.put(kinds.Pod, pod('runs', { nodeName: 'elsewhere' }))
  await harness.put(kinds.PriorityClass, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'urgent' },
    value: 1,
    preemptionPolicy,
  })
}

/** Lets kube-scheduler refuse another pod every 0.5 s. Returns, for each claim of the first pass, for how many pods it was created. */
const boughtWhileOthersAreRefused = async (others: () => Promise<unknown>): Promise<readonly string[]> => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  const waiting = await refusedAfter(2_500, async () => {
    const queued = await Promise.all(['u-0', 'u-1', 'u-2', 'u-3'].map((name) => untried(name)))
    await others()
    return queued
  })
  for (const next of waiting) {
    await harness.pass(500)
    await refuse(next)
  }
  return await requested()
}

test('if all pods of the queue are planned, the first pass does not wait for more refusals', async () => {
  expect(await boughtWhileOthersAreRefused(() => untried('u-4'))).toEqual(['6'])
})

test('if a pod in the queue may preempt others, the first pass waits for more refusals', async () => {
  const urgent = async () => {
    await runsBeforeUrgent('PreemptLowerPriority')
    await untried('u-4', '1', { priorityClassName: 'urgent' })
  }
  expect(await boughtWhileOthersAreRefused(urgent)).toEqual([])
})

test('a single untried pod is enough to show that the queue is long', async () => {
  harness = await Harness.create()
  await refusedAfter(2_500, () => Promise.all(['u-0', 'u-1', 'u-2'].map((name) => untried(name))))
  await harness.pass(100)
  const { state } = harness.kerf
  const serves = vi.spyOn(state.others, 'serves')
  expect(isQueueLong(state, harness.clock.now())).toBe(true)
  expect(serves).toHaveBeenCalledTimes(1)
})

test('pods that were just created are not planned, because kube-scheduler may still bind them', async () => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await refusedAfter(500, () => untried('other'))
  await harness.pass(1_200)
  expect(await requested()).toEqual(['1'])
})

test.each<readonly [string, Partial<PodSpec>]>([
  ['scheduling gates', { schedulingGates: [{ name: 'example.com/wait' }] }],
  ['a group', { schedulingGroup: { podGroupName: 'gang' } }],
  ['resource claims', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }],
  ['another scheduler', { schedulerName: 'batch' }],
])('nothing is launched for a pod with %s, because kube-scheduler may not try it', async (_, spec) => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await refusedAfter(2_500, () => untried('held', '1', spec))
  await harness.pass(1_500)
  expect(await requested()).toEqual(['1'])
})

test.each([
  ['may preempt', 'PreemptLowerPriority', '1'],
  ['may not preempt', 'Never', '2'],
] as const)('a pod with a higher priority than a running pod %s', async (_, preemptionPolicy, planned) => {
  harness = await Harness.create()
  await createPoolOfType(harness, 's-8x-amd64-linux')
  await runsBeforeUrgent(preemptionPolicy)
  await refusedAfter(2_500, () => untried('urgent', '1', { priorityClassName: 'urgent' }))
  await harness.pass(1_500)
  expect(await requested()).toEqual([planned])
})

test('an untried pod takes no capacity from a refused pod, and nothing is reported about it', async () => {
  harness = await Harness.create()
  await createPool(harness, 'general', { limits: { cpu: '4' } })
  // Large pods are planned first, so without this rule the untried pod would take all capacity within the limit.
  await refusedAfter(2_500, () => untried('greedy', '3500m'))
  await harness.pass(1_500)
  expect(await requested()).toEqual(['1'])
  expect(harness.messages('FailedScheduling')).toEqual([])
})

test('a pod that was planned before kube-scheduler tried it keeps its place, and no other node is launched for it', async () => {
  harness = await Harness.create()
  const slow = { type: 'merge', body: { spec: { nodeRegistrationDelay: '120s' } } } as const
  await harness.admin.patch(kwokNodeClassKind, { name: nodeClassRef.name }, slow)
  await createPoolOfType(harness, 's-4x-amd64-linux')
  const early = await refusedAfter(2_500, () => untried('early', '2500m'))
  await harness.pass(1_500)
  const place = harness.kerf.state.placements.decidedTarget(early)
  expect(place).toBeDefined()
  const bought = (await requested()).length
  // kube-scheduler tries no pods in this period. The place is still reserved when another pod is created later.
  await harness.pass(15_000)
  await refuse(await untried('late', '2500m'))
  await harness.pass(3_000)
  expect(harness.kerf.state.placements.decidedTarget(early)).toBe(place)
  expect((await requested()).length).toBe(bought + 1)
})
