import { type Taint, type Toleration, toleratesTaints } from '@kerf/apis'
import type { TolerationsId } from '../model/ids.ts'

const NONE = JSON.stringify([])

/** Assigns equal tolerations one number and caches which taints they tolerate. */
export class TolerationSets {
  readonly #numbers = new Map<string, TolerationsId>()
  readonly #sets: (readonly Toleration[])[] = []
  readonly #verdicts: Map<readonly Taint[], boolean>[] = []

  readonly numberOf = (tolerations: readonly Toleration[]): TolerationsId => {
    const text = tolerations.length === 0 ? NONE : JSON.stringify(tolerations)
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#sets.length as TolerationsId
      this.#numbers.set(text, number)
      this.#sets.push(tolerations)
      this.#verdicts.push(new Map())
    }
    return number
  }

  readonly tolerates = (number: TolerationsId, taints: readonly Taint[]): boolean => {
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
