import type { LaunchDetails } from '../../api/launch-details.ts'
import type { OciShape } from '../../api/oci-shapes.ts'
import type { FakeAccount } from './fake-account.ts'
import { coreModels } from './model-schema.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT, FAULT_DOMAINS } from './names.ts'
import { invalidParameter, missingParameter, notFound, outOfHostCapacity, type Refusal } from './refusal.ts'

/** Oracle's documented limits for tags, metadata, boot volumes and NSGs. */
const MOST_FREEFORM_TAGS = 10
const MOST_DEFINED_TAGS = 64
const LONGEST_TAG_KEY = 100
const LONGEST_TAG_VALUE = 256
const LONGEST_NAME = 255
const MOST_METADATA_BYTES = 32_000
const MOST_NSGS = 5
const BOOT_VOLUME_GB = { least: 50, most: 32_768 }
const MOST_VPUS = 120

type Rule = (details: LaunchDetails, account: FakeAccount) => Refusal | undefined

const shapeOf = ({ shape }: LaunchDetails, { shapes }: FakeAccount): OciShape | undefined =>
  shapes.find((each) => each.shape === shape)

/** Refuses a request with fields that the SDK's model `LaunchInstanceDetails` does not have. */
const fitsModel: Rule = (details) => {
  const [problem] = coreModels.problems('LaunchInstanceDetails', details)
  if (problem === undefined) return undefined
  return problem.endsWith('is required') ? missingParameter(problem) : invalidParameter(problem)
}

const fitsPlace: Rule = ({ availabilityDomain, compartmentId, faultDomain, shape }, account) => {
  if (compartmentId !== COMPARTMENT) return notFound('compartment')
  if (!AVAILABILITY_DOMAINS.some((each) => each === availabilityDomain))
    return invalidParameter(`Invalid availabilityDomain: ${availabilityDomain}`)
  if (faultDomain !== undefined && !FAULT_DOMAINS.some((each) => each === faultDomain))
    return invalidParameter(`Invalid faultDomain: ${faultDomain}`)
  return account.shapes.some((each) => each.shape === shape) ? undefined : invalidParameter(`Invalid shape: ${shape}`)
}

const fitsSize: Rule = (details, account) => {
  const shape = shapeOf(details, account)
  const { shapeConfig } = details
  if (shape?.isFlexible !== true)
    return shapeConfig === undefined ? undefined : invalidParameter(`shapeConfig is not supported for ${details.shape}`)
  if (shapeConfig === undefined) return missingParameter('shapeConfig is required for flexible shapes')
  const { ocpus = 0, memoryInGBs = 0, baselineOcpuUtilization: baseline } = shapeConfig
  const { min = 0, max = 0 } = shape.ocpuOptions ?? {}
  const { minInGBs = 0, maxInGBs = 0, minPerOcpuInGBs = 0, maxPerOcpuInGBs = 0 } = shape.memoryOptions ?? {}
  if (ocpus < min || ocpus > max) return invalidParameter(`ocpus must be between ${min} and ${max}`)
  const isOut =
    memoryInGBs < Math.max(minInGBs, minPerOcpuInGBs * ocpus) ||
    memoryInGBs > Math.min(maxInGBs, maxPerOcpuInGBs * ocpus)
  if (isOut) return invalidParameter(`memoryInGBs ${memoryInGBs} is not supported with ${ocpus} OCPUs`)
  return baseline === undefined || shape.baselineOcpuUtilizations?.includes(baseline) === true
    ? undefined
    : invalidParameter(`${details.shape} does not support ${baseline}`)
}

const fitsSource: Rule = ({ sourceDetails, shape }, account) => {
  const { imageId, bootVolumeSizeInGBs: size, bootVolumeVpusPerGB: vpus } = sourceDetails
  const image = account.images.find(({ id }) => id === imageId)
  if (image === undefined) return notFound('image')
  if (!image.shapes.test(shape)) return invalidParameter(`Shape ${shape} is not valid for image ${imageId}.`)
  if (size !== undefined && (size < BOOT_VOLUME_GB.least || size > BOOT_VOLUME_GB.most))
    return invalidParameter(`bootVolumeSizeInGBs must be between ${BOOT_VOLUME_GB.least} and ${BOOT_VOLUME_GB.most}`)
  return vpus !== undefined && (vpus < 10 || vpus > MOST_VPUS || vpus % 10 !== 0)
    ? invalidParameter('bootVolumeVpusPerGB must be a multiple of 10 between 10 and 120')
    : undefined
}

const fitsNetwork: Rule = ({ createVnicDetails, availabilityDomain }, account) => {
  const { subnetId, nsgIds = [] } = createVnicDetails
  const subnet = account.subnets.find(({ id }) => id === subnetId)
  if (subnet === undefined) return notFound('subnet')
  if ((subnet.availabilityDomain ?? availabilityDomain) !== availabilityDomain)
    return invalidParameter(`The subnet ${subnetId} is in another availability domain.`)
  if (nsgIds.length > MOST_NSGS) return invalidParameter(`A VNIC can be in ${MOST_NSGS} network security groups.`)
  if (nsgIds.some((id) => account.securityGroups.every((group) => group.id !== id)))
    return notFound('network security group')
  return account.freeAddresses(subnet) > 0
    ? undefined
    : { status: 400, code: 'LimitExceeded', message: `The subnet ${subnetId} has no available IP addresses.` }
}

const fitsTags: Rule = ({ definedTags = {}, freeformTags = {}, metadata, displayName }, account) => {
  const defined = Object.entries(definedTags).flatMap(([space, tags]) =>
    Object.entries(tags).map(([key, value]) => ({ space, key, value: String(value) })),
  )
  const freeform = Object.entries(freeformTags)
  if (freeform.length > MOST_FREEFORM_TAGS) return invalidParameter(`More than ${MOST_FREEFORM_TAGS} free-form tags.`)
  if (defined.length > MOST_DEFINED_TAGS) return invalidParameter(`More than ${MOST_DEFINED_TAGS} defined tags.`)
  const unknown = defined.find(({ space, key }) => account.tagNamespaces[space]?.includes(key) !== true)
  if (unknown !== undefined)
    return invalidParameter(`TagDefinition ${unknown.space}.${unknown.key} does not exist or you have no permission.`)
  const isWrong = (key: string, value: string): boolean =>
    key === '' || key.length > LONGEST_TAG_KEY || /[.\s]/.test(key) || value.length > LONGEST_TAG_VALUE
  if (
    freeform.some(([key, value]) => isWrong(key, value)) ||
    defined.some(({ value }) => value.length > LONGEST_TAG_VALUE)
  )
    return invalidParameter('Invalid tags')
  if (Buffer.byteLength(JSON.stringify(metadata)) > MOST_METADATA_BYTES)
    return invalidParameter(`The metadata is larger than ${MOST_METADATA_BYTES} bytes.`)
  const { user_data: userData = '' } = metadata
  if (Buffer.from(userData, 'base64').toString('base64') !== userData)
    return invalidParameter('user_data is not base64')
  return displayName.length > LONGEST_NAME ? invalidParameter('displayName is too long') : undefined
}

const fitsReservation: Rule = (
  { capacityReservationId, availabilityDomain, shape, preemptibleInstanceConfig },
  account,
) => {
  if (capacityReservationId === undefined) return undefined
  const reservation = account.reservations.find(({ id }) => id === capacityReservationId)
  if (reservation === undefined) return notFound('capacity reservation')
  if (preemptibleInstanceConfig !== undefined)
    return invalidParameter('Preemptible instances cannot use a reservation.')
  if (reservation.availabilityDomain !== availabilityDomain || reservation.shape !== shape)
    return invalidParameter('The capacity reservation has another availability domain or shape.')
  const used = account.instances.living().filter(({ details }) => details.capacityReservationId === reservation.id)
  return used.length < reservation.count ? undefined : outOfHostCapacity
}

const fitsLimits: Rule = (details, account) => {
  const wanted = account.ocpus(details)
  if (account.usedOcpus(details.availabilityDomain) + wanted > account.ocpuLimit)
    return {
      ...{ status: 400, code: 'LimitExceeded' },
      message: `The following service limits were exceeded: standard-core-count. Request a service limit increase from the service limits page in the console.`,
    }
  return account.usedOcpus() + wanted > account.ocpuQuota
    ? {
        status: 400,
        code: 'QuotaExceeded',
        message: 'The following compartment quotas were exceeded: standard-core-count.',
      }
    : undefined
}

const hasHosts: Rule = (details, account) => {
  const stockOut = details.capacityReservationId === undefined ? account.stockOut(details) : undefined
  return stockOut === undefined || stockOut.isAfterwards === true ? undefined : outOfHostCapacity
}

const RULES: readonly Rule[] = [
  ...[fitsModel, fitsPlace, fitsSize, fitsSource, fitsNetwork, fitsTags, fitsReservation, fitsLimits, hasHosts],
]

/** Returns the error with which LaunchInstance refuses a request, or undefined. The first violated rule determines the error. */
export const refuseLaunch = (details: LaunchDetails, account: FakeAccount): Refusal | undefined => {
  for (const rule of RULES) {
    const refusal = rule(details, account)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
