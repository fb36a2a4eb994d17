import type { BatchPod, EquivalenceGroup, Variant } from '../model/equivalence-group.ts'

/** The methods of `PodVariants` that are needed here. */
interface Variants {
  alternatives(equivalenceGroup: EquivalenceGroup, given: number): readonly Variant[] | undefined
  of(equivalenceGroup: EquivalenceGroup, level: number): Variant | undefined
}

/**
 * For each fit key (`Variant.fitKey`), the number of pods that may still be tried with it. A pod is counted while it is unplaced and its
 * group has been tried with a variant of this key.
 */
export class PendingPods {
  readonly #variants: Variants
  /** The number of unplaced pods, by equivalence group. */
  readonly #left: number[] = []
  readonly #byFitKey: number[] = []
  /** The variants (by number) whose pods are counted. */
  readonly #counted = new Set<number>()

  /** Counts every pod for the first variants of its group. */
  constructor(pods: readonly BatchPod[], variants: Variants) {
    this.#variants = variants
    const groups = new Set<EquivalenceGroup>()
    for (const { equivalenceGroup } of pods) {
      this.#left[equivalenceGroup.id] = (this.#left[equivalenceGroup.id] ?? 0) + 1
      groups.add(equivalenceGroup)
    }
    for (const equivalenceGroup of groups) {
      for (const first of variants.alternatives(equivalenceGroup, 0) ?? []) this.#count(equivalenceGroup, first)
    }
  }

  of(fitKey: number): number {
    return this.#byFitKey[fitKey] ?? 0
  }

  /** Counts the pods of a group for a later variant. */
  tries(equivalenceGroup: EquivalenceGroup, variant: Variant): void {
    if (!this.#counted.has(variant.id)) this.#count(equivalenceGroup, variant)
  }

  /**
   * Records that a pod was placed after it was tried with all variants up to `level`. Calls `onLast` for each fit key that no pending pod
   * uses any more.
   */
  placed(equivalenceGroup: EquivalenceGroup, level: number, onLast: (fitKey: number) => void): void {
    this.#left[equivalenceGroup.id] = (this.#left[equivalenceGroup.id] ?? 0) - 1
    for (let tried = 0; tried <= level; tried++) {
      const fitKey = this.#variants.of(equivalenceGroup, tried)?.fitKey
      if (fitKey === undefined) continue
      const left = this.of(fitKey) - 1
      this.#byFitKey[fitKey] = left
      if (left <= 0) onLast(fitKey)
    }
  }

  #count(equivalenceGroup: EquivalenceGroup, { id, fitKey }: Variant): void {
    this.#counted.add(id)
    this.#byFitKey[fitKey] = this.of(fitKey) + (this.#left[equivalenceGroup.id] ?? 0)
  }
}
