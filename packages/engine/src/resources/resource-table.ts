import { outOfRange } from '../column.ts'
import type { Id } from '../id.ts'

/** A column of a `ResourceTable`: one resource. */
export type ColumnId = Id<'column'>

/** Sums of at most this many units are exact in a double. */
const LARGEST_EXACT = 2n ** 52n
/** The value for amounts that are too large to count. A request of this size fits no available amount. */
const TOO_MUCH_ASKED = Number(LARGEST_EXACT)
const MOST_AVAILABLE = Number(LARGEST_EXACT - 1n)
/** The smallest unit of CPU, in billionths. kube-scheduler counts CPU in thousandths, and rounds requests up. */
const SMALLEST_CPU = 1_000_000n
/** The smallest unit of every other resource, in billionths. kube-scheduler counts these resources in integers, and rounds requests up. */
const SMALLEST = 1_000_000_000n
const MOST_BITS = 31

const greatestDivisor = (a: bigint, b: bigint): bigint => {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

/**
 * Amounts as rows of doubles, with one column for each resource that some pod requests. The unit of a column is the largest unit that
 * divides all known amounts, so that sums and comparisons are exact. The unit is never smaller than that of kube-scheduler. If amounts are
 * not multiples of kube-scheduler's unit, requests are rounded up and available amounts down. Amounts of 2^52 units or more are cut off and
 * fit nowhere: a pod that requests 7Ei CPUs does not affect other pods.
 */
export class ResourceTable {
  readonly names: readonly string[]
  readonly width: number
  /** Tables with the same identity have the same columns in the same units. */
  readonly identity: string
  /** Whether rows are exact. If not, requests were rounded up and available amounts down. */
  readonly isExact: boolean
  /** The columns in the alphabetical order of their names. */
  readonly columnsByName: readonly { readonly name: string; readonly column: ColumnId }[]
  readonly #columns = new Map<string, ColumnId>()
  readonly #units: readonly bigint[]

  /** `amounts` contains, for each resource, every amount that will be requested. */
  constructor(amounts: ReadonlyMap<string, ReadonlySet<bigint>>) {
    this.names = [...amounts.keys()]
    this.width = this.names.length
    for (const [column, name] of this.names.entries()) this.#columns.set(name, column as ColumnId)
    this.columnsByName = this.names
      .map((name, column) => ({ name, column: column as ColumnId }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const units = this.names.map((name) => chooseUnit(name, amounts.get(name) ?? new Set()))
    this.#units = units.map(({ unit }) => unit)
    this.isExact = units.every(({ isExact }) => isExact)
    this.identity = this.names.map((name, column) => `${name}=${this.#units[column]}`).join()
  }

  /** Returns the amount that a number in a column represents. */
  amountOf(column: ColumnId, value: number): bigint {
    return BigInt(value) * (this.#units[column] ?? outOfRange('units', column))
  }

  /** Returns the columns of these resources as bits; -1 if a resource has no column, or if there are too many columns. */
  columnsOf(names: Iterable<string>): number {
    if (this.width > MOST_BITS) return -1
    let bits = 0
    for (const name of names) {
      const column = this.#columns.get(name)
      if (column === undefined) return -1
      bits |= 1 << column
    }
    return bits
  }

  columnOf(name: string): ColumnId | undefined {
    return this.#columns.get(name)
  }

  /** Returns a row of requests. Resources without a column are left out, because no pod requests them. */
  requestRow(amounts: Iterable<readonly [string, bigint]>): Float64Array {
    return this.#row(amounts, (amount, unit) => Math.min(Number(-floorDivide(-amount, unit)), TOO_MUCH_ASKED))
  }

  /** Returns a row of available amounts. A missing resource counts as 0. */
  availableRow(amounts: Iterable<readonly [string, bigint]>): Float64Array {
    return this.#row(amounts, (amount, unit) => {
      const units = Number(floorDivide(amount, unit))
      return Math.max(Math.min(units, MOST_AVAILABLE), -MOST_AVAILABLE)
    })
  }

  #row(amounts: Iterable<readonly [string, bigint]>, divide: (amount: bigint, unit: bigint) => number): Float64Array {
    const row = new Float64Array(this.width)
    for (const [name, amount] of amounts) {
      const column = this.#columns.get(name)
      if (column !== undefined) row[column] = divide(amount, this.#units[column] ?? outOfRange('units', column))
    }
    return row
  }
}

const floorDivide = (amount: bigint, unit: bigint): bigint => {
  const whole = amount / unit
  return amount < 0n && whole * unit !== amount ? whole - 1n : whole
}

const chooseUnit = (
  name: string,
  amounts: ReadonlySet<bigint>,
): { readonly unit: bigint; readonly isExact: boolean } => {
  let common = 0n
  let largest = 0n
  for (const amount of amounts) {
    const size = amount < 0n ? -amount : amount
    if (size > largest) largest = size
    if (common === 0n || amount % common !== 0n) common = greatestDivisor(common, amount)
  }
  if (common === 0n) return { unit: 1n, isExact: true }
  const smallest = name === 'cpu' ? SMALLEST_CPU : SMALLEST
  const unit = common < smallest ? smallest : common
  return { unit, isExact: unit === common && largest / unit < LARGEST_EXACT }
}
