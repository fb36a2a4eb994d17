import {
  annotations,
  clearCondition,
  conditionSets,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  objectConditions,
  setCondition,
  withConditions,
} from '@kerf/apis'
import { isNotKnownYet } from '@kerf/provider-contract'
import { type Controller, done, isConflict, isNotFound, retry, retryAfter, source } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import { concurrency, type Deps } from '../../deps.ts'
import { poolOperations } from '../../modes/pool-operation.ts'
import { type ConditionVerdict, consolidatable } from '../../nodeclaim/consolidatable.ts'
import { isManagedClaim } from '../../nodeclaim/ownership.ts'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import { DriftChecks } from './drift-checks.ts'

/** How often Kerf asks the provider whether a claim has drifted. */
const DRIFT_EVERY: Milliseconds = 300_000
/** How soon Kerf asks the provider again if the provider could not determine drift. */
const ASK_AGAIN: Milliseconds = 30_000
const BY_POOL = 'disruption.nodePool'
const BY_CLASS = 'disruption.nodeClass'

const claimPool = (claim: NodeClaim): readonly string[] => {
  const pool = claim.metadata.labels?.[labels.nodePool]
  return pool === undefined ? [] : [pool]
}
const claimClass = ({ spec: { nodeClassRef } }: NodeClaim): readonly string[] => [
  `${nodeClassRef.group}/${nodeClassRef.kind}/${nodeClassRef.name}`,
]
/** Returns whether a change of a pool cannot affect its claims. Ignores the status, which changes whenever a node is added or removed. */
const saysTheSame = (before: NodePool | undefined, after: NodePool | undefined): boolean =>
  before?.metadata.uid === after?.metadata.uid &&
  before?.metadata.generation === after?.metadata.generation &&
  before?.metadata.annotations?.[poolOperations.consolidate.annotation] ===
    after?.metadata.annotations?.[poolOperations.consolidate.annotation] &&
  before?.metadata.annotations?.[annotations.nodePoolHash] ===
    after?.metadata.annotations?.[annotations.nodePoolHash] &&
  before?.metadata.annotations?.[annotations.nodePoolHashVersion] ===
    after?.metadata.annotations?.[annotations.nodePoolHashVersion]

const claimName = (claim: NodeClaim | undefined): readonly string[] =>
  claim?.metadata.name === undefined ? [] : [claim.metadata.name]

/** Returns the claim with the condition set or removed, as the verdict requires. */
const applied = (claim: NodeClaim, type: string, { change }: ConditionVerdict, now: Milliseconds): NodeClaim => {
  const set = conditionSets.NodeClaim
  return withConditions(
    claim,
    change === undefined ? clearCondition(set, claim, type) : setCondition(set, claim, change, now),
  )
}

/**
 * Returns the verdict on drift. If the provider cannot determine drift, the Drifted condition does not change, and the reconciliation
 * continues.
 */
const driftVerdict = async (
  checks: DriftChecks,
  claim: NodeClaim,
  pool: NodePool,
  signal: AbortSignal,
): Promise<{ readonly drifted?: ConditionVerdict; readonly failure?: { readonly error: unknown } }> => {
  try {
    const reason = await checks.reasonOf(claim, pool, signal)
    if (reason === undefined) return { drifted: {} }
    return { drifted: { change: { type: 'Drifted', status: 'True', reason, message: reason } } }
  } catch (error) {
    signal.throwIfAborted()
    return { failure: { error } }
  }
}

/**
 * Writes the Drifted and Consolidatable conditions (controller `nodeclaim.disruption`,
 * `docs/spec/lifecycle.md#other-claim-controllers`). It removes a condition as soon as its reason no longer applies.
 */
export const nodeClaimDisruption = (deps: Deps): Controller => {
  const { client, clock, informers, log, provider, settings } = deps
  const claims = informers.of(karpenterKinds.NodeClaim)
  const pools = informers.of(karpenterKinds.NodePool)
  const checks = new DriftChecks(deps)
  claims.index(BY_POOL, claimPool)
  claims.index(BY_CLASS, claimClass)
  return {
    name: 'nodeclaim.disruption',
    reconciles: karpenterKinds.NodeClaim,
    sources: [
      source(claims, ({ after }) => claimName(after)),
      source(pools, ({ before, after }) =>
        saysTheSame(before, after)
          ? []
          : claims.by(BY_POOL, (after ?? before)?.metadata.name ?? '').flatMap((claim) => claimName(claim)),
      ),
      ...provider.nodeClasses.map((kind) =>
        source(informers.of(kind), ({ before, after }) =>
          claims
            .by(BY_CLASS, `${kind.group}/${kind.kind}/${(after ?? before)?.metadata.name}`)
            .flatMap((claim) => claimName(claim)),
        ),
      ),
    ],
    concurrency: concurrency(settings, 10, 1_000),
    reconcile: async (key, signal) => {
      const claim = claims.get(key)
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return done()
      if (!isManagedClaim(provider, claim)) return done()
      const pool = pools.get(claim.metadata.labels?.[labels.nodePool] ?? '')
      if (pool === undefined) return done()
      const now = clock.now()
      const { drifted, failure } = await driftVerdict(checks, claim, pool, signal)
      let changed = drifted === undefined ? claim : applied(claim, 'Drifted', drifted, now)
      let after = DRIFT_EVERY
      if (!isStatic(pool)) {
        const verdict = consolidatable(claim, pool, now)
        changed = applied(changed, 'Consolidatable', verdict, now)
        after = Math.min(after, verdict.after ?? after)
      }
      if (changed !== claim) {
        try {
          await patchConditions(client, karpenterKinds.NodeClaim, claim, objectConditions(changed), signal)
        } catch (error) {
          if (isConflict(error)) return retry()
          if (isNotFound(error)) return done()
          throw error
        }
      }
      if (failure !== undefined) {
        if (!isNotKnownYet(failure.error)) throw failure.error
        log.debug('it is not known yet whether a node has drifted', { NodeClaim: { name: key }, error: failure.error })
        after = Math.min(after, ASK_AGAIN)
      }
      return retryAfter(after)
    },
  }
}
