import { isConditionTrue, labels, type Milliseconds } from '@kerf/apis'
import { type EligibilityBlocker, type InstanceType, oncePerObject } from '@kerf/engine'
import { poolConsolidateAfter, quietSince } from '../../nodeclaim/consolidatable.ts'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { type Candidate, isEmpty, poolConsolidationPolicy } from '../candidates/candidate.ts'

/** Eligibility checks of the disruption methods (`docs/spec/disruption.md#eligibility`). */

type Blockers = readonly EligibilityBlocker[]

/** Returns whether the claim has the Drifted condition now. The claim may have received the condition after the candidate was assessed. */
export const isDrifted = ({ state }: Pick<Candidate, 'state'>): boolean =>
  state.claim !== undefined && isConditionTrue(state.claim, 'Drifted')

export const staticPool = ({ pool, poolName }: Candidate): Blockers =>
  isStatic(pool) ? [{ code: 'pool.static', pool: poolName }] : []

export const dynamicPool = ({ pool, poolName }: Candidate): Blockers =>
  isStatic(pool) ? [] : [{ code: 'pool.dynamic', pool: poolName }]

export const notDrifted = ({ claim }: Candidate): Blockers =>
  isConditionTrue(claim, 'Drifted') ? [] : [{ code: 'node.not-drifted' }]

const consolidationOff = ({ pool, poolName }: Candidate): Blockers =>
  poolConsolidateAfter(pool) === 'Never' ? [{ code: 'pool.consolidation-off', pool: poolName }] : []

/**
 * Returns a blocker if the node is not Consolidatable yet. The blocker includes the time at which the node becomes Consolidatable, if that
 * time is known. If the pool's consolidation is off, another check (`consolidationOff`) returns the blocker.
 */
const notConsolidatable = (candidate: Candidate): Blockers => {
  const { claim, pool } = candidate
  const after = poolConsolidateAfter(pool)
  if (isConditionTrue(claim, 'Consolidatable') || after === 'Never') return []
  const since = quietSince(claim)
  const until: Milliseconds | undefined = since === undefined ? undefined : since + after
  return [{ code: 'node.not-consolidatable', ...(until === undefined ? {} : { until }) }]
}

/** Returns the reasons why a candidate is not eligible for emptiness. */
export const emptinessBlockers = (candidate: Candidate, state: ClusterState): Blockers => [
  ...staticPool(candidate),
  ...consolidationOff(candidate),
  ...(state.bufferPodsOn(candidate.providerID) > 0
    ? [{ code: 'node.buffer-pods' as const, node: candidate.name }]
    : []),
  ...(isEmpty(candidate) ? [] : [{ code: 'node.not-empty' as const, pods: candidate.reschedulable.length }]),
  ...notConsolidatable(candidate),
]

/**
 * Returns the reasons why a candidate is not eligible for consolidation. The result depends only on the candidate, so it is cached per
 * candidate.
 */
export const consolidationBlockers = oncePerObject((candidate: Candidate): Blockers => {
  const blockers: EligibilityBlocker[] = [...staticPool(candidate)]
  if (candidate.type === undefined) {
    blockers.push({ code: 'type.unknown', type: candidate.labels[labels.instanceType] ?? '' })
  } else if (candidate.price === undefined) {
    blockers.push({ code: 'price.unknown', type: candidate.type.name })
  }
  for (const label of [labels.capacityType, ...(isWithoutZone(candidate.type) ? [] : [labels.zone])]) {
    if (candidate.labels[label] === undefined) blockers.push({ code: 'label.missing', label })
  }
  blockers.push(...consolidationOff(candidate))
  if (isEmpty(candidate)) blockers.push({ code: 'node.empty' })
  if (poolConsolidationPolicy(candidate.pool) === 'WhenEmpty') {
    blockers.push({ code: 'pool.only-when-empty', pool: candidate.poolName })
  }
  blockers.push(...notConsolidatable(candidate))
  return blockers
})

/** Returns whether Nodes of this instance type have no zone label. The price of such a type is known even without the label. */
const isWithoutZone = (type: InstanceType | undefined): boolean =>
  type?.requirements.some(({ key, operator }) => key === labels.zone && operator === 'DoesNotExist') ?? false
