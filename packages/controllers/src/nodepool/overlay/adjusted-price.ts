/**
 * Returns a price with an overlay applied (`docs/spec/instance-types.md#applying-overlays`). An amount without a sign replaces the price,
 * `±N` is added to it, and `±N%` changes it by a percentage. The result is never negative. If the price is unknown and the adjustment is
 * relative, the result is undefined.
 */
export const adjustedPrice = (price: number | undefined, adjustment: string): number | undefined => {
  if (adjustment === '') return price
  const amount = Number.parseFloat(adjustment)
  const isSigned = adjustment.startsWith('+') || adjustment.startsWith('-')
  if (!isSigned) return Math.max(0, amount)
  if (price === undefined) return undefined
  return Math.max(0, adjustment.endsWith('%') ? price * (1 + amount / 100) : price + amount)
}
