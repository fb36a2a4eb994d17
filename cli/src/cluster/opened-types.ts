import type { InstanceType } from '@kerf/engine'
import type { RegionOffer } from '@kerf/provider-contract'
import type { PriceMark } from '../terminal/money.ts'

/** The instance types of a choice, with what a person should know about them. */
export interface OpenedTypes {
  /** The provider that they come from, or the file. */
  readonly source: string
  /** For a NodePool whose node class changes nothing of them. */
  readonly types: readonly InstanceType[]
  /** For the node classes of a provider that reads them. */
  readonly offer?: { readonly provider: string; readonly region: RegionOffer }
  /** By NodePool, where a running controller told them. */
  readonly byPool?: ReadonlyMap<string, readonly InstanceType[]>
  /** Which region was taken and why, where there are several. */
  readonly regionNote?: string
  /** Absent for invented prices. */
  readonly priceNote?: string
}

/** What stands before each price: `~` where only those of another region are known. */
export const priceMarkOf = ({ offer }: OpenedTypes): PriceMark =>
  offer === undefined || offer.region.pricesOf === offer.region.region ? '' : '~'

/** The line above prices that are of another region; undefined where they are of this one. */
export const foreignPricesNote = (opened: OpenedTypes): string | undefined => {
  const { offer } = opened
  if (offer === undefined || priceMarkOf(opened) === '') return undefined
  const { region, pricesOf } = offer.region
  return `~ prices of ${pricesOf}: those of ${region} do not come with Kerf; kerf ${offer.provider} instance-types reads them`
}
