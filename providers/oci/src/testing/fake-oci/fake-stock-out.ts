import { type Dialect, PREEMPTIBLE } from '../../names.ts'
import type { FakeStockOut } from './fake-account.ts'

/** The offerings without stock. An absent field means any. */
interface OfferingSelector {
  readonly instanceType?: string
  readonly zone?: string
  readonly capacityType?: string
}

/** Returns the shortage that concerns the matching offerings. Names of flexible types are `SHAPE.OCPUSo.MEMORYg…`. */
export const fakeStockOut = (
  { instanceType, zone, capacityType }: OfferingSelector,
  dialect: Dialect,
): FakeStockOut => {
  const [, shape = instanceType, ocpus] = /^(.*\.Flex)\.(\d+)o\./.exec(instanceType ?? '') ?? []
  return {
    ...(shape === undefined ? {} : { shape }),
    ...(ocpus === undefined ? {} : { ocpus: Number(ocpus) }),
    ...(zone === undefined ? {} : { availabilityDomain: `Uocm:${zone}` }),
    ...(capacityType === undefined ? {} : { isPreemptible: capacityType === PREEMPTIBLE[dialect] }),
  }
}
