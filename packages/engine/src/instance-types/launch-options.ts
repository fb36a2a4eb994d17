import { intAt, wordAt } from '../column.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'

const known = new WeakMap<ClaimConstraints, Int32Array>()

/**
 * Returns the launch options that claim constraints allow, in price order. Each combination of an instance type and a row of allocatable
 * capacity occurs once, as its cheapest offering. If requests fit some offering of a type, they fit one of these options. The first option
 * that fits is the cheapest.
 */
export const claimLaunchOptions = (constraints: ClaimConstraints): Int32Array => {
  let launchOptions = known.get(constraints)
  if (launchOptions === undefined) {
    launchOptions = readLaunchOptions(constraints)
    known.set(constraints, launchOptions)
  }
  return launchOptions
}

const readLaunchOptions = ({ index, offerings }: ClaimConstraints): Int32Array => {
  const { pairOf, pairCount } = index
  const seen = new Uint8Array(pairCount)
  const launchOptions = new Int32Array(pairCount)
  let size = 0
  for (let word = 0; word < offerings.length; word++) {
    let rest = wordAt(offerings, word)
    while (rest !== 0) {
      const offering = (word << 5) + 31 - Math.clz32(rest & -rest)
      rest &= rest - 1
      const pair = intAt(pairOf, offering, 'pairs of offerings')
      if (seen[pair] === 1) continue
      seen[pair] = 1
      launchOptions[size++] = offering
    }
  }
  return launchOptions.slice(0, size)
}
