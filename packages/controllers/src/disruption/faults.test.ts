import { isConditionTrue, isSameTaint, kinds, labels, type NodeClaim, taints } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { nodeClassRef, sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import {
  apiError,
  createDeployment,
  createDisruptablePool,
  type Harness,
  launchNodes,
  patchPool,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

const start = harnessPerTest()
const SHARE_OF_FAULTS = 0.04
const CODES = [409, 429, 500, 503]
const REPLICAS = 9
const BUDGET = 2

/**
 * Returns how many nodes Kerf has decided to taint or delete, which budgets limit. Nodes whose instance is already terminating do not
 * count.
 */
const disrupted = async (w: Harness): Promise<number> => {
  const isCounted = (claim: NodeClaim): boolean =>
    isConditionTrue(claim, 'DisruptionReason') && !isConditionTrue(claim, 'InstanceTerminating')
  return (await w.claims()).filter(isCounted).length
}

const runningPods = async (w: Harness): Promise<number> =>
  (await w.admin.list(kinds.Pod, { namespace: 'default' })).items.filter(
    ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === 'Running',
  ).length

test.each(sampled([1, 2, 3, 4, 5, 6, 7, 8], 2, 'disruption faults'))(
  'with random API errors and process crashes, budgets are never exceeded and the cluster settles (seed %i)',
  async (seed) => {
    const random = new SeededRandom(seed)
    let isFaulty = false
    let faults = 0
    const fail = () => {
      if (!isFaulty || random.next() >= SHARE_OF_FAULTS) return undefined
      faults++
      return apiError(CODES[Math.floor(random.next() * CODES.length)] ?? 500)
    }
    const w = await start({ seed, registrationDelay: '3s', fault: fail })
    await createDisruptablePool(
      w,
      'general',
      { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: String(BUDGET) }] } },
      {
        spec: {
          nodeClassRef,
          expireAfter: 'Never',
          requirements: [
            { key: labels.instanceType, operator: 'In', values: ['c-2x-amd64-linux', 'c-4x-amd64-linux'] },
            { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
          ],
        },
      },
    )
    await launchNodes(w, 6)
    await createDeployment(w, 'web', REPLICAS, '400m')
    await w.pass(10_000)
    isFaulty = true
    await patchPool(w, 'general', {
      spec: { disruption: { consolidateAfter: '5s' }, template: { metadata: { labels: { team: 'a' } } } },
    })
    for (let step = 0; step < 120; step++) {
      await w.pass(2_000)
      if (random.next() < 0.02) w.restart()
      expect(await disrupted(w)).toBeLessThanOrEqual(BUDGET)
    }
    expect(faults).toBeGreaterThan(5)
    isFaulty = false
    await w.pass(900_000)
    expect(await runningPods(w)).toBe(REPLICAS)
    const claims = await w.claims()
    const nodes = (await w.admin.list(kinds.Node)).items
    expect(nodes.map(({ spec }) => spec.providerID).sort()).toEqual(
      claims.map(({ status }) => status?.providerID).sort(),
    )
    // Nine pods of 400m need 3.6 CPUs: one node with four CPUs, or two nodes with two CPUs each.
    expect(claims.length).toBeLessThanOrEqual(2)
    for (const claim of claims) {
      expect(claim.metadata.labels?.['team']).toBe('a')
      expect(isConditionTrue(claim, 'DisruptionReason')).toBe(false)
    }
    for (const { spec } of nodes) {
      expect(spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) ?? false).toBe(false)
    }
    expect(w.kerf.disruption.queue.size).toBe(0)
  },
)
