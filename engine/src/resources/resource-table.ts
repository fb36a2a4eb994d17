/** Sums of this many units are still exact in a double. */
const LARGEST_EXACT = 2n ** 52n

const greatestDivisor = (a: bigint, b: bigint): bigint => {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

/**
 * Amounts as rows of doubles, one column for each resource that some pod asks for. Each column counts in the largest unit
 * that all amounts seen are whole multiples of, so that sums and comparisons are exact. Should the amounts of one
 * resource be too far apart for that, requests are rounded up and room is rounded down: never too many pods on a node.
 */
export class ResourceTable {
  readonly names: readonly string[]
  readonly width: number
  readonly #columns = new Map<string, number>()
  readonly #units: bigint[]

  /** `amounts` is every amount that will be asked for, by resource. */
  constructor(amounts: ReadonlyMap<string, ReadonlySet<bigint>>) {
    this.names = [...amounts.keys()]
    this.width = this.names.length
    for (const [column, name] of this.names.entries()) this.#columns.set(name, column)
    this.#units = this.names.map((name) => unitOf(amounts.get(name) ?? new Set()))
  }

  columnOf(name: string): number | undefined {
    return this.#columns.get(name)
  }

  /** A row of what is asked; resources without a column are left out (nobody asks for any of them). */
  requestRow(amounts: Iterable<readonly [string, bigint]>): Float64Array {
    return this.#row(amounts, (amount, unit) => -floorDivide(-amount, unit))
  }

  /** A row of what there is; a missing resource is none. */
  roomRow(amounts: Iterable<readonly [string, bigint]>): Float64Array {
    return this.#row(amounts, floorDivide)
  }

  #row(amounts: Iterable<readonly [string, bigint]>, divide: (amount: bigint, unit: bigint) => bigint): Float64Array {
    const row = new Float64Array(this.width)
    for (const [name, amount] of amounts) {
      const column = this.#columns.get(name)
      if (column !== undefined) row[column] = Number(divide(amount, this.#units[column] ?? 1n))
    }
    return row
  }
}

const floorDivide = (amount: bigint, unit: bigint): bigint => {
  const whole = amount / unit
  return amount < 0n && whole * unit !== amount ? whole - 1n : whole
}

const unitOf = (amounts: ReadonlySet<bigint>): bigint => {
  let unit = 0n
  let largest = 0n
  for (const amount of amounts) {
    const size = amount < 0n ? -amount : amount
    if (size > largest) largest = size
    if (unit === 0n || amount % unit !== 0n) unit = greatestDivisor(unit, amount)
  }
  if (unit === 0n) return 1n
  while (largest / unit >= LARGEST_EXACT) unit *= 10n
  return unit
}
