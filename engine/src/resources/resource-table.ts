import { outOfRange } from '../column.ts'
import type { Id } from '../id.ts'

/** A column of a `ResourceTable`: one resource. */
export type ColumnId = Id<'column'>

/** Sums of this many units are still exact in a double. */
const LARGEST_EXACT = 2n ** 52n
const MOST_BITS = 31

const greatestDivisor = (a: bigint, b: bigint): bigint => {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

/**
 * Amounts as rows of doubles, one column for each resource that some pod asks for. Each column counts in the largest unit
 * that all amounts seen are whole multiples of, so that sums and comparisons are exact. Should the amounts of one
 * resource be too far apart for that, requests are rounded up and what there is is rounded down: never too many pods on a node.
 */
export class ResourceTable {
  readonly names: readonly string[]
  readonly width: number
  /** Equal texts mean tables with the same columns in the same units. */
  readonly identity: string
  /** Whether rows are the amounts exactly; otherwise requests were rounded up and what there is down. */
  readonly isExact: boolean
  /** Columns in the alphabetical order of their names. */
  readonly columnsByName: readonly { readonly name: string; readonly column: ColumnId }[]
  readonly #columns = new Map<string, ColumnId>()
  readonly #units: readonly bigint[]

  /** `amounts` is every amount that will be asked for, by resource. */
  constructor(amounts: ReadonlyMap<string, ReadonlySet<bigint>>) {
    this.names = [...amounts.keys()]
    this.width = this.names.length
    for (const [column, name] of this.names.entries()) this.#columns.set(name, column as ColumnId)
    this.columnsByName = this.names
      .map((name, column) => ({ name, column: column as ColumnId }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const units = this.names.map((name) => unitOf(amounts.get(name) ?? new Set()))
    this.#units = units.map(({ unit }) => unit)
    this.isExact = units.every(({ isExact }) => isExact)
    this.identity = this.names.map((name, column) => `${name}=${this.#units[column]}`).join()
  }

  /** The amount that a number of a column stands for. */
  amountOf(column: ColumnId, value: number): bigint {
    return BigInt(value) * (this.#units[column] ?? outOfRange('units', column))
  }

  /** The columns of these names as bits; -1 if a name has none or there are too many for bits. */
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

  /** A row of what is asked; resources without a column are left out (nobody asks for any of them). */
  requestRow(amounts: Iterable<readonly [string, bigint]>): Float64Array {
    return this.#row(amounts, (amount, unit) => -floorDivide(-amount, unit))
  }

  /** A row of what there is; a missing resource is none. */
  availableRow(amounts: Iterable<readonly [string, bigint]>): Float64Array {
    return this.#row(amounts, floorDivide)
  }

  #row(amounts: Iterable<readonly [string, bigint]>, divide: (amount: bigint, unit: bigint) => bigint): Float64Array {
    const row = new Float64Array(this.width)
    for (const [name, amount] of amounts) {
      const column = this.#columns.get(name)
      if (column !== undefined) row[column] = Number(divide(amount, this.#units[column] ?? outOfRange('units', column)))
    }
    return row
  }
}

const floorDivide = (amount: bigint, unit: bigint): bigint => {
  const whole = amount / unit
  return amount < 0n && whole * unit !== amount ? whole - 1n : whole
}

const unitOf = (amounts: ReadonlySet<bigint>): { readonly unit: bigint; readonly isExact: boolean } => {
  let unit = 0n
  let largest = 0n
  for (const amount of amounts) {
    const size = amount < 0n ? -amount : amount
    if (size > largest) largest = size
    if (unit === 0n || amount % unit !== 0n) unit = greatestDivisor(unit, amount)
  }
  if (unit === 0n) return { unit: 1n, isExact: true }
  const exact = unit
  while (largest / unit >= LARGEST_EXACT) unit *= 10n
  return { unit, isExact: unit === exact }
}
