import { type ClusterPolicy, karpenterKinds, kinds, type NodeClaim, policyKinds } from '@kerf/apis'
import { awayFrom } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../deps.ts'
import { change, heldWith, release } from '../testing/drifting-pools.ts'
import {
  createDeployment,
  createPendingPods,
  createPool,
  createPoolOfType,
  type Harness,
  launchNodes,
  patchPool,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

// docs/spec/policies.md#ceilings

const start = harnessPerTest()
const held = heldWith(start)

type CeilingSpec = NonNullable<ClusterPolicy['spec']['ceilings']>

const setCeilings = async (w: Harness, ceilings: CeilingSpec): Promise<void> => {
  await w.admin.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { ceilings },
  })
  await w.pass(1_000)
}

const changeCeilings = async (w: Harness, ceilings: Partial<CeilingSpec>): Promise<void> => {
  await w.patch(policyKinds.ClusterPolicy, 'default', { spec: { ceilings } })
  await w.pass(15_000)
}

const readPolicy = async (w: Harness): Promise<ClusterPolicy | undefined> =>
  await w.read(policyKinds.ClusterPolicy, 'default')

const accepted = async (w: Harness) =>
  (await readPolicy(w))?.status?.conditions?.map(({ type, status, reason, message }) => ({
    type,
    status,
    reason,
    message,
  }))

const onOwnNode = { labels: { app: 'a' }, spec: awayFrom('kubernetes.io/hostname', 'a') }

/** Advances the time in small steps. Returns the largest number of NodeClaims that existed at the same time. */
const mostClaims = async (
  w: Harness,
  steps: number,
  isOver: () => Promise<boolean> = async () => false,
): Promise<number> => {
  let most = 0
  for (let step = 0; step < steps && !(await isOver()); step++) {
    await w.pass(500)
    most = Math.max(most, (await w.claims()).length)
  }
  return most
}

describe('a ceiling on nodes', () => {
  test('applies to all pools together; pods beyond it wait with the reason, and start when the ceiling rises', async () => {
    const w = await start()
    await setCeilings(w, { nodes: 3 })
    await createPool(w, 'high', { weight: 10, limits: { nodes: '2' } })
    await createPool(w, 'low')
    await createPendingPods(w, 5, onOwnNode)
    await w.pass(30_000)
    expect(await w.claims()).toHaveLength(3)
    expect(w.messages('FailedScheduling').join()).toContain(
      'a new node would exceed the ceiling of the ClusterPolicy on nodes',
    )
    expect((await readPolicy(w))?.status?.ceilings).toEqual([{ name: 'nodes', ceiling: '3', used: '3', headroom: '0' }])
    expect(await w.metric('kerf_ceiling_headroom', { resource_type: 'nodes' })).toBe(0)
    expect(await w.metric('kerf_ceiling_limit', { resource_type: 'nodes' })).toBe(3)
    await changeCeilings(w, { nodes: 4 })
    expect(await w.claims()).toHaveLength(4)
    await w.admin.delete(policyKinds.ClusterPolicy, { name: 'default' })
    await w.pass(15_000)
    expect(await w.claims()).toHaveLength(5)
    expect(await w.metric('kerf_ceiling_limit')).toBe(0)
  })

  test('that is below the current use removes nothing, launches nothing, and is reported', async () => {
    const w = await start()
    await createPool(w)
    await createPendingPods(w, 3, onOwnNode)
    await w.pass(10_000)
    await setCeilings(w, { nodes: 2 })
    await createPendingPods(w, 1, onOwnNode, 'later')
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(3)
    expect(await accepted(w)).toEqual([
      {
        type: 'Accepted',
        status: 'True',
        reason: 'Accepted',
        message:
          'more is in use than the ceilings allow (nodes: 3 of 2). Kerf removes no node because of that, and launches none. Raise the ceilings, or scale workloads down.',
      },
    ])
  })

  test('includes launches in progress, even after a restart', async () => {
    const w = await start({ registrationDelay: '20s' })
    await setCeilings(w, { nodes: 2 })
    await createPool(w)
    await createPendingPods(w, 4, onOwnNode)
    for (let crash = 0; crash < 6; crash++) {
      await w.pass(700)
      w.restart()
    }
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(2)
  })
})

describe('a ceiling on resources and on the price', () => {
  test('counts a launched node by its instance, and a claim without an instance by its largest type', async () => {
    const w = await start()
    await setCeilings(w, { resources: { cpu: 9 } })
    await createPool(w)
    await createPendingPods(w, 12, { requests: { cpu: '900m' } })
    await w.pass(120_000)
    const cpus = (await w.claims()).map(({ status }: NodeClaim) => Number(status?.capacity?.['cpu'] ?? 0))
    expect(cpus.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(9)
    // What is left below the ceiling is too small for another pod.
    expect(cpus.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(8)
  })

  test('is never exceeded, and nothing is launched that could cost more', async () => {
    const w = await start()
    await setCeilings(w, { usdPerHour: '0.5' })
    await createPoolOfType(w, 'c-4x-amd64-linux')
    await createPendingPods(w, 9, { requests: { cpu: '3' } })
    await w.pass(120_000)
    const cost = await w.metric('karpenter_nodepools_cost_total')
    expect(cost).toBeGreaterThan(0.25)
    expect(cost).toBeLessThanOrEqual(0.5)
    expect((await readPolicy(w))?.status?.ceilings?.[0]).toMatchObject({ name: 'usdPerHour', ceiling: '0.5' })
  })
})

describe('replacements at a ceiling', () => {
  const drifting = async (ceilings: CeilingSpec): Promise<Harness> => {
    const w = await held({ registrationDelay: '5s' })
    await launchNodes(w, 3)
    await createDeployment(w, 'web', 3, '3')
    await w.pass(5_000)
    await setCeilings(w, ceilings)
    await release(w)
    await change(w, 'a')
    return w
  }

  test('drift continues, with as many nodes above the ceiling as the surge allows', async () => {
    const w = await drifting({ nodes: 3, surge: 1 })
    const before = new Set(await w.staying())
    const isOver = async (): Promise<boolean> => (await w.claims()).every(({ metadata }) => !before.has(metadata.name))
    expect(await mostClaims(w, 600, isOver)).toBe(4)
    expect(await isOver()).toBe(true)
    expect(await w.staying()).toHaveLength(3)
  })

  test('without a surge, drift waits until there is headroom, and reports the reason', async () => {
    const w = await drifting({ nodes: 3, surge: 0 })
    const before = await w.staying()
    expect(await mostClaims(w, 200)).toBe(3)
    expect(await w.staying()).toEqual(before)
    expect(w.messages('DisruptionBlocked').join()).toContain('exceed the ceiling of the ClusterPolicy')
    await changeCeilings(w, { nodes: 4 })
    expect(await mostClaims(w, 60)).toBe(4)
  })

  test('drift continues even if pods wait because of the ceiling', async () => {
    const w = await drifting({ nodes: 3, surge: 1 })
    await createPendingPods(w, 4, { requests: { cpu: '3500m' } }, 'waiting')
    const before = new Set(await w.staying())
    const isOver = async (): Promise<boolean> => (await w.claims()).every(({ metadata }) => !before.has(metadata.name))
    expect(await mostClaims(w, 600, isOver)).toBeLessThanOrEqual(4)
    expect(await isOver()).toBe(true)
  })
})

describe('a static pool', () => {
  const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
  const settings = { featureGates }

  test('stops at the ceiling, and continues when it rises', async () => {
    const w = await start({ settings })
    await setCeilings(w, { nodes: 2 })
    await createPoolOfType(w, 's-4x-amd64-linux', 'general')
    await createPool(w, 'still', { replicas: 4 })
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(2)
    expect(w.log.messages('info')).toContain('nodepool is at a ceiling of the clusterpolicy')
    await w.patch(policyKinds.ClusterPolicy, 'default', { spec: { ceilings: { nodes: 3 } } })
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(3)
  })

  test('replaces drifted nodes one at a time within the surge', async () => {
    const w = await start({ settings })
    await createPool(w, 'still', { replicas: 3, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] } })
    await w.pass(20_000)
    await setCeilings(w, { nodes: 3 })
    const before = new Set(await w.staying())
    expect(before.size).toBe(3)
    await patchPool(w, 'still', { spec: { template: { metadata: { labels: { team: 'b' } } } } })
    const isOver = async (): Promise<boolean> => (await w.claims()).every(({ metadata }) => !before.has(metadata.name))
    expect(await mostClaims(w, 600, isOver)).toBe(4)
    expect(await isOver()).toBe(true)
  })
})

test('a drifted node of a static pool that the ceiling keeps has a blocker, and gets no taint', async () => {
  const featureGates = { ...defaultControllerSettings.featureGates, StaticCapacity: true }
  const w = await start({ settings: { featureGates } })
  await createPool(w, 'still', { replicas: 2, disruption: { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] } })
  await w.pass(20_000)
  await setCeilings(w, { nodes: 2, surge: 0 })
  await patchPool(w, 'still', { spec: { template: { metadata: { labels: { team: 'b' } } } } })
  await w.pass(60_000)
  const [node] = await w.nodes()
  const explained = await w.kerf.explainNode(node?.metadata.name ?? '', new AbortController().signal)
  const verdict = explained?.methods.find(({ method }) => method === 'static-drift')
  expect(verdict?.blockers).toEqual([{ code: 'replacement.ceiling' }])
  expect(w.log.messages('error')).not.toContain('disruption method failed')
})

describe('without the CRD', () => {
  test('Kerf launches as usual, and logs one line', async () => {
    const w = await start()
    w.kill()
    await w.admin.delete(kinds.CustomResourceDefinition, { name: 'clusterpolicies.kerf.sh' })
    w.start()
    await createPool(w)
    await createPendingPods(w, 2, onOwnNode)
    await w.pass(60_000)
    expect(await w.claims()).toHaveLength(2)
    expect(w.log.messages('info').filter((line) => line.includes('clusterpolicies'))).toEqual([
      'clusterpolicies.kerf.sh is not installed; Kerf works as if there were no ClusterPolicy',
    ])
  })
})

test('a ceiling that is not a quantity counts as 0, and the condition reports it', async () => {
  const w = await start()
  await setCeilings(w, { resources: { cpu: '1e1.5' } })
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(20_000)
  expect(await w.claims()).toEqual([])
  expect((await accepted(w))?.[0]).toMatchObject({ status: 'False', reason: 'Invalid' })
  expect((await w.admin.list(karpenterKinds.NodePool)).items).toHaveLength(1)
})
