import { annotations, karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { defaultControllerSettings } from '../deps.ts'
import { PodDisruptionBudgets } from '../pod/pod-disruption-budgets.ts'
import { isProvisionable } from '../pod/pod-predicates.ts'
import { ManualInformers } from '../testing/by-hand/manual-informers.ts'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { createPendingPod, createPool, Harness, type HarnessOptions } from '../testing/harness/index.ts'
import { exceededLimit } from './claim-creator.ts'
import { podsOnDeletingNodes } from './pending-pods.ts'

// Tests of `docs/spec/scheduling-edge-cases.md`. `tests/integration/facts/numbered-cases.ts` has the numbers of the cases.

const unschedulable = pod('p').status?.conditions ?? []
const NOW = Date.parse('2026-01-01T01:00:00Z')

describe('which pods Kerf provisions for', () => {
  test('only the type and reason of the condition matter', () => {
    for (const status of ['True', 'False', 'Unknown'] as const) {
      expect(
        isProvisionable(
          pod('p', {
            status: { conditions: [{ ...unschedulable[0], type: 'PodScheduled', status, reason: 'Unschedulable' }] },
          }),
        ),
      ).toBe(true)
    }
  })
  test('pods with scheduling gates are not provisioned for', () => {
    const gated = pod('p', {
      spec: { schedulingGates: [{ name: 'wait' }] },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    })
    expect(isProvisionable(gated)).toBe(false)
  })
  test('terminating pods and pods that failed without ever running are provisioned for', () => {
    expect(isProvisionable(pod('p', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))).toBe(true)
    expect(isProvisionable(pod('p', { status: { phase: 'Failed' } }))).toBe(true)
  })
  test('pods of another scheduler are provisioned for', () => {
    expect(isProvisionable(pod('p', { spec: { schedulerName: 'other' } }))).toBe(true)
  })
  test('pods whose owner is only named like a DaemonSet are provisioned for', () => {
    for (const apiVersion of ['apps/v1beta2', 'example.com/v1']) {
      expect(isProvisionable(pod('p', { owner: { apiVersion, kind: 'DaemonSet' } }))).toBe(true)
    }
    expect(isProvisionable(pod('p', { owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } }))).toBe(false)
  })
})

test('protected pods of a terminating node are not planned elsewhere until their protection ends', () => {
  const harness = manualState()
  const protectedBy = (name: string, value: string): Pod =>
    pod(name, {
      nodeName: 'free',
      metadata: { annotations: { [annotations.doNotDisrupt]: value } },
      status: { startTime: '2026-01-01T00:00:00Z' },
    })
  harness.informers.put(kinds.Node, node('free', { deletionTimestamp: '2026-01-01T00:00:00Z' }))
  for (const each of [protectedBy('for-ever', 'true'), protectedBy('an-hour', '59m'), protectedBy('a-day', '24h')]) {
    harness.informers.put(kinds.Pod, each)
  }
  const leaving = podsOnDeletingNodes(harness.state, new PodDisruptionBudgets(new ManualInformers()), NOW)
  expect(leaving.map(({ metadata }) => metadata.name)).toEqual(['an-hour'])
})

test('if a limit is exceeded between planning and creation, only that claim fails', () => {
  const harness = manualState()
  const pool = nodePool('default', { limits: { cpu: '4' } })
  expect(exceededLimit(pool, harness.state)).toBeUndefined()
  for (const [index, cpu] of ['3', '3'].entries()) {
    harness.informers.put(
      karpenterKinds.NodeClaim,
      nodeClaim(`c-${index}`, {
        pool: 'default',
        capacity: { cpu },
        providerID: `kwok://${index}`,
        metadata: { uid: `c-${index}` },
      }),
    )
    if (index === 0) expect(exceededLimit(pool, harness.state)).toBeUndefined()
  }
  expect(exceededLimit(pool, harness.state)).toBe('cpu of its nodes is 6, the limit is 4')
})

describe('in a cluster', () => {
  let harness: Harness | undefined
  afterEach(() => {
    harness?.stop()
    harness = undefined
  })
  const start = async (options: HarnessOptions = {}): Promise<Harness> => {
    harness = await Harness.create(options)
    return harness
  }

  test('if no pool may launch nodes, pods are not planned on existing nodes either', async () => {
    const w = await start()
    await w.admin.create(kinds.Node, node('own', { capacity: { cpu: '8', pods: '10' } }))
    await createPendingPod(w, 'lonely')
    await w.pass(1_500)
    expect(w.messages('FailedScheduling')).toEqual(['Failed to schedule pod, no dynamic nodepools found'])
    expect(w.messages('Nominated')).toEqual([])
  })

  test('a static pool with five replicas, three active nodes and one node to replace gets two more nodes, and then none', async () => {
    const w = await start({
      settings: { featureGates: { ...defaultControllerSettings.featureGates, StaticCapacity: true } },
    })
    await createPool(w, 'still', { replicas: 4 })
    await w.pass(10_000)
    const names = (await w.claims()).map(({ metadata }) => metadata.name)
    expect(names).toHaveLength(4)
    w.kerf.state.claims.markPendingDisruption(names[0] ?? '')
    expect(w.kerf.state.claims.counts('still')).toEqual({ active: 3, deleting: 0, pendingDisruption: 1 })
    await w.admin.patch(karpenterKinds.NodePool, { name: 'still' }, { type: 'merge', body: { spec: { replicas: 5 } } })
    await w.pass(5_000)
    expect(await w.claims()).toHaveLength(6)
    expect(w.kerf.state.claims.counts('still')).toEqual({ active: 5, deleting: 0, pendingDisruption: 1 })
  })
})
