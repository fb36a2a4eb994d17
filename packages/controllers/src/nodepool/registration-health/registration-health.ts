import {
  type ConditionChange,
  conditionSets,
  findCondition,
  isConditionTrue,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodePool,
  setCondition,
} from '@kerf/apis'
import type { Deps } from '../../deps.ts'
import { writeNewest } from '../../write-newest.ts'
import type { RegistrationOutcomes } from './registration-outcomes.ts'

const TYPE = 'NodeRegistrationHealthy'

/** Records whether the launched nodes of a NodePool register, and updates the pool's condition. */
export class RegistrationHealth {
  readonly #deps: Pick<Deps, 'client' | 'informers' | 'clock'>
  readonly #outcomes: RegistrationOutcomes

  constructor(deps: Pick<Deps, 'client' | 'informers' | 'clock'>, outcomes: RegistrationOutcomes) {
    this.#deps = deps
    this.#outcomes = outcomes
    deps.informers.of(karpenterKinds.NodePool)
  }

  /**
   * Handles a successful registration. Returns a function that the caller must call after it has stored the claim. Only this call counts
   * the outcome, so a pass that is repeated after a failed write counts once.
   */
  async succeeded(claim: NodeClaim, signal: AbortSignal): Promise<() => void> {
    const pool = this.#poolOf(claim)
    const uid = pool?.metadata.uid
    if (pool === undefined || uid === undefined) return () => {}
    if (this.#outcomes.statusAfter(uid, true) === 'healthy') {
      await this.#write(pool, { type: TYPE, status: 'True' }, signal)
    }
    return () => this.#outcomes.record(uid, true)
  }

  /** Handles a claim that was deleted because it did not launch or register in time. */
  async failed(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const pool = this.#poolOf(claim)
    const uid = pool?.metadata.uid
    if (pool === undefined || uid === undefined) return
    const isFalse = findCondition(pool, TYPE)?.status === 'False'
    if (!isFalse && this.#outcomes.statusAfter(uid, false) === 'unhealthy') {
      await this.#write(pool, { type: TYPE, status: 'False', ...claimCause(claim) }, signal)
    }
    this.#outcomes.record(uid, false)
  }

  /** Returns the pool that owns the claim, or undefined if it does not exist. */
  #poolOf(claim: NodeClaim): NodePool | undefined {
    const name = claim.metadata.labels?.[labels.nodePool]
    if (name === undefined) return undefined
    const pool = this.#deps.informers.of(karpenterKinds.NodePool).get(name)
    const owns = claim.metadata.ownerReferences?.some(
      (owner) => owner.kind === karpenterKinds.NodePool.kind && owner.uid === pool?.metadata.uid,
    )
    return owns === true ? pool : undefined
  }

  async #write(seen: NodePool, change: ConditionChange, signal: AbortSignal): Promise<void> {
    const { name, uid } = seen.metadata
    const read = async (): Promise<NodePool | undefined> => {
      const pool = await this.#deps.client.get(karpenterKinds.NodePool, { name }, { signal })
      return pool.metadata.uid === uid ? pool : undefined
    }
    await writeNewest(seen, read, (pool) => this.#patch(pool, change, signal))
  }

  async #patch(pool: NodePool, change: ConditionChange, signal: AbortSignal): Promise<void> {
    const conditions = setCondition(conditionSets.NodePool, pool, change, this.#deps.clock.now())
    if (conditions === pool.status?.conditions) return
    const body = { metadata: { resourceVersion: pool.metadata.resourceVersion }, status: { conditions } }
    await this.#deps.client.patch(
      karpenterKinds.NodePool,
      { name: pool.metadata.name },
      { type: 'merge', body },
      { subresource: 'status', signal },
    )
  }
}

const claimCause = (claim: NodeClaim): { readonly reason: string; readonly message: string } => {
  if (isConditionTrue(claim, 'Launched')) return { reason: 'RegistrationFailed', message: 'Failed to register node' }
  const launched = findCondition(claim, 'Launched')
  return { reason: launched?.reason ?? 'LaunchFailed', message: launched?.message ?? '' }
}
