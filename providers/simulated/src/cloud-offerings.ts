import type { InstanceType } from '@kerf/engine'
import { offeringCoordinates } from '@kerf/provider-contract'
import type { CloudOffering, SimulatedCloud } from '@kerf/sandbox'

/** Returns every offering of the instance types in the form of the simulated cloud. An offering without a known price costs nothing. */
export const cloudOfferings = (types: readonly InstanceType[]): readonly CloudOffering[] =>
  types.flatMap((type) =>
    type.offerings.map((offering) => ({ ...offeringCoordinates(type, offering), price: offering.price ?? 0 })),
  )

/** Returns the instance types with current prices. Types with unchanged prices are the same objects. */
export const atPrices = (types: readonly InstanceType[], cloud: SimulatedCloud): readonly InstanceType[] =>
  types.map((type) => {
    const offerings = type.offerings.map((offering) => {
      // The market has a price for everything, but a price that is unknown here stays unknown.
      if (offering.price === undefined) return offering
      const price = cloud.market.priceOf(offeringCoordinates(type, offering))
      return price === undefined || price === offering.price ? offering : { ...offering, price }
    })
    return offerings.every((offering, index) => offering === type.offerings[index]) ? type : { ...type, offerings }
  })
