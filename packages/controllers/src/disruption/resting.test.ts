import { karpenterKinds, kinds, labels, parseQuantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { sleep } from '@kerf/runtime'
import { condition, node, nodeClaim, nodePool, pod, readyNodeLabels } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Observations } from '../modes/observe/observations.ts'
import { ClaimCreator } from '../provisioning/claim-creator.ts'
import { ClusterSync } from '../state/cluster-sync.ts'
import { type SnapshotOptions, Snapshots } from '../state/snapshot.ts'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { Disruption } from './disruption-controller.ts'

const { signal } = new AbortController()
const SECOND = 1_000
const PODS_OF_A_NODE = 100
const ZONE = [{ key: labels.zone, operator: 'In', values: ['a'] }] as const
const placed = { [labels.zone]: 'a', [labels.capacityType]: 'on-demand', [labels.instanceType]: 'large' }
const READY = { conditions: [condition('Ready')] }
const capacity = { cpu: '50', memory: '64Gi', pods: '100' }

const large: InstanceType = {
  name: 'large',
  requirements: [
    { key: labels.instanceType, operator: 'In', values: ['large'] },
    { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
    ...ZONE,
  ],
  offerings: [{ requirements: ZONE, price: 1, available: true }],
  capacity: { cpu: parseQuantity('50'), memory: parseQuantity('64Gi'), pods: parseQuantity('100') },
  overhead: {},
}

class CountingSnapshots extends Snapshots {
  /** The number of snapshots that were taken for consolidation. */
  searched = 0

  override take(pools: Parameters<Snapshots['take']>[0], options: SnapshotOptions = {}) {
    if (options.consolidation === true) this.searched++
    return super.take(pools, options)
  }
}

/**
 * Creates full nodes that cannot be disrupted. `decides` is the duration of a decision about pending pods, for which a search waits between
 * its steps. With `isStuck`, the nodes have drifted and their pods cannot run elsewhere.
 */
const start = (nodes: number, { decides = 0, observe = false, isStuck = false } = {}) => {
  const { deps, state, informers, clock } = manualState({
    settings: { observe },
    provider: { instanceTypes: async () => [large] },
    client: {
      list: async (kind) => ({ items: [...informers.of(kind).values()], metadata: {} }) as never,
    },
  })
  const podOn = (name: string, nodeName: string) => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet' }
    const spec = isStuck ? { nodeSelector: { [labels.hostname]: nodeName } } : {}
    informers.put(kinds.Pod, pod(name, { nodeName, requests: { cpu: '500m' }, owner, spec, metadata: { uid: name } }))
  }
  informers.put(karpenterKinds.NodePool, nodePool('general', { disruption: { consolidateAfter: '0s' } }))
  for (let nth = 0; nth < nodes; nth++) {
    const name = `node-${nth}`
    const at = { pool: 'general', providerID: `sim:///${name}`, capacity }
    const labelled = { ...placed, [labels.hostname]: name }
    const types = ['Launched', 'Registered', 'Initialized', 'Consolidatable', ...(isStuck ? ['Drifted'] : [])]
    const conditions = types.map((type) => condition(type))
    informers.put(karpenterKinds.NodeClaim, nodeClaim(name, { ...at, nodeName: name, labels: labelled, conditions }))
    informers.put(kinds.Node, node(name, { ...at, labels: { ...labelled, ...readyNodeLabels }, status: READY }))
    for (let each = 0; each < PODS_OF_A_NODE; each++) podOn(`${name}-${each}`, name)
  }
  const snapshots = new CountingSnapshots(deps, state)
  const disruption = new Disruption({
    ...deps,
    ...{ state, snapshots, sync: new ClusterSync(deps, state), creator: new ClaimCreator(deps, state) },
    observations: new Observations(deps),
    ...(decides === 0 ? {} : { provisioning: () => sleep(clock, decides, signal) }),
  })
  const [controller] = disruption.controllers()
  let changes = 0
  const pass = async (): Promise<void> => {
    await clock.advance(10 * SECOND)
    await clock.advanceUntilDone(controller?.reconcile('', signal) ?? Promise.reject(), 100)
  }
  return {
    snapshots,
    pass,
    isIdle: () => disruption.isIdle(signal),
    remove: (name: string) => informers.delete(kinds.Pod, `default/${name}`),
    /** Replaces a pod, and runs the next pass ten seconds later. */
    next: async (): Promise<void> => {
      informers.delete(kinds.Pod, `default/${changes === 0 ? 'node-0-0' : `new-${changes}`}`)
      podOn(`new-${++changes}`, 'node-0')
      await pass()
    },
  }
}

test('the cluster is not read again for the next method after a long search', async () => {
  const { snapshots, next } = start(30, { decides: 2 * SECOND })
  await next()
  expect(snapshots.searched).toBe(1)
})

test('consolidation searches a small cluster after every change', async () => {
  const { snapshots, next } = start(30)
  for (let pass = 1; pass <= 3; pass++) {
    await next()
    expect(snapshots.searched).toBe(pass)
  }
})

test.each([
  ['a large cluster in which nothing was found', false],
  ['a large cluster with drifted nodes that are simulated meanwhile', true],
])('consolidation searches %s again after a rest', async (_what, isStuck) => {
  const { snapshots, next } = start(150, { isStuck })
  const searched: number[] = []
  for (let pass = 1; pass <= 5; pass++) {
    await next()
    searched.push(snapshots.searched)
  }
  expect(searched).toEqual([1, 1, 2, 2, 3])
})

test('a delayed search runs even without further changes, and the cluster does not count as settled before', async () => {
  const { snapshots, next, pass, isIdle } = start(150)
  await next()
  expect(await isIdle()).toBe(true)
  await next()
  expect(await isIdle()).toBe(false)
  await pass()
  expect(snapshots.searched).toBe(2)
  expect(await isIdle()).toBe(true)
})

test('consolidation searches at once when many pods leave', async () => {
  const { snapshots, next, remove } = start(150, { observe: true })
  await next()
  for (let each = 0; each < 2 * PODS_OF_A_NODE; each++) {
    remove(`node-${100 + Math.floor(each / PODS_OF_A_NODE)}-${each % PODS_OF_A_NODE}`)
  }
  await next()
  expect(snapshots.searched).toBe(2)
})
