import type { TypeFacts } from '../../type-facts.ts'
import { gpusOfType } from '../../type-facts.ts'
import { invalidValue } from './google-error.ts'
import type { InstanceBody } from './instance-body.ts'
import { PROJECT } from './names.ts'

/**
 * Checks of an insert that go beyond the schema of the API description. They come from Compute Engine's documentation: "Labels", "Network
 * tags", "About VM metadata", "Local SSD", "Alias IP ranges", "Spot VMs", "GPU maintenance". The exact texts of the errors are unknown.
 */

/** The fake's data about the zone of an insert. */
export interface InsertRules {
  readonly zone: string
  typeNamed(name: string): TypeFacts | undefined
  hasDiskType(name: string): boolean
  hasImage(path: string): boolean
  hasRange(subnetwork: string, range: string): boolean
}

const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u
const MAXIMUM_LABELS = 64
const TAG = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/
const METADATA_KEY = /^[a-zA-Z0-9_-]{1,128}$/
const MAXIMUM_METADATA = 512 * 1024

const pathOf = (reference: string): string => reference.replace(/^https:\/\/[^/]+\/compute\/v1\//, '')
/** Returns the last part of a reference to a resource of the zone. */
const nameInZone = (reference: string, kind: string, zone: string): string | undefined =>
  new RegExp(`^(?:projects/${PROJECT}/)?zones/${zone}/${kind}/([^/]+)$`).exec(pathOf(reference))?.[1]

const checkLabels = ({ labels = {} }: InstanceBody): void => {
  const entries = Object.entries(labels)
  if (entries.length > MAXIMUM_LABELS) throw invalidValue('resource.labels', entries.length, 'At most 64 labels.')
  for (const [key, value] of entries) {
    if (!LABEL_KEY.test(key))
      throw invalidValue('resource.labels', key, `Label key '${key}' violates format constraints.`)
    if (!LABEL_VALUE.test(value))
      throw invalidValue('resource.labels', value, `Label value '${value}' violates format constraints.`)
  }
}

const checkTagsAndMetadata = ({ tags, metadata }: InstanceBody): void => {
  const own = tags?.items ?? []
  for (const tag of own) if (!TAG.test(tag)) throw invalidValue('resource.tags.items', tag, 'Must be a network tag.')
  if (new Set(own).size !== own.length) throw invalidValue('resource.tags', own.join(), 'Tags are not unique.')
  const items = metadata?.items ?? []
  let size = 0
  for (const { key = '', value = '' } of items) {
    if (!METADATA_KEY.test(key)) throw invalidValue('resource.metadata.items.key', key, 'Must be a metadata key.')
    size += key.length + value.length
  }
  if (new Set(items.map(({ key }) => key)).size !== items.length)
    throw invalidValue('resource.metadata', '', 'Metadata has duplicate key.')
  if (size > MAXIMUM_METADATA) throw invalidValue('resource.metadata', size, 'Metadata is larger than 512 KB.')
}

type Disk = NonNullable<InstanceBody['disks']>[number]

const checkDisk = (disk: Disk, field: string, rules: InsertRules): void => {
  const { initializeParams: params, type = 'PERSISTENT', interface: bus } = disk
  const name = nameInZone(params?.diskType ?? '', 'diskTypes', rules.zone)
  if (params?.diskType !== undefined && (name === undefined || !rules.hasDiskType(name)))
    throw invalidValue(
      `${field}.initializeParams.diskType`,
      params.diskType,
      'The referenced resource cannot be found.',
    )
  if (name === 'local-ssd' && type !== 'SCRATCH')
    throw invalidValue(`${field}.type`, type, 'Cannot create local SSD as persistent disk.')
  if (type === 'SCRATCH') {
    if (name !== 'local-ssd') throw invalidValue(`${field}.type`, type, 'Scratch disks are local SSDs.')
    if (params?.diskSizeGb !== undefined)
      throw invalidValue(`${field}.diskSizeGb`, params.diskSizeGb, 'Local SSDs have a fixed size.')
    if (bus !== undefined && bus !== 'NVME' && bus !== 'SCSI') throw invalidValue(`${field}.interface`, bus, '')
    return
  }
  const image = params?.sourceImage
  if (image !== undefined && !rules.hasImage(pathOf(image)))
    throw invalidValue(`${field}.initializeParams.sourceImage`, image, 'The referenced image resource cannot be found.')
  if (image === undefined && disk.boot === true)
    throw invalidValue(`${field}.initializeParams.sourceImage`, '', 'A boot disk needs an image.')
}

const checkDisks = ({ disks = [] }: InstanceBody, rules: InsertRules): void => {
  const [first] = disks
  if (first === undefined) throw invalidValue('resource.disks', '', 'No disks are specified.')
  if (first.boot !== true) throw invalidValue('resource.disks[0].boot', first.boot, 'Boot disk must be the first disk.')
  if (disks.filter(({ boot }) => boot === true).length > 1)
    throw invalidValue('resource.disks', '', 'At most one boot disk can be attached.')
  const names = disks.flatMap(({ deviceName }) => deviceName ?? [])
  if (new Set(names).size !== names.length)
    throw invalidValue('resource.disks', names.join(), 'Device names are not unique.')
  for (const [index, disk] of disks.entries()) checkDisk(disk, `resource.disks[${index}]`, rules)
}

const checkNetwork = ({ networkInterfaces = [] }: InstanceBody, rules: InsertRules): void => {
  if (networkInterfaces.length === 0)
    throw invalidValue('resource.networkInterfaces', '', 'At least one network interface is required.')
  for (const [index, { subnetwork = '', aliasIpRanges = [] }] of networkInterfaces.entries())
    for (const { subnetworkRangeName = '', ipCidrRange = '' } of aliasIpRanges) {
      const field = `resource.networkInterfaces[${index}].aliasIpRanges`
      if (!rules.hasRange(pathOf(subnetwork), subnetworkRangeName))
        throw invalidValue(`${field}.subnetworkRangeName`, subnetworkRangeName, 'There is no such secondary range.')
      if (!/^\/\d+$/.test(ipCidrRange))
        throw invalidValue(`${field}.ipCidrRange`, ipCidrRange, 'Must be a prefix length.')
    }
}

const checkScheduling = ({ scheduling = {}, confidentialInstanceConfig }: InstanceBody, facts: TypeFacts): void => {
  const { provisioningModel, preemptible, automaticRestart, onHostMaintenance, instanceTerminationAction } = scheduling
  const isSpot = provisioningModel === 'SPOT' || preemptible === true
  if (instanceTerminationAction !== undefined && !isSpot)
    throw invalidValue('resource.scheduling.instanceTerminationAction', instanceTerminationAction, 'Only for Spot VMs.')
  if (isSpot && automaticRestart !== false)
    throw invalidValue('resource.scheduling.automaticRestart', automaticRestart, 'Spot VMs do not restart.')
  const needsTermination =
    isSpot ||
    gpusOfType(facts) !== undefined ||
    facts.name.endsWith('-metal') ||
    confidentialInstanceConfig?.enableConfidentialCompute === true
  if (needsTermination && onHostMaintenance !== 'TERMINATE')
    throw invalidValue('resource.scheduling.onHostMaintenance', onHostMaintenance, 'Must be TERMINATE.')
}

/**
 * Checks an insert. Returns the facts of its instance type.
 *
 * @throws GoogleError if Compute Engine would refuse the insert
 */
export const checkInsert = (body: InstanceBody, rules: InsertRules): TypeFacts => {
  const type = nameInZone(body.machineType ?? '', 'machineTypes', rules.zone)
  const facts = type === undefined ? undefined : rules.typeNamed(type)
  if (facts === undefined)
    throw invalidValue('resource.machineType', body.machineType, 'The referenced resource cannot be found.')
  checkLabels(body)
  checkTagsAndMetadata(body)
  checkDisks(body, rules)
  checkNetwork(body, rules)
  checkScheduling(body, facts)
  const accounts = body.serviceAccounts ?? []
  if (accounts.length > 1) throw invalidValue('resource.serviceAccounts', '', 'At most one service account.')
  return facts
}
