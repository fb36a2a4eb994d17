import { ownValue } from '@kerf/apis'
import {
  asNumber,
  asObjects,
  asText,
  asTextMap,
  asTexts,
  isLoose,
  type Loose,
  looseAt,
} from '@kerf/provider-kit/documents'
import { present } from '@kerf/provider-kit/migration'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { RESERVED_METADATA } from '../node-class/instance-fields.ts'

type Disk = NonNullable<GCENodeClassSpec['disks']>[number]

/** Returns the value as the type `T` without a check, because the CRD validates it later. */
const unchecked = <T>(value: object): T => value as T

const filled = <T extends object>(value: T): T | undefined => (Object.keys(value).length === 0 ? undefined : value)

const objectAt = (value: unknown, ...path: readonly string[]): Loose => {
  const found = looseAt(value, ...path)
  return isLoose(found) ? found : {}
}

const imageTerms = (config: Loose, hasChannel: boolean): GCENodeClassSpec['imageSelectorTerms'] => {
  if ((asText(config['imageType']) ?? '').toUpperCase().startsWith('UBUNTU'))
    return [{ family: 'Ubuntu2404', version: 'latest' }]
  // With `channel: cluster`, new nodes get the version that GKE gives to its own nodes.
  return [{ family: 'ContainerOptimizedOS', ...(hasChannel ? { channel: 'cluster' } : { version: 'latest' }) }]
}

const SSD_GIB = 375

const localSsds = (config: Loose): number =>
  asNumber(looseAt(config, 'localNvmeSsdBlockConfig', 'localSsdCount')) ?? asNumber(config['localSsdCount']) ?? 0

const disksIn = (config: Loose): readonly Disk[] => {
  const bootDisk = objectAt(config, 'bootDisk')
  const boot = present({
    sizeGiB: asNumber(bootDisk['sizeGb']) ?? asNumber(config['diskSizeGb']),
    category: asText(bootDisk['diskType']) ?? asText(config['diskType']),
    kmsKeyName: asText(config['bootDiskKmsKey']),
    provisionedIOPS: asNumber(bootDisk['provisionedIops']),
    provisionedThroughput: asNumber(bootDisk['provisionedThroughput']),
  })
  const others = [
    ...Array.from({ length: localSsds(config) }, () => ({ category: 'local-ssd', sizeGiB: SSD_GIB })),
    ...asObjects(config['secondaryBootDisks']).map((disk) =>
      present({ secondaryBootImage: asText(disk['diskImage']), secondaryBootMode: asText(disk['mode']) }),
    ),
  ]
  const isPlain = Object.keys(boot).length === 0 && others.length === 0
  return isPlain ? [] : [unchecked<Disk>({ boot: true, ...boot }), ...others.map((disk) => unchecked<Disk>(disk))]
}

const SIGNALS: Readonly<Record<string, string>> = {
  memoryAvailable: 'memory.available',
  nodefsAvailable: 'nodefs.available',
  nodefsInodesFree: 'nodefs.inodesFree',
  imagefsAvailable: 'imagefs.available',
  imagefsInodesFree: 'imagefs.inodesFree',
  pidAvailable: 'pid.available',
}

const signalsIn = (value: unknown): Readonly<Record<string, string>> | undefined => {
  const texts = asTextMap(value)
  return filled(
    Object.fromEntries(
      Object.entries(SIGNALS).flatMap(([field, signal]) => {
        const text = ownValue(texts, field)
        return text === undefined ? [] : [[signal, text]]
      }),
    ),
  )
}

const kubeletIn = (config: Loose, maxPods: number | undefined): GCENodeClassSpec['kubeletConfiguration'] => {
  const own = objectAt(config, 'kubeletConfig')
  return filled(
    present({
      maxPods,
      cpuCFSQuota: typeof own['cpuCfsQuota'] === 'boolean' ? own['cpuCfsQuota'] : undefined,
      imageGCHighThresholdPercent: asNumber(own['imageGcHighThresholdPercent']),
      imageGCLowThresholdPercent: asNumber(own['imageGcLowThresholdPercent']),
      evictionMaxPodGracePeriod: asNumber(own['evictionMaxPodGracePeriodSeconds']),
      evictionSoft: signalsIn(own['evictionSoft']),
      evictionSoftGracePeriod: signalsIn(own['evictionSoftGracePeriod']),
    }),
  )
}

const networkIn = (network: Loose, clusterSubnetwork: string | undefined): GCENodeClassSpec['networkConfig'] => {
  const subnetwork = asText(network['subnetwork'])
  const interfaces = asObjects(network['additionalNodeNetworkConfigs']).flatMap((each) => {
    const name = asText(each['subnetwork'])
    return name === undefined ? [] : [{ subnetwork: name, ...present({ network: asText(each['network']) }) }]
  })
  return filled(
    present({
      enablePrivateNodes: network['enablePrivateNodes'] === true ? true : undefined,
      subnetwork: subnetwork === clusterSubnetwork ? undefined : subnetwork,
      additionalNetworkInterfaces: interfaces.length === 0 ? undefined : interfaces,
    }),
  )
}

const DRIVERS: Readonly<Record<string, GCENodeClassSpec['gpuDriverVersion']>> = {
  DEFAULT: 'default',
  LATEST: 'latest',
  INSTALLATION_DISABLED: 'disabled',
}

/** The properties of a cluster that affect the node classes of its node pools. */
export interface ClusterDefaults {
  /** Whether the cluster is in a release channel. */
  readonly hasChannel: boolean
  readonly subnetwork?: string
  readonly maxPods?: number
}

/** Returns the spec of a node class for a node pool in the form of GKE's API. The CRD validates the values. */
export const readClassSpec = (pool: Loose, cluster: ClusterDefaults): GCENodeClassSpec => {
  const config = objectAt(pool, 'config')
  const network = objectAt(pool, 'networkConfig')
  const account = asText(config['serviceAccount'])
  const shielded = objectAt(config, 'shieldedInstanceConfig')
  const driver = asText(
    looseAt(asObjects(config['accelerators'])[0], 'gpuDriverInstallationConfig', 'gpuDriverVersion'),
  )
  const metadata = Object.entries(asTextMap(config['metadata'])).filter(([key]) => !RESERVED_METADATA.includes(key))
  const disks = disksIn(config)
  const maxPods = asNumber(looseAt(pool, 'maxPodsConstraint', 'maxPodsPerNode')) ?? cluster.maxPods
  return unchecked<GCENodeClassSpec>(
    present({
      imageSelectorTerms: imageTerms(config, cluster.hasChannel),
      serviceAccount: account === 'default' ? undefined : account,
      disks: disks.length === 0 ? undefined : disks,
      subnetRangeName: asText(network['podRange']),
      kubeletConfiguration: kubeletIn(config, maxPods),
      labels: filled(asTextMap(config['resourceLabels'])),
      metadata: filled(Object.fromEntries(metadata)),
      networkTags: asTexts(config['tags']).length === 0 ? undefined : asTexts(config['tags']),
      shieldedInstanceConfig: filled(
        present({
          enableSecureBoot: shielded['enableSecureBoot'] === true ? true : undefined,
          enableIntegrityMonitoring: shielded['enableIntegrityMonitoring'] === true ? true : undefined,
        }),
      ),
      confidentialInstanceType:
        looseAt(config, 'confidentialNodes', 'enabled') === true
          ? (asText(looseAt(config, 'confidentialNodes', 'confidentialInstanceType')) ?? 'SEV')
          : undefined,
      networkConfig: networkIn(network, cluster.subnetwork),
      gpuDriverVersion: driver === undefined ? undefined : ownValue(DRIVERS, driver),
    }),
  )
}
