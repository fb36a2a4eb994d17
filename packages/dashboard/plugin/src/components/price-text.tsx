import type { AnyObject } from '../cluster/classes.ts'
import { usePrices } from '../cluster/use-prices.ts'
import { showPrice } from '../model/price.ts'

/** Shows the hourly price of the instance of a NodeClaim or Node, or a dash if it is unknown. */
export const PriceText = ({ of }: { readonly of: AnyObject }) => {
  const price = usePrices(of.cluster).instance(of.jsonData)
  return <>{price === undefined ? '–' : showPrice(price)}</>
}
