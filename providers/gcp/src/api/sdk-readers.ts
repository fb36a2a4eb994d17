import type { compute_v1 } from '@googleapis/compute/build/v1.js'
import type { container_v1 } from '@googleapis/container/build/v1.js'
import type { TypeFacts } from '../type-facts.ts'
import type {
  GceImage,
  GceInstance,
  InstanceTemplate,
  OperationError,
  ZonalType,
  ZoneOperation,
} from './compute-shapes.ts'
import type { GkeCluster, GkeNodePool, ReleaseChannel } from './gke-shapes.ts'

const lastPart = (url: string | null | undefined): string => url?.split('/').at(-1) ?? ''

/** Returns a URL without the root of the API: `projects/PROJECT/…`. */
const pathIn = (url: string | null | undefined): string => url?.replace(/^https:\/\/[^/]+\/compute\/\w+\//, '') ?? ''

const archOf = (architecture: string | null | undefined): 'amd64' | 'arm64' | undefined => {
  switch (architecture) {
    case 'ARM64':
      return 'arm64'
    case 'X86_64':
      return 'amd64'
    default:
      return undefined
  }
}

export const readInstance = (instance: compute_v1.Schema$Instance): GceInstance => {
  const boot = instance.disks?.find((disk) => disk.boot === true)
  return {
    name: instance.name ?? '',
    zone: lastPart(instance.zone),
    type: lastPart(instance.machineType),
    status: instance.status ?? '',
    labels: instance.labels ?? {},
    createdAt: instance.creationTimestamp ?? undefined,
    isSpot: instance.scheduling?.provisioningModel === 'SPOT' || instance.scheduling?.preemptible === true,
    bootDisk: boot?.source === undefined || boot.source === null ? undefined : lastPart(boot.source),
  }
}

type SdkOperationError = NonNullable<NonNullable<compute_v1.Schema$Operation['error']>['errors']>[number]

const readOperationError = ({ code, message, errorDetails }: SdkOperationError): OperationError => {
  const zones = errorDetails?.map(({ errorInfo }) => errorInfo?.metadatas?.['zonesAvailable'] ?? '').join() ?? ''
  return {
    code: code ?? 'UNKNOWN',
    message: message ?? '',
    zonesAvailable: zones.split(/[\s,]+/).filter((zone) => zone !== ''),
  }
}

export const readOperation = (operation: compute_v1.Schema$Operation): ZoneOperation => ({
  name: operation.name ?? '',
  zone: lastPart(operation.zone),
  isDone: operation.status === 'DONE',
  errors: (operation.error?.errors ?? []).map(readOperationError),
})

export const readImage = (image: compute_v1.Schema$Image): GceImage => ({
  path: pathIn(image.selfLink),
  name: image.name ?? '',
  arch: archOf(image.architecture),
  createdAt: image.creationTimestamp ?? '',
  isDeprecated: image.deprecated?.state !== undefined && image.deprecated.state !== 'ACTIVE',
})

export const readTemplate = (template: compute_v1.Schema$InstanceTemplate): InstanceTemplate => ({
  name: template.name ?? '',
  createdAt: template.creationTimestamp ?? '',
  labels: template.properties?.labels ?? {},
  metadata: Object.fromEntries(
    (template.properties?.metadata?.items ?? []).map(({ key, value }) => [key ?? '', value ?? '']),
  ),
})

/** The size of a local SSD partition. */
const PARTITION_GIB = 375
const Z3_PARTITION_GIB = 3000

const readFacts = (type: compute_v1.Schema$MachineType): TypeFacts => {
  const name = type.name ?? ''
  const partitions = type.bundledLocalSsds?.partitionCount ?? 0
  return {
    name,
    vcpus: type.guestCpus ?? 0,
    memoryMiB: type.memoryMb ?? 0,
    arch: archOf(type.architecture) ?? 'amd64',
    accelerators: (type.accelerators ?? []).map(({ guestAcceleratorType, guestAcceleratorCount }) => ({
      type: guestAcceleratorType ?? '',
      count: guestAcceleratorCount ?? 0,
    })),
    localSsdGiB: partitions * (name.startsWith('z3-') ? Z3_PARTITION_GIB : PARTITION_GIB),
  }
}

/** Returns the instance type in its zone, or undefined if its name, CPUs or memory are missing. */
export const readZonalType = (type: compute_v1.Schema$MachineType): ZonalType | undefined => {
  const facts = readFacts(type)
  return facts.name === '' || facts.vcpus === 0 || facts.memoryMiB === 0
    ? undefined
    : { zone: lastPart(type.zone), facts }
}

export const readDiskImage = ({ sourceImage }: compute_v1.Schema$Disk): string | undefined =>
  sourceImage === undefined || sourceImage === null ? undefined : pathIn(sourceImage)

export const readCluster = (cluster: container_v1.Schema$Cluster): GkeCluster => {
  const { networkConfig, privateClusterConfig, ipAllocationPolicy, releaseChannel } = cluster
  const channel = releaseChannel?.channel?.toLowerCase() ?? 'unspecified'
  return {
    id: cluster.id ?? '',
    zones: (cluster.locations ?? []).toSorted(),
    network: networkConfig?.network ?? undefined,
    subnetwork: networkConfig?.subnetwork ?? undefined,
    podRange: ipAllocationPolicy?.clusterSecondaryRangeName ?? undefined,
    arePrivateNodes:
      privateClusterConfig?.enablePrivateNodes === true || networkConfig?.defaultEnablePrivateNodes === true,
    releaseChannel: channel === 'unspecified' ? undefined : channel,
    version: cluster.currentMasterVersion ?? '',
  }
}

export const readNodePool = ({ name, status }: container_v1.Schema$NodePool): GkeNodePool => ({
  name: name ?? '',
  status: status ?? '',
})

export const readChannel = (channel: container_v1.Schema$ReleaseChannelConfig): ReleaseChannel => ({
  name: channel.channel?.toLowerCase() ?? '',
  defaultVersion: channel.defaultVersion ?? '',
  validVersions: channel.validVersions ?? [],
})
