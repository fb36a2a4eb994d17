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
import type { ECSNodeClassSpec } from '../node-class/ecs-node-class.ts'

/** ACK's image families that Kerf selects by alias. */
const ALIASES: Readonly<Record<string, string>> = {
  AliyunLinux3: 'AlibabaCloudLinux3',
  AliyunLinux3Arm64: 'AlibabaCloudLinux3',
  AliyunLinux3ContainerOptimized: 'AlibabaCloudLinux3',
  ContainerOS: 'ContainerOS',
  ContainerOSArm64: 'ContainerOS',
}

const imageTerms = (scaling: Loose): ECSNodeClassSpec['imageSelectorTerms'] | undefined => {
  const [type, id] = [asText(scaling['image_type']), asText(scaling['image_id'])]
  const alias = ownValue(ALIASES, type ?? '')
  if (alias !== undefined) return [{ alias }]
  // The IDs of ACK's own images change with each version. The IDs of the user's own images begin with m-.
  return id?.startsWith('m-') === true ? [{ id }] : undefined
}

const terms = (ids: readonly string[]): readonly { readonly id: string }[] | undefined =>
  ids.length === 0 ? undefined : ids.map((id) => ({ id }))

const systemDisk = (scaling: Loose): ECSNodeClassSpec['systemDisk'] => {
  const category = asText(scaling['system_disk_category'])
  const categories = [...asTexts(scaling['system_disk_categories']), ...(category === undefined ? [] : [category])]
  const size = asNumber(scaling['system_disk_size'])
  const disk = present({
    categories: categories.length === 0 ? undefined : [...new Set(categories)],
    volumeSize: size === undefined || size === 0 ? undefined : `${size}Gi`,
    performanceLevel: asText(scaling['system_disk_performance_level']),
  })
  // The CRD validates the values.
  return Object.keys(disk).length === 0 ? undefined : (disk as ECSNodeClassSpec['systemDisk'])
}

const userTags = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    asObjects(value).flatMap((each) => {
      const key = asText(each['key'])
      // Tags with these prefixes belong to ACK and other services. The controller sets some of them itself, and the others do not apply
      // to its instances.
      if (key === undefined || /^(?:ack\.|k8s\.|acs:|aliyun|ecs:|kubernetes\.io\/)/.test(key)) return []
      return [[key, asText(each['value']) ?? '']]
    }),
  )

const kubeletConfiguration = (kubelet: Loose): ECSNodeClassSpec['kubeletConfiguration'] => {
  const map = (field: string): Readonly<Record<string, string>> | undefined =>
    isLoose(looseAt(kubelet, field)) ? asTextMap(looseAt(kubelet, field)) : undefined
  const quota = kubelet['cpuCFSQuota']
  const read = present({
    maxPods: asNumber(kubelet['maxPods']),
    systemReserved: map('systemReserved'),
    kubeReserved: map('kubeReserved'),
    evictionHard: map('evictionHard'),
    cpuCFSQuota: typeof quota === 'boolean' ? quota : undefined,
    imageGCHighThresholdPercent: asNumber(kubelet['imageGCHighThresholdPercent']),
    imageGCLowThresholdPercent: asNumber(kubelet['imageGCLowThresholdPercent']),
  })
  // The CRD validates the values.
  return Object.keys(read).length === 0 ? undefined : (read as ECSNodeClassSpec['kubeletConfiguration'])
}

/** Decodes `user_data`, which is in base64. Returns any other text unchanged. */
const userData = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const decoded = Buffer.from(text, 'base64')
  return decoded.toString('base64') === text ? decoded.toString('utf8') : text
}

/** Returns the ECSNodeClass fields that follow from an ACK node pool. */
export const draftSpec = (scaling: Loose, config: Loose, kubelet: Loose): Partial<ECSNodeClassSpec> => {
  const disks = asObjects(scaling['data_disks'])
  const categories = [...new Set(disks.flatMap(({ category }) => asText(category) ?? []))]
  const tags = userTags(scaling['tags'])
  const security = asTexts(scaling['security_group_ids'])
  const only = asText(scaling['security_group_id'])
  const spec = present({
    imageSelectorTerms: imageTerms(scaling),
    vSwitchSelectorTerms: terms(asTexts(scaling['vswitch_ids'])),
    securityGroupSelectorTerms: terms(security.length > 0 || only === undefined ? security : [only]),
    vSwitchSelectionPolicy: scaling['multi_az_policy'] === 'BALANCE' ? 'balanced' : undefined,
    systemDisk: systemDisk(scaling),
    dataDisks:
      disks.length === 0 || categories.length === 0
        ? undefined
        : disks.map(({ size }) => ({ volumeSize: `${asNumber(size) ?? 20}Gi` })),
    dataDiskCategories: disks.length === 0 || categories.length === 0 ? undefined : categories,
    keyPairName: asText(scaling['key_pair']),
    userData: userData(asText(config['user_data'])),
    kubeletConfiguration: kubeletConfiguration(kubelet),
    tags: Object.keys(tags).length === 0 ? undefined : tags,
  })
  return spec as Partial<ECSNodeClassSpec>
}
