import { capacityTypes, formatResources, formatTime, labels, type Milliseconds, ownValue } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import type { GceInstance } from '../api/compute-shapes.ts'
import { gcpLabels } from '../label-names.ts'
import { ownLabelKeys } from './instance-labels.ts'
import { claimInName, providerIdFor } from './instance-names.ts'

/** The states of an instance that is stopping or stopped and does not restart on its own. */
const ENDING: ReadonlySet<string> = new Set(['STOPPING', 'PENDING_STOP', 'DEPROVISIONING', 'TERMINATED'])

/** Returns true if the instance is stopping or has stopped. */
export const isEnding = ({ status }: Pick<GceInstance, 'status'>): boolean => ENDING.has(status)

/** Returns true while Compute Engine may still find that it lacks capacity for the instance. */
export const isStarting = ({ status }: Pick<GceInstance, 'status'>): boolean =>
  status === 'PROVISIONING' || status === 'STAGING'

/** The data that the view depends on, in addition to the instance. */
export interface ViewContext {
  readonly project: string
  readonly region: string
  /** The current time. An instance that is stopping counts as deleted at this time, because the service does not report when it stopped. */
  readonly now: Milliseconds
  /** The instance type. Undefined while Kerf does not know it. */
  readonly type: InstanceType | undefined
}

/** Returns the description of an instance. Its capacity is empty while Kerf does not know its instance type. */
export const instanceView = (instance: GceInstance, { project, region, now, type }: ViewContext): InstanceView => {
  const { name, zone, createdAt } = instance
  const pool = ownValue(instance.labels, ownLabelKeys.nodePool)
  return {
    providerID: providerIdFor({ project, zone, name }),
    ...instanceOwner({ claim: claimInName(name), pool }),
    labels: {
      ...(type === undefined ? {} : singleValues(type.requirements)),
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
      [labels.instanceType]: instance.type,
      [labels.region]: region,
      [labels.zone]: zone,
      [gcpLabels.zoneId]: zone,
      [labels.capacityType]: instance.isSpot ? capacityTypes.spot : capacityTypes.onDemand,
    },
    annotations: {},
    capacity: type === undefined ? {} : formatResources(type.capacity),
    allocatable: type === undefined ? {} : formatResources(offeringAllocatable(type)),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(isEnding(instance) ? { deletionTimestamp: formatTime(now) } : {}),
  }
}
