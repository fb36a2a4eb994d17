import type { InstanceRequest } from '../api/gcp-api.ts'
import type { GkeCluster } from '../api/gke-shapes.ts'
import { type InstanceOwner, instanceLabels, networkTags } from '../instances/instance-labels.ts'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { gpusOfType, type TypeFacts } from '../type-facts.ts'
import { attachedDisks } from './attached-disks.ts'
import { networkInterfaces } from './network-interfaces.ts'

/** The inputs from which the insert request of an instance is built. */
export interface InstancePlan {
  readonly name: string
  readonly project: string
  readonly zone: string
  readonly facts: TypeFacts
  readonly isSpot: boolean
  readonly spec: Partial<GCENodeClassSpec>
  readonly owner: InstanceOwner
  readonly cluster: GkeCluster
  /** The path of the image that the instance boots. */
  readonly image: string
  readonly serviceAccount: string
  readonly maxPods: number
  readonly metadata: Readonly<Record<string, string>>
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
/** A z3 instance with more local SSD than this cannot migrate. */
const Z3_LIMIT_GIB = 18 * 1024

/**
 * Returns true if Compute Engine cannot move the instance to another host. The request must then specify that the instance stops for
 * maintenance.
 */
const cannotMigrate = ({ facts, isSpot, spec }: InstancePlan): boolean =>
  isSpot ||
  gpusOfType(facts) !== undefined ||
  spec.confidentialInstanceType !== undefined ||
  facts.name.endsWith('-metal') ||
  facts.name.startsWith('h4d-') ||
  (facts.name.startsWith('z3-') && facts.localSsdGiB > Z3_LIMIT_GIB)

const scheduling = (plan: InstancePlan): NonNullable<InstanceRequest['scheduling']> => ({
  ...(plan.isSpot
    ? {
        provisioningModel: 'SPOT',
        preemptible: true,
        automaticRestart: false,
        instanceTerminationAction: 'DELETE',
      }
    : {}),
  ...(cannotMigrate(plan) ? { onHostMaintenance: 'TERMINATE' } : {}),
})

/** Returns the body of an insert request (`providers/gcp/docs/spec/gcp.md#instance-body`). Its metadata contains secrets: never log it. */
export const instanceBody = (plan: InstancePlan): InstanceRequest => {
  const { name, project, zone, facts, isSpot, spec, owner, cluster, image, serviceAccount, maxPods, metadata } = plan
  const interfaces = networkInterfaces(cluster, spec, maxPods)
  return {
    name,
    machineType: `zones/${zone}/machineTypes/${facts.name}`,
    serviceAccounts: [{ email: serviceAccount, scopes: [SCOPE] }],
    disks: attachedDisks(spec.disks ?? [], { project, zone, facts, image }),
    ...(interfaces === undefined ? {} : { networkInterfaces: interfaces }),
    scheduling: scheduling(plan),
    labels: { ...instanceLabels(spec.labels ?? {}, owner, isSpot) },
    tags: { items: [...networkTags(owner, spec.networkTags ?? [])] },
    metadata: {
      items: Object.entries(metadata)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => ({ key, value })),
    },
    ...(spec.shieldedInstanceConfig === undefined
      ? {}
      : { shieldedInstanceConfig: { ...spec.shieldedInstanceConfig } }),
    ...(spec.confidentialInstanceType === undefined
      ? {}
      : {
          confidentialInstanceConfig: {
            enableConfidentialCompute: true,
            confidentialInstanceType: spec.confidentialInstanceType,
          },
        }),
  }
}
