/**
 * Returns a price after an overlay (`docs/spec/instance-types.md#applying-overlays`). An amount without a sign replaces the
 * price, `±N` is added, and `±N%` is relative to it. The result is never below zero. An adjustment relative to an unknown
 * price gives an unknown price.
 */
export const adjustedPrice = (price: number | undefined, adjustment: string): number | undefined => {
  if (adjustment === '') return price
  const amount = Number.parseFloat(adjustment)
  const isSigned = adjustment.startsWith('+') || adjustment.startsWith('-')
  if (!isSigned) return Math.max(0, amount)
  if (price === undefined) return undefined
  return Math.max(0, adjustment.endsWith('%') ? price * (1 + amount / 100) : price + amount)
}
