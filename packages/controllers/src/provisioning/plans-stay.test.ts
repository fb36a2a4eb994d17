import { kinds, type Pod } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { ApiError } from '@kerf/runtime'
import { nodeClassRef, type PodOptions } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import {
  bindPod,
  createPendingPod,
  createPendingPods,
  createPool,
  createPoolOfType,
  Harness,
} from '../testing/harness/index.ts'

let harness: Harness
afterEach(() => harness.stop())

const TYPES = ['c-4x', 's-4x', 'm-4x', 'c-8x', 's-8x'].map((name) => `${name}-amd64-linux`)

/** A group of identical pods: number of pods, CPU, memory. */
type Group = readonly [count: number, cpu: string, memory: string]

/** Workloads that need one more node if first-fit packs them again after the plan. */
const TIGHT: readonly (readonly Group[])[] = [
  [
    [7, '1300m', '1Gi'],
    [5, '500m', '4Gi'],
    [4, '900m', '4Gi'],
  ],
  [
    [6, '1700m', '4Gi'],
    [3, '2', '1Gi'],
    [6, '1', '6Gi'],
  ],
  [
    [7, '900m', '4Gi'],
    [2, '2500m', '256Mi'],
    [5, '1300m', '4Gi'],
  ],
]

/** Creates a pool with these on-demand instance types, whose nodes take `delay` to register. */
const start = async (delay: string, types: readonly string[]): Promise<void> => {
  harness = await Harness.create({ cluster: 'whole' })
  const body = { spec: { nodeRegistrationDelay: delay } }
  await harness.admin.patch(kwokNodeClassKind, { name: nodeClassRef.name }, { type: 'merge', body })
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [...types] },
    { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] },
  ]
  await createPool(harness, 'general', {
    disruption: { consolidateAfter: 'Never' },
    template: { spec: { nodeClassRef, expireAfter: 'Never', requirements } },
  })
}

const workload = async (groups: readonly Group[], traits: PodOptions = {}): Promise<void> => {
  for (const [index, [count, cpu, memory]] of groups.entries()) {
    await createPendingPods(harness, count, { ...traits, requests: { cpu, memory } }, `group${index}`)
  }
}

const waiting = async (): Promise<readonly Pod[]> =>
  (await harness.admin.list(kinds.Pod)).items.filter(({ spec }) => spec.nodeName === undefined)
const names = async (): Promise<readonly (string | undefined)[]> =>
  (await harness.claims()).map(({ metadata }) => metadata.name).sort()
const passes = (): number => harness.log.lines.filter(({ message }) => message === 'found provisionable pod(s)').length

describe('pods that wait for claims that are starting', () => {
  test.each(TIGHT.map((groups) => ({ groups })))(
    'are planned ten times without an additional node: %j',
    async ({ groups }) => {
      await start('120s', TYPES)
      await workload(groups)
      await harness.pass(5_000)
      const planned = await names()
      expect(planned.length).toBeGreaterThan(1)
      expect(passes()).toBe(1)
      while (passes() < 11) {
        await harness.pass(5_000)
        expect(await names()).toEqual(planned)
      }
      await harness.pass(60_000)
      expect(await waiting()).toEqual([])
      expect(await names()).toEqual(planned)
    },
  )
})

describe('if kube-scheduler packs pods differently from the plan', () => {
  const ASKS: Readonly<Record<string, PodOptions>> = {
    large: { requests: { cpu: '2500m' } },
    middle: { requests: { cpu: '1900m' } },
    small: { requests: { cpu: '1' } },
  }
  /** Creates nodes for these pods, but no nominations. The test binds the pods in place of kube-scheduler. */
  const planned = async (...pods: readonly string[]): Promise<void> => {
    harness = await Harness.create()
    harness.fault = ({ verb, subresource, kind }, when) =>
      when === 'before' && verb === 'patch' && subresource === 'status' && kind?.kind === 'Pod'
        ? new ApiError({ code: 403, reason: 'Forbidden', message: 'pods is forbidden' })
        : undefined
    await createPoolOfType(harness, 's-4x-amd64-linux')
    for (const name of pods) await createPendingPod(harness, name, ASKS[name.split('-')[0] ?? ''] ?? {})
    await harness.pass(5_000)
  }
  /** Returns the names of all pods in the latest decision about this pod. */
  const podsInLastDecision = (pod: string): string => {
    const decision = harness.kerf.decisions.all.findLast(
      (each) => each.kind !== 'refuse' && each.pods.includes(`default/${pod}`),
    )
    if (decision === undefined || decision.kind === 'refuse') throw new Error(`${pod} has no place`)
    return decision.kind === 'launch' ? decision.nodeClaim : decision.node
  }
  const bind = async (pod: string, claim: string): Promise<void> => {
    const nodeName = (await harness.claims()).find(({ metadata }) => metadata.name === claim)?.status?.nodeName ?? ''
    await bindPod(harness, await harness.admin.get(kinds.Pod, { name: pod, namespace: 'default' }), nodeName)
  }

  test('a pod that lost its place gets the free capacity, and the other pods keep their places', async () => {
    await planned('middle-0', 'middle-1', 'middle-2', 'middle-3')
    const [first, second] = await names()
    const here = ['middle-0', 'middle-1', 'middle-2', 'middle-3'].filter((pod) => podsInLastDecision(pod) === first)
    const there = ['middle-0', 'middle-1', 'middle-2', 'middle-3'].filter((pod) => podsInLastDecision(pod) === second)
    expect([here.length, there.length]).toEqual([2, 2])
    await bind(here[0] ?? '', second ?? '')
    await harness.pass(25_000)
    expect(await names()).toEqual([first, second])
    const waitingNow = [here[1] ?? '', ...there]
    const atFirst = harness.kerf.decisions.all.filter(
      (each) => each.kind === 'place' && each.pods.some((pod) => there.includes(pod.replace('default/', ''))),
    )
    expect(atFirst).toHaveLength(1)
    expect(harness.kerf.state.placements.size).toBe(waitingNow.length)
  })

  test('only pods that fit nowhere any more get a new node', async () => {
    await planned('middle-0', 'middle-1', 'large', 'small')
    const [...before] = await names()
    expect(before).toHaveLength(2)
    expect(podsInLastDecision('large')).toBe(podsInLastDecision('small'))
    await bind('middle-0', podsInLastDecision('large'))
    await harness.pass(25_000)
    const after = await names()
    expect(after).toHaveLength(3)
    const [added = ''] = after.filter((name) => !before.includes(name))
    const launch = harness.kerf.decisions.launchOf(added)
    expect(launch?.kind === 'launch' && launch.pods).toEqual(['default/large'])
    await harness.pass(60_000)
    expect(await names()).toEqual(after)
  })
})

test('after a restart, pods are recognized by their nominations, and nothing is launched again', async () => {
  await start('1s', TYPES)
  await workload(TIGHT[0] ?? [])
  await harness.pass(3_200)
  const before = await names()
  const nominated = (await waiting()).map(({ status }) => status?.nominatedNodeName)
  expect(nominated.length).toBeGreaterThan(0)
  expect(nominated).not.toContain(undefined)
  harness.restart()
  await harness.pass(60_000)
  expect(await waiting()).toEqual([])
  expect(await names()).toEqual(before)
})
