import type { InstanceType } from '@kerf/engine'
import type { RegionOffer } from '@kerf/provider-contract'
import type { PriceMark } from '../terminal/money.ts'

/** The chosen instance types, with notes for the user. */
export interface OpenedTypes {
  /** The name of their provider, or the file. */
  readonly source: string
  /** The types of a NodePool whose node class does not change them. */
  readonly types: readonly InstanceType[]
  /** For providers whose node classes change the types. */
  readonly offer?: { readonly provider: string; readonly region: RegionOffer }
  /** The types of each NodePool, if a running controller listed them. */
  readonly byPool?: ReadonlyMap<string, readonly InstanceType[]>
  /** The chosen region and its source, if the provider has several. */
  readonly regionNote?: string
  /** Absent for invented prices. */
  readonly priceNote?: string
}

/** Returns the mark before each price: `~` if only prices of another region are known. */
export const priceMarkOf = ({ offer }: OpenedTypes): PriceMark =>
  offer === undefined || offer.region.pricesOf === offer.region.region ? '' : '~'

/** Returns the line above prices of another region; undefined for prices of the same region. */
export const foreignPricesNote = (opened: OpenedTypes): string | undefined => {
  const { offer } = opened
  if (offer === undefined || priceMarkOf(opened) === '') return undefined
  const { region, pricesOf } = offer.region
  return `~ prices of ${pricesOf}: Kerf does not include those of ${region}; kerf ${offer.provider} instance-types reads them`
}
