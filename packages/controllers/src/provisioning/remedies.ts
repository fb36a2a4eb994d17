import type { Pod } from '@kerf/apis'
import { type ClusterSnapshot, explainPod, type Reason, remedySentence, type ScheduleOptions } from '@kerf/engine'

/** The maximum number of kinds of pods for which one pass tries remedies. Later passes try the other kinds. */
const KINDS = 3
/** The maximum number of nodes for which a pass tries remedies. In larger clusters, this would take too long. */
const MOST_NODES = 1_000

/**
 * Finds single changes that would make a refused pod schedulable. Each change is tried for this pod without the other pending pods. So a
 * pod that fails only because of other pods of the batch has no remedies.
 */
export class Remedies {
  readonly #snapshot: ClusterSnapshot
  readonly #options: ScheduleOptions
  /** The remedies found so far, by the list of reasons. The engine returns the same list object for all pods of a kind. */
  readonly #known = new Map<readonly Reason[], readonly string[]>()

  constructor(snapshot: ClusterSnapshot, options: ScheduleOptions) {
    this.#snapshot = snapshot
    this.#options = options
  }

  /** Returns remedies as sentences, or undefined if this pass does not search for remedies of the pod. */
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
