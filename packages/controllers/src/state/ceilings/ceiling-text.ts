import { formatQuantity, type Quantity, quantityFormat } from '@kerf/apis'
import { HOURLY_COST, NODES } from '@kerf/engine'

/** Returns an amount as users would write it: US dollars with at most four decimals, other amounts as quantities. */
export const ceilingAmount = (name: string, amount: bigint): string =>
  name === HOURLY_COST
    ? String(Math.round(Number(amount) / 1e5) / 1e4)
    : formatQuantity(amount as Quantity, quantityFormat(name))

/** Returns the name of a ceiling for use in a sentence. */
export const ceilingName = (name: string): string => (name === HOURLY_COST ? 'the price in USD an hour' : name)

/** Returns a sentence about a node that does not fit below a ceiling. */
export const exceededText = (name: string, amount: bigint, left: bigint): string => {
  const free = ceilingAmount(name, left > 0n ? left : 0n)
  return name === NODES
    ? 'the ceiling on nodes is reached'
    : `the node may need ${ceilingAmount(name, amount)} of ${ceilingName(name)}, and ${free} is left below the ceiling`
}
