import {
  formatQuantity,
  karpenterKinds,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  ownValue,
  parseResources,
  quantityFormat,
} from '@kerf/apis'
import { ApiError, defineMetrics, isAlreadyExists, sleep } from '@kerf/runtime'
import { controllerErrors } from '../controller-errors.ts'
import type { Deps } from '../deps.ts'
import { claimName } from '../nodeclaim/node-claim-object.ts'
import type { ClusterState } from '../state/cluster-state.ts'

/** Why a claim is created: the values of the label `reason` of `karpenter_nodeclaims_created_total`. */
export type CreationReason = 'provisioned' | 'asleep' | 'underutilized' | 'empty' | 'drifted'

const ATTEMPT_EVERY: Milliseconds = 500
const ATTEMPTS = 10
const NAME_DRAWS = 8

/** Returns a sentence about the limit that the pool's nodes exceed, or undefined if they do not exceed any limit. */
export const exceededLimit = (pool: NodePool, state: ClusterState): string | undefined => {
  const usage = state.poolUsage(pool.metadata.name)
  for (const [name, limit] of Object.entries(parseResources(pool.spec.limits))) {
    const used = ownValue(usage, name)
    if (used === undefined || used <= limit) continue
    const format = quantityFormat(name)
    return `${name} of its nodes is ${formatQuantity(used, format)}, the limit is ${formatQuantity(limit, format)}`
  }
  return undefined
}

/**
 * Returns whether the object may have been stored despite the error: the request got no response, or a response that does not show the
 * result.
 */
const isAmbiguous = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code === 408 || error.code >= 500)

type CreatorDeps = Pick<Deps, 'client' | 'clock' | 'informers' | 'metrics' | 'random'>

export const claimCreationMetrics = defineMetrics({
  created: {
    name: 'karpenter_nodeclaims_created_total',
    type: 'counter',
    help: 'NodeClaims created, by reason and NodePool.',
    labels: ['reason', 'nodepool', 'min_values_relaxed'],
  },
})

/**
 * Creates each NodeClaim exactly once, even if the response to a create request is lost. Adds the claim to cluster state, so that the next
 * plan includes it.
 */
export class ClaimCreator {
  readonly #deps: CreatorDeps
  readonly #state: ClusterState
  readonly #created

  constructor(deps: CreatorDeps, state: ClusterState) {
    this.#deps = deps
    this.#state = state
    this.#created = claimCreationMetrics.register(deps.metrics).created
  }

  /**
   * Creates one claim of `pool`. `make` builds the claim for a generated name. `replaced` contains the provider IDs of the nodes that the
   * claim replaces.
   *
   * @throws Error if the pool is deleted, its nodes exceed a limit, or the claim could exceed a ceiling of the ClusterPolicy; ApiError if
   * the API server refuses the claim.
   */
  async create(
    pool: NodePool,
    reason: CreationReason,
    make: (name: string) => NodeClaim,
    options: {
      readonly minValuesRelaxed?: boolean
      readonly replaced?: readonly string[]
      readonly signal: AbortSignal
    },
  ): Promise<NodeClaim> {
    // A user may have lowered a limit or deleted the pool since the plan was made.
    const current = this.#deps.informers.of(karpenterKinds.NodePool).get(pool.metadata.name)
    if (current === undefined) throw controllerErrors.NodePoolGone({ pool: pool.metadata.name })
    const exceeded = exceededLimit(current, this.#state)
    if (exceeded !== undefined) throw controllerErrors.NodePoolLimit({ pool: pool.metadata.name, exceeded })
    await this.#state.ceilings.load(options.signal)
    const created = await this.#write(pool, make, options)
    this.#created.inc({
      reason,
      nodepool: pool.metadata.name,
      min_values_relaxed: options.minValuesRelaxed === true ? 'true' : 'false',
    })
    return created
  }

  /** Creates the claim. Generates new names until it finds an unused one. */
  async #write(
    pool: NodePool,
    make: (name: string) => NodeClaim,
    { replaced, signal }: { readonly replaced?: readonly string[]; readonly signal: AbortSignal },
  ): Promise<NodeClaim> {
    for (let draw = 1; ; draw++) {
      const claim = make(claimName(pool.metadata.name, this.#deps.random))
      const release = this.#state.ceilings.reserve(claim, replaced)
      try {
        const created = await this.#writeAs(claim, signal)
        if (created !== undefined) {
          this.#state.recordCreated(created)
          return created
        }
      } finally {
        release()
      }
      if (draw === NAME_DRAWS) throw controllerErrors.NoFreeName({ pool: pool.metadata.name })
    }
  }

  /**
   * Creates a claim with this name. If a response does not show whether the claim was stored, the next attempt with the same name finds the
   * stored claim. Returns undefined if another claim already has the name.
   */
  async #writeAs(claim: NodeClaim, signal: AbortSignal): Promise<NodeClaim | undefined> {
    const { client, clock } = this.#deps
    const name = claim.metadata.name
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.create(karpenterKinds.NodeClaim, claim, { signal })
      } catch (error) {
        if (signal.aborted) throw error
        if (isAlreadyExists(error)) {
          return attempt === 1 ? undefined : await client.get(karpenterKinds.NodeClaim, { name }, { signal })
        }
        if (!isAmbiguous(error)) throw error
        if (attempt === ATTEMPTS) {
          // The claim may exist. Cluster state contains it until the API server reports that it does not exist. Otherwise, Kerf could
          // launch the same capacity twice.
          this.#state.recordCreated(claim)
          throw error
        }
        await sleep(clock, ATTEMPT_EVERY, signal)
      }
    }
  }
}
