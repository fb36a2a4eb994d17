import type { Pod } from '@kerf/apis'
import { type ClusterSnapshot, explainPod, type Reason, remedySentence, type ScheduleOptions } from '@kerf/engine'

/** Kinds of pods tried in one pass. The next passes try the others. */
const KINDS = 3
/** With more nodes, trying remedies takes too long for a pass. */
const MOST_NODES = 1_000

/**
 * Finds single changes that would place a pod that found no place. Each change is tried for this pod alone. If only other
 * pods of the batch block the pod, it has no remedies.
 */
export class Remedies {
  readonly #snapshot: ClusterSnapshot
  readonly #options: ScheduleOptions
  /** The remedies found so far, by reasons. The engine gives all pods of a kind the same list of reasons. */
  readonly #known = new Map<readonly Reason[], readonly string[]>()

  constructor(snapshot: ClusterSnapshot, options: ScheduleOptions) {
    this.#snapshot = snapshot
    this.#options = options
  }

  /** Returns remedies as sentences, or undefined if they are not tried in this pass. */
  of(pod: Pod, reasons: readonly Reason[]): readonly string[] | undefined {
    const known = this.#known.get(reasons)
    if (known !== undefined) return known
    if (this.#known.size >= KINDS || this.#snapshot.nodes.length > MOST_NODES) return undefined
    const found = explainPod(this.#snapshot, [pod], pod, { ...this.#options, planBudget: 0 }).remedies.map(
      remedySentence,
    )
    this.#known.set(reasons, found)
    return found
  }
}
