import { PREEMPTIBLE, type Upstream } from '../../names.ts'
import type { FakeStockOut } from './fake-account.ts'

/** The offerings that are out of stock. An absent field matches all offerings. */
interface OfferingSelector {
  readonly instanceType?: string
  readonly zone?: string
  readonly capacityType?: string
}

/** Returns the shortage that covers the matching offerings. Names of flexible types have the form `SHAPE.OCPUSo.MEMORYg…`. */
export const fakeStockOut = (
  { instanceType, zone, capacityType }: OfferingSelector,
  upstream: Upstream,
): FakeStockOut => {
  const [, shape = instanceType, ocpus] = /^(.*\.Flex)\.(\d+)o\./.exec(instanceType ?? '') ?? []
  return {
    ...(shape === undefined ? {} : { shape }),
    ...(ocpus === undefined ? {} : { ocpus: Number(ocpus) }),
    ...(zone === undefined ? {} : { availabilityDomain: `Uocm:${zone}` }),
    ...(capacityType === undefined ? {} : { isPreemptible: capacityType === PREEMPTIBLE[upstream] }),
  }
}
