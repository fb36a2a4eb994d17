import { type PermissionStatement, permissionPurposes } from '@kerf/provider-kit'
import type { ComputeApi, GkeApi } from '../api/gcp-api.ts'

/** Kerf's capabilities in a project. If permissions are missing, only the capabilities that need them fail. */
export const gcpCapabilities = {
  launch: 'launch instances with their disks, and delete them',
  instances: 'find the instances of the cluster',
  discovery: 'find zones, instance types and the default service account',
  images: 'find the images of node classes, and boot from images of the project',
  cluster: 'read the cluster, its release channels, and the start of its nodes',
  adoption: 'know the image of an instance that it launched before a restart',
} as const
export type GcpCapability = keyof typeof gcpCapabilities

interface Needed {
  readonly capability: GcpCapability
  readonly permissions: readonly string[]
}

const compute = (capability: GcpCapability, ...permissions: readonly string[]): Needed => ({
  capability,
  permissions: permissions.map((name) => `compute.${name}`),
})
// GKE has no separate permissions for node pools. The permissions for clusters apply.
const readCluster: Needed = { capability: 'cluster', permissions: ['container.clusters.get'] }

/** The permissions that each call to Compute Engine needs. A call without an entry is a type error. */
const computeCalls: Readonly<Record<keyof ComputeApi, Needed>> = {
  defaultServiceAccount: compute('discovery', 'projects.get'),
  zones: compute('discovery', 'regions.get'),
  zonalTypes: compute('discovery', 'machineTypes.list'),
  // An insert also sets labels, metadata, tags and the service account, and uses a subnetwork.
  insertInstance: compute(
    ...(['launch', 'instances.create', 'instances.setLabels', 'instances.setMetadata', 'instances.setTags'] as const),
    ...['instances.setServiceAccount', 'disks.create', 'subnetworks.use', 'subnetworks.useExternalIp'],
  ),
  operation: compute('launch', 'zoneOperations.get'),
  deleteInstance: compute('launch', 'instances.delete'),
  instance: compute('instances', 'instances.get'),
  instances: compute('instances', 'instances.list'),
  instancesNamed: compute('instances', 'instances.list'),
  image: compute('images', 'images.get', 'images.useReadOnly'),
  images: compute('images', 'images.list'),
  instanceTemplates: compute('cluster', 'instanceTemplates.list'),
  diskImage: compute('adoption', 'disks.get'),
}

/** The permissions of each call to GKE. */
const gkeCalls: Readonly<Record<keyof GkeApi, Needed>> = {
  cluster: readCluster,
  nodePools: readCluster,
  // Reading the available versions of a location requires the permission to list its clusters.
  releaseChannels: { capability: 'cluster', permissions: ['container.clusters.list'] },
}

/**
 * The permission to act as the nodes' service account. The custom role does not contain it, because users grant a built-in role on that
 * account alone.
 */
export const ACT_AS = { permission: 'iam.serviceAccounts.actAs', role: 'roles/iam.serviceAccountUser' } as const

type Statement = PermissionStatement<GcpCapability, never>

/** Returns the permissions of each capability, without duplicates. */
export const permissionStatements = (): readonly Statement[] => {
  const needed = [...Object.values(computeCalls), ...Object.values(gkeCalls)]
  return (Object.keys(gcpCapabilities) as readonly GcpCapability[]).map((capability) => ({
    ...{ capability, name: capability, resources: [] },
    actions: [
      ...new Set(needed.filter((each) => each.capability === capability).flatMap(({ permissions }) => permissions)),
    ].toSorted(),
  }))
}

/** Returns every permission of the custom role, with the capabilities that need it. */
export const neededPermissions = (): ReadonlyMap<string, readonly GcpCapability[]> =>
  permissionPurposes(permissionStatements())
