import type { InstanceType } from '@kerf/engine'
import type { RegionOffer } from '@kerf/provider-contract'
import type { PriceMark } from '../terminal/money.ts'

/** The chosen instance types, with notes for the user. */
export interface OpenedTypes {
  /** The name of the provider of these instance types, or of the file that lists them. */
  readonly source: string
  /** The instance types for a NodePool whose node class does not change them. */
  readonly types: readonly InstanceType[]
  /** Set for providers whose node classes change the instance types. */
  readonly offer?: { readonly provider: string; readonly region: RegionOffer }
  /** The instance types of each NodePool, if they come from a running controller. */
  readonly byPool?: ReadonlyMap<string, readonly InstanceType[]>
  /** The chosen region and why it was chosen, if the provider has several regions. */
  readonly regionNote?: string
  /** A note about the prices. Absent if the prices are invented. */
  readonly priceNote?: string
}

/** Returns the mark to print before each price: `~` if only prices of another region are known. */
export const typesPriceMark = ({ offer }: OpenedTypes): PriceMark =>
  offer === undefined || offer.region.pricesOf === offer.region.region ? '' : '~'

/** Returns the line to print above prices of another region. Returns undefined if the prices are of the chosen region. */
export const foreignPricesNote = (opened: OpenedTypes): string | undefined => {
  const { offer } = opened
  if (offer === undefined || typesPriceMark(opened) === '') return undefined
  const { region, pricesOf } = offer.region
  return `~ prices of ${pricesOf}: Kerf does not include those of ${region}; kerf ${offer.provider} instance-types reads them`
}
