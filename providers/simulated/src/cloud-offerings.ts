import type { InstanceType } from '@kerf/engine'
import { coordinatesOf } from '@kerf/provider-contract'
import type { CloudOffering, SimulatedCloud } from '@kerf/sandbox'

/** Every offering of the types, as the simulated cloud sells them; what nobody knows the price of adds nothing to its bill. */
export const offeringsOf = (types: readonly InstanceType[]): readonly CloudOffering[] =>
  types.flatMap((type) =>
    type.offerings.map((offering) => ({ ...coordinatesOf(type, offering), price: offering.price ?? 0 })),
  )

/** The types at the prices of now. What costs the same as before is the same object. */
export const atPrices = (types: readonly InstanceType[], cloud: SimulatedCloud): readonly InstanceType[] =>
  types.map((type) => {
    const offerings = type.offerings.map((offering) => {
      // The market has a price for everything; what nobody knows here stays unknown.
      if (offering.price === undefined) return offering
      const price = cloud.market.priceOf(coordinatesOf(type, offering))
      return price === undefined || price === offering.price ? offering : { ...offering, price }
    })
    return offerings.every((offering, index) => offering === type.offerings[index]) ? type : { ...type, offerings }
  })
