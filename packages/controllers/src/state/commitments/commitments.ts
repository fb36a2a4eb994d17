import { CLUSTER_POLICY, type ClusterPolicy, isEqualJson, karpenterKinds, policyKinds } from '@kerf/apis'
import type { Commitment } from '@kerf/engine'
import type { Informer } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { CountedState } from '../ceilings/ceilings.ts'
import { type CommitmentUse, commitmentUse, plannedCommitments } from './commitment-use.ts'
import { KnownTypes } from './known-types.ts'
import {
  type CommitmentSpec,
  commitmentSpecs,
  overriddenCommitments,
  type PrepaidTerms,
  readPrepaid,
} from './prepaid-terms.ts'

type CommitmentDeps = Pick<Deps, 'informers' | 'clock' | 'provider'>

/** Returns whether the amount depends on properties of instance types, not only on their names. */
const needsTypes = ({ unit }: PrepaidTerms): boolean => unit !== 'instances'

/**
 * The commitments of the ClusterPolicy, and the nodes that use them (`docs/spec/policies.md#commitments`). Without prepaid commitments,
 * nothing is computed.
 */
export class Commitments {
  readonly #deps: CommitmentDeps
  readonly #state: CountedState
  readonly #policies: Informer<ClusterPolicy>
  readonly #types: KnownTypes
  /** The names of the commitments that were active at the latest check. */
  #active = ''

  constructor(deps: CommitmentDeps, state: CountedState) {
    this.#deps = deps
    this.#types = new KnownTypes(deps)
    this.#state = state
    this.#policies = deps.informers.optional(policyKinds.ClusterPolicy)
    this.#policies.onChange(({ before, after }) => {
      // A changed commitment may make a move possible. The status changes often and has no effect on moves.
      if (!isEqualJson(commitmentSpecs(before), commitmentSpecs(after))) state.markUnconsolidated()
    })
  }

  /** The commitments of the policy, whether or not they are active. */
  get specs(): readonly CommitmentSpec[] {
    return commitmentSpecs(this.#policies.get(CLUSTER_POLICY))
  }

  /** The names of the commitments in the source that the policy replaces: it has commitments with the same names. */
  get overridden(): readonly string[] {
    return overriddenCommitments(this.#policies.get(CLUSTER_POLICY))
  }

  /** The prepaid commitments in the order of the bill. */
  get #terms(): readonly PrepaidTerms[] {
    const { specs } = this
    return specs.length === 0 ? [] : readPrepaid(specs, this.#deps.clock.now())
  }

  /**
   * Reads the instance types of every NodePool, which `uses` and `current` need. Does nothing if no commitment depends on instance types.
   */
  async load(signal: AbortSignal): Promise<void> {
    if (this.#terms.some(needsTypes)) await this.#types.load(signal)
  }

  /** Returns the prepaid commitments and the nodes that use them. */
  uses(): readonly CommitmentUse[] {
    const terms = this.#terms
    if (terms.length === 0) return []
    const claims = this.#deps.informers.of(karpenterKinds.NodeClaim)
    const { unlaunched, leftOut } = this.#state
    const starting = [...new Set([...unlaunched, ...leftOut])].flatMap((name) => claims.get(name) ?? [])
    return commitmentUse(
      terms,
      Array.from(this.#state.nodes(), (node) => this.#state.viewOf(node)),
      starting,
      this.#types.byName,
    )
  }

  /** Returns the commitments in the form that decisions use. Undefined if none is active. */
  current(): readonly Commitment[] | undefined {
    const planned = plannedCommitments(this.uses(), this.#types.byName)
    return planned.length === 0 ? undefined : planned
  }

  /** Makes consolidation search again if a commitment has started or ended since the last call. */
  noticeTime(): void {
    const active = readPrepaid(this.specs, this.#deps.clock.now())
      .filter(({ state }) => state === 'Active')
      .map(({ name }) => name)
      .join()
    if (active !== this.#active) this.#state.markUnconsolidated()
    this.#active = active
  }
}
