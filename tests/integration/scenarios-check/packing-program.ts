/** Smaller differences are treated as rounding errors. */
const TINY = 1e-11

/**
 * Solves a linear program with the simplex method on a dense table: returns non-negative values that maximize `goal` while no row's `left`
 * exceeds its `right`, which is never negative. Tiny additions to the right sides prevent cycles.
 */
export const largestSum = (
  goal: readonly number[],
  rows: readonly { readonly left: readonly number[]; readonly right: number }[],
): readonly number[] => {
  const width = goal.length
  // `names` contains the columns that are currently zero: numbers below `width` are values, and all others are the slack of rows.
  const table = rows.map(({ left, right }, row) => Float64Array.from([...left, right + 1e-9 * (1 + row / rows.length)]))
  const costs = Float64Array.from([...goal.map((each) => -each), 0])
  const columns = goal.map((_, column) => column)
  const basis = rows.map((_, row) => width + row)
  for (;;) {
    let entering = -1
    let steepest = -1e-9
    for (let column = 0; column < width; column++) {
      const cost = costs[column] ?? 0
      if (cost < steepest) {
        steepest = cost
        entering = column
      }
    }
    if (entering < 0) break
    let leaving = -1
    let least = Number.POSITIVE_INFINITY
    for (const [row, values] of table.entries()) {
      const value = values[entering] ?? 0
      if (value <= TINY) continue
      const ratio = (values[width] ?? 0) / value
      if (ratio < least) {
        least = ratio
        leaving = row
      }
    }
    if (leaving < 0) throw new RangeError('the sum has no largest value')
    pivot(table, costs, leaving, entering)
    const name = columns[entering] ?? 0
    columns[entering] = basis[leaving] ?? 0
    basis[leaving] = name
  }
  const values = goal.map(() => 0)
  for (const [row, name] of basis.entries()) if (name < width) values[name] = Math.max(0, table[row]?.[width] ?? 0)
  return values
}

/** Makes a step of the simplex method: the variable of the column `entering` enters the basis, and that of the row `leaving` leaves it. */
const pivot = (table: readonly Float64Array[], costs: Float64Array, leaving: number, entering: number): void => {
  const own = table[leaving]
  if (own === undefined) return
  const by = own[entering] ?? 1
  for (let column = 0; column < own.length; column++) own[column] = (column === entering ? 1 : (own[column] ?? 0)) / by
  for (const values of [...table, costs]) {
    if (values === own) continue
    const factor = values[entering] ?? 0
    if (factor === 0) continue
    for (let column = 0; column < own.length; column++) {
      const before = column === entering ? 0 : (values[column] ?? 0)
      values[column] = before - factor * (own[column] ?? 0)
    }
  }
}
