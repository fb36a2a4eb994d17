import { capacityTypes, formatResources, labels } from '@kerf/apis'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import type { OciInstance } from '../api/oci-shapes.ts'
import { zoneOfDomain } from '../availability-domain.ts'
import type { OciType } from '../instance-types/instance-types.ts'
import { reservationLabel } from '../instance-types/offerings.ts'
import { oracleLabels, PREEMPTIBLE, type Upstream } from '../names.ts'
import { isEnding } from './instance-ids.ts'
import type { TaggedOwner } from './tags.ts'

/** Returns the instance type with the shape, OCPUs, memory and baseline of the instance. */
export const instanceTypeOf = ({ shape, shapeConfig }: OciInstance, types: readonly OciType[]): OciType | undefined => {
  const { ocpus, memoryInGBs, baselineOcpuUtilization = 'BASELINE_1_1' } = shapeConfig
  return types.find(
    ({ size }) =>
      size.facts.name === shape &&
      (size.facts.flexible === undefined ||
        (size.ocpus === ocpus &&
          size.memoryInGBs === memoryInGBs &&
          (size.baseline ?? 'BASELINE_1_1') === baselineOcpuUtilization)),
  )
}

const capacityType = ({ isPreemptible, capacityReservationId }: OciInstance, upstream: Upstream): string => {
  if (isPreemptible) return PREEMPTIBLE[upstream]
  return capacityReservationId === undefined ? capacityTypes.onDemand : capacityTypes.reserved
}

/** The labels that exist only on nodes of an OCINodeClass. */
const oracleOnly = ({ faultDomain, capacityReservationId }: OciInstance): Readonly<Record<string, string>> => ({
  ...(faultDomain === undefined ? {} : { [oracleLabels.faultDomain]: faultDomain }),
  ...(capacityReservationId === undefined
    ? {}
    : { [oracleLabels.reservationId]: reservationLabel(capacityReservationId) }),
})

/** Kerf's own data about an instance, in addition to the data from Oracle Cloud. */
export interface InstanceFacts {
  readonly region: string
  readonly owner: TaggedOwner
  /** The instance type. Undefined if the instance's class does not offer its size. */
  readonly type: OciType | undefined
}

/**
 * Returns the description of an instance. Its capacity is empty while Kerf does not know its type. With an OciNodeClass, the instance type
 * label of a flexible shape is the shape's name [interop].
 */
export const instanceView = (instance: OciInstance, { region, owner, type }: InstanceFacts): InstanceView => {
  const { nodeClaim: claim, nodeClaimUid: uid, nodePool: pool, upstream } = owner
  const offered = type?.type
  return {
    providerID: instance.id,
    // An instance's display name is the name of its NodeClaim, even if another provider launched it.
    ...instanceOwner({ claim: claim ?? instance.displayName, uid, pool }),
    labels: {
      ...(offered === undefined ? {} : singleValues(offered.requirements)),
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
      [labels.instanceType]: upstream === 'oracle' ? (offered?.name ?? instance.shape) : instance.shape,
      [labels.region]: region,
      [labels.zone]: zoneOfDomain(instance.availabilityDomain),
      [labels.capacityType]: capacityType(instance, upstream),
      ...(upstream === 'oracle' ? oracleOnly(instance) : {}),
    },
    annotations: {},
    ...(instance.imageId === undefined ? {} : { imageID: instance.imageId }),
    capacity: offered === undefined ? {} : formatResources(offered.capacity),
    allocatable: offered === undefined ? {} : formatResources(offeringAllocatable(offered)),
    createdAt: instance.timeCreated,
    ...(isEnding(instance.lifecycleState) ? { deletionTimestamp: instance.timeCreated } : {}),
  }
}
