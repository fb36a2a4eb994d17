import { type Taint, type Toleration, toleratesTaints } from '@kerf/apis'
import type { TolerationsId } from '../model/ids.ts'

const NONE = JSON.stringify([])
const NO_POOLS: ReadonlySet<string> = new Set()

/**
 * Assigns a number to each combination of tolerations and usable restricted NodePools, and caches which taints the pods with each number
 * tolerate.
 */
export class TolerationSets {
  readonly #restricted: ReadonlySet<string>
  readonly #numbers = new Map<string, TolerationsId>()
  readonly #sets: (readonly Toleration[])[] = []
  /** The restricted NodePools that the pods may use. */
  readonly #usable: ReadonlySet<string>[] = []
  readonly #verdicts: Map<readonly Taint[], boolean>[] = []

  /** `restricted` are the NodePools that only some pods may use. */
  constructor(restricted: ReadonlySet<string> = NO_POOLS) {
    this.#restricted = restricted
  }

  /** `usablePools` are the restricted NodePools that the pods may use, separated by commas. */
  readonly numberOf = (tolerations: readonly Toleration[], usablePools = ''): TolerationsId => {
    const own = tolerations.length === 0 ? NONE : JSON.stringify(tolerations)
    const text = usablePools === '' ? own : `${own} ${usablePools}`
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#sets.length as TolerationsId
      this.#numbers.set(text, number)
      this.#sets.push(tolerations)
      this.#usable.push(usablePools === '' ? NO_POOLS : new Set(usablePools.split(',')))
      this.#verdicts.push(new Map())
    }
    return number
  }

  /** Returns whether pods with this number tolerate the taints of a node, and may use the node's NodePool. */
  readonly admits = (number: TolerationsId, taints: readonly Taint[], pool: string | undefined): boolean => {
    if (pool !== undefined && this.#restricted.size > 0 && this.#restricted.has(pool)) {
      if (this.#usable[number]?.has(pool) !== true) return false
    }
    if (taints.length === 0) return true
    const verdicts = this.#verdicts[number]
    let verdict = verdicts?.get(taints)
    if (verdict === undefined) {
      verdict = toleratesTaints(taints, this.#sets[number])
      verdicts?.set(taints, verdict)
    }
    return verdict
  }
}
