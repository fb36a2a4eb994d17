import type { ResourceList } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

const SUFFIX: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

const parsed = new Map<string | number, number>()

/**
 * Returns a quantity in thousandths, rounded up, as in kube-scheduler. Text that cannot be parsed counts as zero, because the API server
 * would have refused it. Whole numbers are exact up to 2^53.
 */
const thousandths = (quantity: string | number): number => {
  const known = parsed.get(quantity)
  if (known !== undefined) return known
  const match = /^([+-]?[0-9.]+)(?:[eE]([+-]?\d+)|([numkMGTPE]i?|Ki|Mi|Gi|Ti|Pi|Ei)?)$/.exec(String(quantity))
  const factor = match?.[2] === undefined ? (ownValue(SUFFIX, match?.[3] ?? '') ?? 0) : 10 ** Number(match[2])
  // Because of a rounding error, a multiplied decimal fraction may be slightly above a whole number. It must not be rounded up to the next
  // whole number.
  const exact = Number(match?.[1] ?? '0') * factor * 1000
  const nearest = Math.round(exact)
  const value = Math.abs(exact - nearest) < 1e-6 * Math.max(1, Math.abs(nearest) * 1e-9) ? nearest : Math.ceil(exact)
  if (parsed.size > 50_000) parsed.clear()
  parsed.set(quantity, value)
  return value
}

/** Returns an amount with the scheduler's precision: millicores for CPU, whole units for everything else. Rounds up. */
export const schedulerAmount = (resource: string, quantity: string | number): number =>
  resource === 'cpu' ? thousandths(quantity) : Math.ceil(thousandths(quantity) / 1000)

export const CPU = 0
export const MEMORY = 1

/**
 * Assigns an index to each resource name, so that amounts can be stored in plain arrays. CPU has index 0, memory has index 1. `pods` does
 * not count as a resource here.
 */
export class ResourceNames {
  readonly #indexes = new Map<string, number>([
    ['cpu', CPU],
    ['memory', MEMORY],
  ])
  readonly #names = ['cpu', 'memory']

  indexOf(name: string): number {
    let index = this.#indexes.get(name)
    if (index === undefined) {
      index = this.#names.length
      this.#indexes.set(name, index)
      this.#names.push(name)
    }
    return index
  }

  nameOf(index: number): string {
    return this.#names[index] ?? ''
  }

  /** Returns the amounts of a resource list, in the order of the indexes. The amount of a missing resource is zero. */
  vector(list: ResourceList | undefined): number[] {
    const amounts = [0, 0]
    for (const name in list) {
      const quantity = list[name]
      if (name === 'pods' || quantity === undefined) continue
      const index = this.indexOf(name)
      while (amounts.length <= index) amounts.push(0)
      amounts[index] = schedulerAmount(name, quantity)
    }
    return amounts
  }
}
