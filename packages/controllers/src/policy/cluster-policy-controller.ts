import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  type ClusterPolicyStatus,
  isEqualJson,
  karpenterKinds,
  type Milliseconds,
  policyKinds,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type Controller, defineMetrics, done, isConflict, isNotFound, retry, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { resourceLabelValue } from '../metrics/label-names.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import { readOnlySource } from '../read-only-source.ts'
import type { PolicyCeilings } from '../state/ceilings/ceiling-amounts.ts'
import type { CeilingUse } from '../state/ceilings/ceiling-tally.ts'
import { ceilingAmount, ceilingName } from '../state/ceilings/ceiling-text.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'
import { type CommitmentProblem, commitmentProblems } from '../state/commitments/commitment-problems.ts'
import { type CommitmentUse, coversNow, unusedAmount, usedAmount } from '../state/commitments/commitment-use.ts'
import { ifReadable } from '../state/isolation/if-readable.ts'
import { type Acceptance, withAcceptance } from './accepted-condition.ts'
import { CommitmentGauges } from './commitments/commitment-metrics.ts'
import type { CommitmentSource } from './commitments/commitment-source.ts'
import type { PriceBook } from './price-book/price-book.ts'

const EVERY: Milliseconds = 10_000
/** The maximum number of commitment problems in the message. */
const SHOWN = 5
const SYNC_RETRY: Milliseconds = 1_000

const byResource = ['resource_type'] as const

export const ceilingMetrics = defineMetrics({
  limit: {
    name: 'kerf_ceiling_limit',
    type: 'gauge',
    help: 'A ceiling of the ClusterPolicy, by resource. The price has the resource usdPerHour.',
    labels: byResource,
  },
  headroom: {
    name: 'kerf_ceiling_headroom',
    type: 'gauge',
    help: 'What further nodes may use below a ceiling of the ClusterPolicy. Negative if more is in use than the ceiling allows.',
    labels: byResource,
  },
})

type CeilingStatus = NonNullable<ClusterPolicyStatus['ceilings']>

const ceilingStatus = ({ most }: PolicyCeilings, { used, free }: CeilingUse): CeilingStatus =>
  Array.from(most, ([name, amount]) => ({
    name,
    ceiling: ceilingAmount(name, amount),
    used: ceilingAmount(name, used.get(name) ?? 0n),
    headroom: ceilingAmount(name, free.get(name) ?? 0n),
  }))

const NO_TYPES: ReadonlyMap<string, InstanceType> = new Map()

/**
 * Returns the instance types of all NodePools by name. If the instance types of any NodePool are unknown, returns an empty map, because
 * that NodePool may offer any type.
 */
const offeredTypes = async (
  { informers, provider }: Pick<Deps, 'informers' | 'provider'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, InstanceType>> => {
  const types = new Map<string, InstanceType>()
  for (const pool of informers.of(karpenterKinds.NodePool).values()) {
    if (ifReadable(() => isManagedPool(provider, pool)) !== true) continue
    try {
      for (const type of await provider.instanceTypes(pool, signal)) types.set(type.name, type)
    } catch {
      signal.throwIfAborted()
      return NO_TYPES
    }
  }
  return types
}

/** Returns whether the ceilings are in effect. The message reports a ceiling that is already exceeded. */
const ceilingAcceptance = (ceilings: PolicyCeilings | undefined, use: CeilingUse | undefined): Acceptance => {
  if (ceilings !== undefined && ceilings.invalid.length > 0) {
    const fields = ceilings.invalid.join(', ')
    const message = `${fields} must be a quantity that is not negative, for example "100" or "64Gi". Until then, Kerf treats the ceiling as 0 and launches no node.`
    return { status: 'False', reason: 'Invalid', message }
  }
  const over = Array.from(use?.free ?? []).filter(([, free]) => free < 0n)
  const texts = over.map(
    ([name]) =>
      `${ceilingName(name)}: ${ceilingAmount(name, use?.used.get(name) ?? 0n)} of ${ceilingAmount(name, ceilings?.most.get(name) ?? 0n)}`,
  )
  const message =
    over.length === 0
      ? ''
      : `more is in use than the ceilings allow (${texts.join('; ')}). Kerf removes no node because of that, and launches none. Raise the ceilings, or scale workloads down.`
  return { status: 'True', reason: 'Accepted', message }
}

/** Returns whether a section that is read from a source is in effect. */
const sourceAcceptance = (problem: string | undefined, remark = ''): Acceptance =>
  problem === undefined
    ? { status: 'True', reason: 'Accepted', message: remark }
    : { status: 'False', reason: 'Invalid', message: problem }

type CommitmentStatus = NonNullable<ClusterPolicyStatus['commitments']>

const commitmentStatus = (uses: readonly CommitmentUse[]): CommitmentStatus =>
  uses.map((use) => ({
    name: use.terms.name,
    state: use.terms.state,
    ...(use.terms.unit === 'instances' ? {} : { unit: use.terms.unit }),
    covers: String(coversNow(use.terms)),
    used: String(usedAmount(use)),
    unused: String(unusedAmount(use)),
  }))

/** Returns whether the commitments are in effect, which is always true. The message lists commitments without effect. */
const commitmentAcceptance = (problems: readonly CommitmentProblem[]): Acceptance => {
  const texts = problems
    .slice(0, SHOWN)
    .map(({ problem, remedy }) => `spec.commitments: ${problem}. Remedy: ${remedy}.`)
  const more = problems.length > SHOWN ? [`spec.commitments: ${problems.length - SHOWN} more problems.`] : []
  return { status: 'True', reason: 'Accepted', message: [...texts, ...more].join(' ') }
}

/** Returns whether all sections of the policy are in effect. */
const joined = (sections: readonly Acceptance[]): Acceptance => {
  const failed = sections.filter(({ status }) => status === 'False')
  const messages = (failed.length > 0 ? failed : sections).map(({ message }) => message).filter((text) => text !== '')
  const message = messages.join(' ')
  return failed.length > 0
    ? { status: 'False', reason: 'Invalid', message }
    : { status: 'True', reason: 'Accepted', message }
}

/**
 * Reports as status and gauges whether the ClusterPolicy is in effect, its current prices, and what is left below its ceilings (controller
 * `policy`, `docs/spec/policies.md#status`).
 */
export const clusterPolicyController = (
  { informers, provider, client, clock, metrics }: Deps,
  state: ClusterState,
  sync: ClusterSync,
  priceBook: Pick<PriceBook, 'problem' | 'remark' | 'status'>,
  commitmentSource: Pick<CommitmentSource, 'problem' | 'status'>,
): Controller => {
  const policies = informers.optional(policyKinds.ClusterPolicy)
  const gauges = ceilingMetrics.register(metrics)
  const commitmentGauges = new CommitmentGauges(metrics)
  const shown = new Set<string>()

  const measure = (ceilings: PolicyCeilings | undefined, use: CeilingUse | undefined): void => {
    const names = new Set(ceilings?.most.keys() ?? [])
    for (const name of [...shown]) {
      if (names.has(name)) continue
      gauges.limit.remove({ resource_type: resourceLabelValue(name) })
      gauges.headroom.remove({ resource_type: resourceLabelValue(name) })
      shown.delete(name)
    }
    for (const name of names) {
      shown.add(name)
      gauges.limit.set(Number(ceilings?.most.get(name) ?? 0n) / 1e9, { resource_type: resourceLabelValue(name) })
      gauges.headroom.set(Number(use?.free.get(name) ?? 0n) / 1e9, { resource_type: resourceLabelValue(name) })
    }
  }

  const write = async (policy: ClusterPolicy, signal: AbortSignal): Promise<void> => {
    const { current: ceilings } = state.ceilings
    const use = state.ceilings.use()
    measure(ceilings, use)
    const { commitments } = state
    const uses = commitments.uses()
    commitments.noticeTime()
    commitmentGauges.show(uses)
    const { specs, overridden } = commitments
    const types = specs.length === 0 ? NO_TYPES : await offeredTypes({ informers, provider }, signal)
    const acceptance = joined([
      ceilingAcceptance(ceilings, use),
      commitmentAcceptance(specs.length === 0 ? [] : commitmentProblems(specs, types, clock.now(), overridden)),
      sourceAcceptance(commitmentSource.problem),
      sourceAcceptance(priceBook.problem, priceBook.remark),
    ])
    const conditions = withAcceptance(policy, acceptance, clock.now())
    const used = ceilings === undefined || use === undefined ? undefined : ceilingStatus(ceilings, use)
    const prices = priceBook.status
    const read = commitmentSource.status
    const committed = uses.length === 0 ? undefined : commitmentStatus(uses)
    const isSame =
      conditions === policy.status?.conditions &&
      isEqualJson(committed ?? [], policy.status.commitments ?? []) &&
      isEqualJson(read ?? {}, policy.status.commitmentSource ?? {}) &&
      isEqualJson(used ?? [], policy.status.ceilings ?? []) &&
      isEqualJson(prices ?? {}, policy.status.priceBook ?? {})
    if (isSame) return
    const { name, resourceVersion } = policy.metadata
    const body = {
      metadata: { resourceVersion },
      status: {
        conditions,
        ceilings: used ?? null,
        commitments: committed ?? null,
        commitmentSource: read ?? null,
        priceBook: prices ?? null,
      },
    }
    await client.patch(policyKinds.ClusterPolicy, { name }, { type: 'merge', body }, { subresource: 'status', signal })
  }

  return {
    name: 'policy',
    reconciles: policyKinds.ClusterPolicy,
    // The CRD of policies may be missing, so the controller must not wait for it.
    sources: [readOnlySource(informers, karpenterKinds.NodePool)],
    subscribe: (enqueue) => policies.onChange(({ before, after }) => enqueue((after ?? before)?.metadata.name ?? '')),
    concurrency: 1,
    reconcile: async (name, signal) => {
      if (name !== CLUSTER_POLICY) return done()
      const policy = policies.get(name)
      if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) {
        measure(undefined, undefined)
        commitmentGauges.show([])
        return done()
      }
      if (!sync.hasSyncedOnce && !(await sync.synced(signal))) return retryAfter(SYNC_RETRY)
      try {
        await state.loadPolicies(signal)
        await write(policy, signal)
      } catch (error) {
        if (isConflict(error)) return retry()
        if (isNotFound(error)) return done()
        throw error
      }
      return retryAfter(EVERY)
    },
  }
}
