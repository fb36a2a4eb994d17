import { isConditionTrue, labels } from '@kerf/apis'
import { type Blocker, type EligibilityBlocker, oncePerObject } from '@kerf/engine'
import type { Milliseconds } from '@kerf/runtime'
import { consolidateAfterOf, quietSince } from '../../node-claims/consolidatable.ts'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { type Candidate, isEmpty, policyOf } from '../candidates/candidate.ts'
import type { MethodName } from '../commands/command.ts'

/** Told in an Event when it is what keeps a node; the others would only repeat what conditions show. */
const TOLD: ReadonlySet<Blocker['code']> = new Set([
  'type.unknown',
  'label.missing',
  'pool.consolidation-off',
  'pool.only-when-empty',
  'node.buffer-pods',
])

export const isTold = ({ code }: Blocker): boolean => TOLD.has(code)

const quietFrom = ({ claim, pool }: Candidate): Milliseconds | undefined => {
  const since = quietSince(claim)
  const after = consolidateAfterOf(pool)
  return since === undefined || after === 'Never' ? undefined : since + after
}

/** Where consolidation is off that is the reason, and no time to wait for would come. */
const notConsolidatable = (candidate: Candidate): readonly EligibilityBlocker[] => {
  if (isConditionTrue(candidate.claim, 'Consolidatable') || consolidateAfterOf(candidate.pool) === 'Never') return []
  const until = quietFrom(candidate)
  return [{ code: 'node.not-consolidatable', ...(until === undefined ? {} : { until }) }]
}

const isStaticPool = ({ pool, poolName }: Candidate): readonly EligibilityBlocker[] =>
  isStatic(pool) ? [{ code: 'pool.static', pool: poolName }] : []

const isDynamicPool = ({ pool, poolName }: Candidate): readonly EligibilityBlocker[] =>
  isStatic(pool) ? [] : [{ code: 'pool.dynamic', pool: poolName }]

const isOff = ({ pool, poolName }: Candidate): readonly EligibilityBlocker[] =>
  consolidateAfterOf(pool) === 'Never' ? [{ code: 'pool.consolidation-off', pool: poolName }] : []

const notDrifted = ({ claim }: Candidate): readonly EligibilityBlocker[] =>
  isConditionTrue(claim, 'Drifted') ? [] : [{ code: 'node.not-drifted' }]

const forEmptiness = (candidate: Candidate, state: ClusterState): readonly EligibilityBlocker[] => [
  ...isStaticPool(candidate),
  ...isOff(candidate),
  ...(state.bufferPodsOn(candidate.providerID) > 0
    ? [{ code: 'node.buffer-pods' as const, node: candidate.name }]
    : []),
  ...(isEmpty(candidate) ? [] : [{ code: 'node.not-empty' as const, pods: candidate.reschedulable.length }]),
  ...notConsolidatable(candidate),
]

/** Says nothing that is not in the candidate, so each is asked once. */
const forConsolidation = oncePerObject((candidate: Candidate): readonly EligibilityBlocker[] => {
  const blockers: EligibilityBlocker[] = [...isStaticPool(candidate)]
  if (candidate.type === undefined) {
    blockers.push({ code: 'type.unknown', type: candidate.labels[labels.instanceType] ?? '' })
  }
  for (const label of [labels.capacityType, labels.zone]) {
    if (candidate.labels[label] === undefined) blockers.push({ code: 'label.missing', label })
  }
  blockers.push(...isOff(candidate))
  if (isEmpty(candidate)) blockers.push({ code: 'node.empty' })
  if (policyOf(candidate.pool) === 'WhenEmpty') {
    blockers.push({ code: 'pool.only-when-empty', pool: candidate.poolName })
  }
  blockers.push(...notConsolidatable(candidate))
  return blockers
})

/** What keeps a method from a candidate, in the order of the checks (`docs/spec/disruption.md#eligibility`). */
export const eligibility = (
  method: MethodName,
  candidate: Candidate,
  state: ClusterState,
): readonly EligibilityBlocker[] => {
  switch (method) {
    case 'emptiness':
      return forEmptiness(candidate, state)
    case 'static-drift':
      return [...isDynamicPool(candidate), ...notDrifted(candidate)]
    case 'drift':
      return [...isStaticPool(candidate), ...notDrifted(candidate)]
    case 'multi-node':
    case 'single-node':
      return forConsolidation(candidate)
  }
}
