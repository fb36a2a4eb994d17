import type { Pod } from '@kerf/apis'
import { type ClusterSnapshot, explainPod, type Reason, remedySentence, type ScheduleOptions } from '@kerf/engine'

/** Kinds of pods tried in one pass; the others have their turn in the next ones. */
const KINDS = 3
/** With more nodes a trial takes too long for a pass. */
const MOST_NODES = 1_000

/**
 * Which single change would place a pod that found no place. Each is tried out, on the pod alone: one that only the other
 * pods of the batch are in the way of gets none.
 */
export class Remedies {
  readonly #snapshot: ClusterSnapshot
  readonly #options: ScheduleOptions
  /** The engine gives all pods of a kind the same reasons. */
  readonly #known = new Map<readonly Reason[], readonly string[]>()

  constructor(snapshot: ClusterSnapshot, options: ScheduleOptions) {
    this.#snapshot = snapshot
    this.#options = options
  }

  /** Sentences; nothing when there was no time to try. */
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
