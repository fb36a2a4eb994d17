import { isSameTaint, kinds, taints } from '@kerf/apis'
import { ApiError, type KubeClient, silentLogger } from '@kerf/runtime'
import { node, nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import { candidate } from '../../testing/candidate.ts'
import { busy, closedWith, MIDDLE, NOT_EMPTY, open } from '../../testing/closed-pools.ts'
import { createDeployment, patchPool, type World } from '../../testing/world/index.ts'
import { worldPerTest } from '../../testing/world-per-test.ts'
import { TargetTaint } from './target-taint.ts'

const closed = closedWith(worldPerTest())

const tainted = async (w: World): Promise<readonly string[]> => {
  const { items } = await w.admin.list(kinds.Node)
  const isTarget = (taint: (typeof items)[number]['spec']['taints']): boolean =>
    taint?.some((one) => isSameTaint(one, taints.consolidating)) ?? false
  return items.filter(({ spec }) => isTarget(spec.taints)).map(({ metadata }) => metadata.name)
}

const passUntil = async (w: World, isSo: (nodes: readonly string[]) => boolean): Promise<readonly string[]> => {
  for (let look = 0; look < 200; look++) {
    const nodes = await tainted(w)
    if (isSo(nodes)) return nodes
    await w.pass(250)
  }
  throw new Error(`tainted are ${(await tainted(w)).join(', ')}`)
}

const some = (nodes: readonly string[]): boolean => nodes.length > 0
const none = (nodes: readonly string[]): boolean => nodes.length === 0

/** Six nodes with a pod each, of which two may go at a time. */
const walking = async (disruption: object = {}): Promise<World> => {
  const w = await closed({}, MIDDLE)
  await busy(w, 6, '100m')
  await open(w, { budgets: [...NOT_EMPTY, { nodes: '2' }], ...disruption })
  return w
}

describe('nodes that are to go', () => {
  test('get no pod where another node has room, those that the budget makes wait included', async () => {
    const w = await walking()
    const target = await passUntil(w, some)
    // More than the budget lets go at once.
    expect(target.length).toBe(4)
    await createDeployment(w, 'late', 3, '100m')
    await w.pass(1_000)
    const { items } = await w.admin.list(kinds.Pod)
    const places = items.filter(({ metadata }) => metadata.labels?.app === 'late').map(({ spec }) => spec.nodeName)
    expect(places.length).toBe(3)
    expect(places.filter((place) => place === undefined || target.includes(place))).toEqual([])
  })

  test('go with the taint, and nobody is left with it', async () => {
    const w = await walking()
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(1)
    expect(await tainted(w)).toEqual([])
  })

  test('are open to all pods again when they are to stay', async () => {
    const w = await walking()
    await passUntil(w, some)
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: 'Never' } } })
    await passUntil(w, none)
    expect((await w.staying()).length).toBe(6)
  })

  test('are not told in a Balanced pool', async () => {
    const w = await walking({ consolidationPolicy: 'Balanced' })
    for (let look = 0; look < 60; look++) {
      await w.pass(500)
      expect(await tainted(w)).toEqual([])
    }
    expect((await w.staying()).length).toBeLessThan(6)
  })
})

test('what an earlier process left is taken away', async () => {
  const w = await closed({}, MIDDLE)
  const [left] = await busy(w, 2, '100m')
  await w.patch(kinds.Node, left?.node ?? '', { spec: { taints: [taints.consolidating] } })
  await passUntil(w, some)
  await passUntil(w, none)
})

test('decisions do not see it', () => {
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

test('is written to the Node as it is by now, whenever its candidate was looked at', async () => {
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

test('a write that fails is told, and stops nothing', async () => {
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
  expect(told).toEqual(['tainting the target of consolidation failed'])
})
