import { isSameTaint, kinds, taints } from '@kerf/apis'
import { ApiError, type KubeClient, silentLogger } from '@kerf/runtime'
import { node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import { candidate } from '../../testing/candidate.ts'
import { busy, closedWith, MIDDLE, NOT_EMPTY, open } from '../../testing/closed-pools.ts'
import { createDeployment, type Harness, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { TargetTaint } from './target-taint.ts'

const closed = closedWith(harnessPerTest())

const tainted = async (w: Harness): Promise<readonly string[]> => {
  const { items } = await w.admin.list(kinds.Node)
  const isTarget = (taint: (typeof items)[number]['spec']['taints']): boolean =>
    taint?.some((one) => isSameTaint(one, taints.consolidating)) ?? false
  return items.filter(({ spec }) => isTarget(spec.taints)).map(({ metadata }) => metadata.name)
}

const passUntil = async (w: Harness, isSo: (nodes: readonly string[]) => boolean): Promise<readonly string[]> => {
  for (let look = 0; look < 200; look++) {
    const nodes = await tainted(w)
    if (isSo(nodes)) return nodes
    await w.pass(250)
  }
  throw new Error(`tainted are ${(await tainted(w)).join(', ')}`)
}

const some = (nodes: readonly string[]): boolean => nodes.length > 0
const none = (nodes: readonly string[]): boolean => nodes.length === 0

/** Creates six nodes with one pod each. The budget allows two disruptions at a time. */
const walking = async (disruption: object = {}): Promise<Harness> => {
  const w = await closed({}, MIDDLE)
  await busy(w, 6, '100m')
  await open(w, { budgets: [...NOT_EMPTY, { nodes: '2' }], ...disruption })
  return w
}

describe('nodes that will be disrupted', () => {
  test('get no pod if another node has free capacity, even while they wait for the budget', async () => {
    const w = await walking()
    const target = await passUntil(w, some)
    // The target has more nodes than the budget allows at a time.
    expect(target.length).toBe(4)
    await createDeployment(w, 'late', 3, '100m')
    await w.pass(1_000)
    const { items } = await w.admin.list(kinds.Pod)
    const places = items.filter(({ metadata }) => metadata.labels?.app === 'late').map(({ spec }) => spec.nodeName)
    expect(places.length).toBe(3)
    expect(places.filter((place) => place === undefined || target.includes(place))).toEqual([])
  })

  test('keep the taint until they are deleted, and no other node keeps it', async () => {
    const w = await walking()
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(1)
    expect(await tainted(w)).toEqual([])
  })

  test('lose the taint when they leave the target', async () => {
    const w = await walking()
    await passUntil(w, some)
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: 'Never' } } })
    await passUntil(w, none)
    expect((await w.staying()).length).toBe(6)
  })

  test('are not tainted in a Balanced pool', async () => {
    const w = await walking({ consolidationPolicy: 'Balanced' })
    for (let look = 0; look < 60; look++) {
      await w.pass(500)
      expect(await tainted(w)).toEqual([])
    }
    expect((await w.staying()).length).toBeLessThan(6)
  })
})

test('taints of an earlier process are removed', async () => {
  const w = await closed({}, MIDDLE)
  const [left] = await busy(w, 2, '100m')
  await w.patch(kinds.Node, left?.node ?? '', { spec: { taints: [taints.consolidating] } })
  await passUntil(w, some)
  await passUntil(w, none)
})

test('do not count as tainted in decisions of Kerf', () => {
  const state = new StateNode('kwok://n')
  const claim = nodeClaim('n', { providerID: 'kwok://n' })
  const isTrue = (type: string) => ({
    type,
    status: 'True' as const,
    reason: type,
    message: '',
    lastTransitionTime: '',
  })
  state.claim = { ...claim, status: { ...claim.status, conditions: [isTrue('Registered'), isTrue('Initialized')] } }
  const other = { key: 'mine', effect: 'NoSchedule' as const }
  const machine = node('n', { labels: { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' } })
  state.node = { ...machine, spec: { ...machine.spec, taints: [other, taints.consolidating] } }
  expect(state.view.taints).toEqual([other])
})

test('the taint is written to the latest Node, even if the candidate is older', async () => {
  const one = candidate('a')
  const renewed = { ...one.node, metadata: { ...one.node.metadata, resourceVersion: 'newer' } }
  one.state.renewNode(renewed)
  const bodies: unknown[] = []
  const client = {
    patch: async (_kind: unknown, _ref: unknown, { body }: { readonly body: unknown }) => void bodies.push(body),
  } as unknown as KubeClient
  const target = new TargetTaint({ client, state: { nodes: () => [].values() }, log: silentLogger })
  await target.put([one], new AbortController().signal)
  expect(bodies).toMatchObject([{ metadata: { resourceVersion: 'newer' } }])
})

test('a failed write is logged and does not stop the pass', async () => {
  const failures = [
    new ApiError({ code: 403, reason: 'Forbidden', message: 'no' }),
    new ApiError({ code: 409, reason: 'Conflict', message: 'older' }),
  ]
  const written: string[] = []
  const client = {
    patch: async (_kind: unknown, { name }: { readonly name: string }) => {
      written.push(name)
      const failure = failures[written.length - 1]
      if (failure !== undefined) throw failure
    },
  } as unknown as KubeClient
  const told: string[] = []
  const log = {
    ...silentLogger,
    error: (message: string): void => {
      told.push(message)
    },
  }
  const target = new TargetTaint({ client, state: { nodes: () => [].values() }, log })
  const nodes = ['a', 'b', 'c'].map((name) => candidate(name))
  await target.put(nodes, new AbortController().signal)
  expect(written).toEqual(['node-a', 'node-b', 'node-c'])
  expect(told).toEqual(['tainting the target node of consolidation failed'])
})
