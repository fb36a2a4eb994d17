import type { BatchPod, PodGroup, Variant } from '../model/pod-group.ts'

/** What variants are looked up in. */
interface Variants {
  alternatives(podGroup: PodGroup, given: number): readonly Variant[] | undefined
  of(podGroup: PodGroup, level: number): Variant | undefined
}

/**
 * How many pods may still ask with a fit key (`Variant.fitKey`): those of all groups with a variant of that key that was
 * tried, and that are not placed yet.
 */
export class PendingPods {
  readonly #variants: Variants
  /** Pods not placed yet, by pod group. */
  readonly #left: number[] = []
  readonly #byFitKey: number[] = []
  /** Variants (by number) whose pods are counted. */
  readonly #counted = new Set<number>()

  /** Every pod will ask with the first variants of its group. */
  constructor(pods: readonly BatchPod[], variants: Variants) {
    this.#variants = variants
    const groups = new Set<PodGroup>()
    for (const { podGroup } of pods) {
      this.#left[podGroup.id] = (this.#left[podGroup.id] ?? 0) + 1
      groups.add(podGroup)
    }
    for (const podGroup of groups) {
      for (const first of variants.alternatives(podGroup, 0) ?? []) this.#count(podGroup, first)
    }
  }

  of(fitKey: number): number {
    return this.#byFitKey[fitKey] ?? 0
  }

  /** The pods of a group begin to ask with a later variant. */
  tries(podGroup: PodGroup, variant: Variant): void {
    if (!this.#counted.has(variant.id)) this.#count(podGroup, variant)
  }

  /** A pod is placed, after asking with all variants up to `level`: calls `onLast` for each fit key with which no pod asks any more. */
  placed(podGroup: PodGroup, level: number, onLast: (fitKey: number) => void): void {
    this.#left[podGroup.id] = (this.#left[podGroup.id] ?? 0) - 1
    for (let tried = 0; tried <= level; tried++) {
      const fitKey = this.#variants.of(podGroup, tried)?.fitKey
      if (fitKey === undefined) continue
      const left = this.of(fitKey) - 1
      this.#byFitKey[fitKey] = left
      if (left <= 0) onLast(fitKey)
    }
  }

  #count(podGroup: PodGroup, { id, fitKey }: Variant): void {
    this.#counted.add(id)
    this.#byFitKey[fitKey] = this.of(fitKey) + (this.#left[podGroup.id] ?? 0)
  }
}
