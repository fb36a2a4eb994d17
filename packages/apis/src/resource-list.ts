import type { ResourceList } from './kubernetes/object.ts'
import { ownValue, setOwnValue } from './own-value.ts'
import { formatQuantity, parseQuantity, type Quantity, quantityFormat } from './quantity.ts'

/** Exact amounts by resource name. If a name is missing, the amount is zero. */
export type ResourceAmounts = Readonly<Record<string, Quantity>>

/**
 * Returns the exact amounts in a resource list.
 * @throws QuantityError for the first value that is not a quantity.
 */
export const parseResources = (list: ResourceList | undefined): Record<string, Quantity> => {
  const amounts: Record<string, Quantity> = {}
  if (list === undefined) return amounts
  for (const name in list) {
    const text = list[name]
    if (text !== undefined) setOwnValue(amounts, name, parseQuantity(text))
  }
  return amounts
}

/** Returns the amounts as text, each in the usual notation of its resource. */
export const formatResources = (amounts: ResourceAmounts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount, quantityFormat(name))]),
  )

/** Returns the sum of all lists, by resource name. */
export const addResources = (...lists: readonly ResourceAmounts[]): Record<string, Quantity> => {
  const sum: Record<string, Quantity> = {}
  for (const list of lists) {
    for (const name in list) {
      const amount = list[name]
      if (amount === undefined) continue
      const before = ownValue(sum, name)
      setOwnValue(sum, name, before === undefined ? amount : ((before + amount) as Quantity))
    }
  }
  return sum
}
