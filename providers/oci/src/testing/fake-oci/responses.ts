import type { FakeAccount, FakeImage, FakeInstance, FakeReservation, FakeSubnet } from './fake-account.ts'
import { COMPARTMENT, TENANCY, VCN } from './names.ts'

const isoTime = (time: number): string => new Date(time).toISOString()
const EPOCH = isoTime(0)

/** Returns an instance in the format of GetInstance and ListInstances (the SDK's model `Instance`). */
export const instanceResponse = (account: FakeAccount, instance: FakeInstance): object => {
  const { details, id, faultDomain, createdAt } = instance
  const { createVnicDetails: _vnic, launchVolumeAttachments: _volumes, agentConfig: _agent, ...kept } = details
  const shape = account.shapes.find((each) => each.shape === details.shape)
  return {
    ...kept,
    id,
    faultDomain,
    region: 'phx',
    lifecycleState: account.lifecycleState(instance),
    timeCreated: isoTime(createdAt),
    imageId: details.sourceDetails.imageId,
    shapeConfig: {
      ocpus: details.shapeConfig?.ocpus ?? shape?.ocpus,
      memoryInGBs: details.shapeConfig?.memoryInGBs ?? shape?.memoryInGBs,
      ...(details.shapeConfig?.baselineOcpuUtilization === undefined
        ? {}
        : { baselineOcpuUtilization: details.shapeConfig.baselineOcpuUtilization }),
    },
    freeformTags: details.freeformTags ?? {},
    definedTags: details.definedTags ?? {},
    launchOptions: {
      bootVolumeType: 'PARAVIRTUALIZED',
      firmware: 'UEFI_64',
      networkType: 'PARAVIRTUALIZED',
      ...details.launchOptions,
    },
  }
}

/** Returns the status of a launch's work request, in the format of the SDK's model `WorkRequest`. */
export const workRequestResponse = (account: FakeAccount, instance: FakeInstance): object => {
  const isRunning = instance.startsUntil > account.clock.monotonic()
  const status = isRunning ? 'IN_PROGRESS' : instance.failure === undefined ? 'SUCCEEDED' : 'FAILED'
  return {
    ...{ id: instance.workRequest, operationType: 'LaunchInstance', status, compartmentId: COMPARTMENT },
    resources: [{ actionType: 'CREATED', entityType: 'instance', identifier: instance.id }],
    percentComplete: isRunning ? 10 : 100,
    timeAccepted: isoTime(instance.createdAt),
  }
}

export const workRequestErrors = ({ failure, createdAt }: FakeInstance): readonly object[] =>
  failure === undefined ? [] : [{ code: 'InternalError', message: failure, timestamp: isoTime(createdAt) }]

const attachment = (instance: FakeInstance): object => ({
  ...{ availabilityDomain: instance.details.availabilityDomain, compartmentId: COMPARTMENT, instanceId: instance.id },
  timeCreated: isoTime(instance.createdAt),
  lifecycleState: 'ATTACHED',
})

export const vnicId = (instanceId: string): string => instanceId.replace('.instance.', '.vnic.')
export const bootVolumeId = (instanceId: string): string => instanceId.replace('.instance.', '.bootvolume.')

export const vnicAttachmentResponse = (instance: FakeInstance): object => ({
  ...attachment(instance),
  id: instance.id.replace('.instance.', '.vnicattachment.'),
  vnicId: vnicId(instance.id),
  subnetId: instance.details.createVnicDetails.subnetId,
})

export const vnicResponse = (instance: FakeInstance): object => ({
  ...{ availabilityDomain: instance.details.availabilityDomain, compartmentId: COMPARTMENT, id: vnicId(instance.id) },
  ...{ isPrimary: true, lifecycleState: 'AVAILABLE', timeCreated: isoTime(instance.createdAt) },
  ...{ subnetId: instance.details.createVnicDetails.subnetId, nsgIds: instance.nsgIds },
})

export const bootVolumeAttachmentResponse = (instance: FakeInstance): object => ({
  ...attachment(instance),
  id: instance.id.replace('.instance.', '.bootvolumeattachment.'),
  bootVolumeId: bootVolumeId(instance.id),
  isPvEncryptionInTransitEnabled: instance.details.isPvEncryptionInTransitEnabled ?? false,
})

const IMAGE_SIZE_GB = 50

export const bootVolumeResponse = (instance: FakeInstance): object => {
  const {
    bootVolumeSizeInGBs: size = IMAGE_SIZE_GB,
    bootVolumeVpusPerGB: vpusPerGB = 10,
    kmsKeyId,
  } = instance.details.sourceDetails
  return {
    ...{
      availabilityDomain: instance.details.availabilityDomain,
      compartmentId: COMPARTMENT,
      id: bootVolumeId(instance.id),
    },
    ...{
      lifecycleState: 'AVAILABLE',
      sizeInGBs: size,
      sizeInMBs: size * 1_024,
      vpusPerGB,
      timeCreated: isoTime(instance.createdAt),
    },
    ...(kmsKeyId === undefined ? {} : { kmsKeyId }),
  }
}

export const imageResponse = ({ id, name, os, version, createdAt, freeformTags = {} }: FakeImage): object => ({
  ...{ id, displayName: name, operatingSystem: os, operatingSystemVersion: version, compartmentId: COMPARTMENT },
  ...{ createImageAllowed: true, lifecycleState: 'AVAILABLE', timeCreated: createdAt, freeformTags, definedTags: {} },
})

const named = (id: string, displayName: string): object => ({
  ...{ id, displayName, compartmentId: COMPARTMENT, freeformTags: {}, definedTags: {}, timeCreated: EPOCH },
})

export const subnetResponse = ({ id, name, cidr, availabilityDomain }: FakeSubnet): object => ({
  ...named(id, name),
  ...{ vcnId: VCN, cidrBlock: cidr, ipv4CidrBlocks: [cidr], lifecycleState: 'AVAILABLE' },
  ...{ routeTableId: 'ocid1.routetable.oc1.phx.aaaanodes', virtualRouterMac: '00:00:17:00:00:01' },
  ...(availabilityDomain === undefined ? {} : { availabilityDomain }),
})

export const securityGroupResponse = ({ id, name }: { readonly id: string; readonly name: string }): object => ({
  ...named(id, name),
  ...{ vcnId: VCN, lifecycleState: 'AVAILABLE' },
})

/** Returns a reservation in the API's format. Only the response for a single reservation contains configurations. List entries do not. */
export const reservationResponse = (account: FakeAccount, reservation: FakeReservation, isSummary: boolean): object => {
  const { id, name, availabilityDomain, shape, count } = reservation
  const usedCount = account.instances.living().filter(({ details }) => details.capacityReservationId === id).length
  const totals = { reservedInstanceCount: count, usedInstanceCount: usedCount }
  const configs = { instanceReservationConfigs: [{ instanceShape: shape, reservedCount: count, usedCount }] }
  return {
    ...named(id, name),
    ...{ availabilityDomain, lifecycleState: 'ACTIVE', ...totals },
    ...(isSummary ? {} : configs),
  }
}

export const computeClusterResponse = (cluster: FakeAccount['computeClusters'][number]): object => ({
  ...named(cluster.id, cluster.name),
  ...{ availabilityDomain: cluster.availabilityDomain, lifecycleState: 'ACTIVE' },
})

/** Returns the used part of a subnet's address block. The API rounds it to a tenth of a percent. */
export const utilizationResponse = (account: FakeAccount, subnet: FakeSubnet): object => {
  const size = 2 ** (32 - Number(subnet.cidr.split('/')[1] ?? '24'))
  const utilization = Math.round(((size - account.freeAddresses(subnet)) / size) * 1_000) / 10
  return {
    ...{ count: 1, compartmentId: COMPARTMENT },
    ipInventoryCidrUtilizationSummary: [{ cidr: subnet.cidr, utilization, addressType: 'Private_IPv4' }],
  }
}

export const availabilityDomainResponse = (name: string): object => ({
  id: `ocid1.availabilitydomain.oc1..${name}`,
  name,
  compartmentId: TENANCY,
})
