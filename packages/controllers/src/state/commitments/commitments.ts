import { CLUSTER_POLICY, type ClusterPolicy, isEqualJson, karpenterKinds, policyKinds } from '@kerf/apis'
import type { Commitment } from '@kerf/engine'
import type { Informer } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { CountedState } from '../ceilings/ceilings.ts'
import { type CommitmentUse, commitmentUse, plannedCommitments } from './commitment-use.ts'
import { type CommitmentSpec, commitmentSpecs, readPrepaid } from './prepaid-terms.ts'

const NONE: readonly CommitmentSpec[] = []

/**
 * The commitments of the ClusterPolicy, and which nodes use them (`docs/spec/policies.md#commitments`). Without prepaid commitments, nothing
 * is computed.
 */
export class Commitments {
  readonly #deps: Pick<Deps, 'informers' | 'clock'>
  readonly #state: CountedState
  readonly #policies: Informer<ClusterPolicy>
  /** The commitments that were active when they were last checked. */
  #active = ''

  constructor(deps: Pick<Deps, 'informers' | 'clock'>, state: CountedState) {
    this.#deps = deps
    this.#state = state
    this.#policies = deps.informers.optional(policyKinds.ClusterPolicy)
    this.#policies.onChange(({ before, after }) => {
      // A changed commitment can make a move possible. The status changes often and does not affect commitments.
      if (!isEqualJson(before?.spec.commitments ?? NONE, after?.spec.commitments ?? NONE)) state.markUnconsolidated()
    })
  }

  /** The commitments of the policy, active or not. */
  get specs(): readonly CommitmentSpec[] {
    return commitmentSpecs(this.#policies.get(CLUSTER_POLICY))
  }

  /** Returns the prepaid commitments and the nodes that use them. */
  uses(): readonly CommitmentUse[] {
    const specs = this.specs
    if (specs.length === 0) return []
    const terms = readPrepaid(specs, this.#deps.clock.now())
    if (terms.length === 0) return []
    const claims = this.#deps.informers.of(karpenterKinds.NodeClaim)
    const { unlaunched, leftOut } = this.#state
    const starting = [...new Set([...unlaunched, ...leftOut])].flatMap((name) => claims.get(name) ?? [])
    return commitmentUse(
      terms,
      Array.from(this.#state.nodes(), (node) => this.#state.viewOf(node)),
      starting,
    )
  }

  /** Returns the commitments in the form that decisions use; undefined if none is active. */
  current(): readonly Commitment[] | undefined {
    const planned = plannedCommitments(this.uses())
    return planned.length === 0 ? undefined : planned
  }

  /** If a commitment has started or ended since the last call, lets consolidation search again. */
  noticeTime(): void {
    const active = readPrepaid(this.specs, this.#deps.clock.now())
      .filter(({ state }) => state === 'Active')
      .map(({ name }) => name)
      .join()
    if (active !== this.#active) this.#state.markUnconsolidated()
    this.#active = active
  }
}
