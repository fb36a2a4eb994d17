/**
 * A price after an overlay (`docs/spec/instance-types.md#applying-overlays`): an amount without sign replaces it, `±N`
 * is added, `±N%` is a share of it. Never below zero. What is added to, or a share of, a price that nobody knows is not known
 * either.
 */
export const adjustedPrice = (price: number | undefined, adjustment: string): number | undefined => {
  if (adjustment === '') return price
  const amount = Number.parseFloat(adjustment)
  const isSigned = adjustment.startsWith('+') || adjustment.startsWith('-')
  if (!isSigned) return Math.max(0, amount)
  if (price === undefined) return undefined
  return Math.max(0, adjustment.endsWith('%') ? price * (1 + amount / 100) : price + amount)
}
