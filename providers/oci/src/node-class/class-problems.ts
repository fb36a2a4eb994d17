import type { CommunityNodeClass } from './community-node-class.ts'
import { resolveCommunityClass } from './community-resolution.ts'
import { kubeletProblems } from './kubelet-problems.ts'
import type { OracleNodeClass, OracleNodeClassSpec } from './oracle-node-class.ts'
import { resolveOracleClass } from './oracle-resolution.ts'
import type { DataVolume, NamespacedTexts } from './resolved-class.ts'

/** The minimum and maximum size of a boot volume in GB (Oracle's documentation of boot volumes). */
const LEAST_BOOT_VOLUME = 50
const MOST_BOOT_VOLUME = 32_768
/** The maximum number of defined tags on an instance (Oracle's documentation of tagging), and the number of tags that Kerf adds. */
const MOST_DEFINED_TAGS = 64
const OWN_TAGS = 4

const bootVolumeProblems = (path: string, { sizeInGBs }: Pick<DataVolume, 'sizeInGBs'>): readonly string[] =>
  sizeInGBs < LEAST_BOOT_VOLUME || sizeInGBs > MOST_BOOT_VOLUME
    ? [`${path}: a boot volume has from ${LEAST_BOOT_VOLUME} to ${MOST_BOOT_VOLUME} GB`]
    : []

const tagProblems = (definedTags: NamespacedTexts): readonly string[] => {
  const count = Object.values(definedTags).reduce((sum, tags) => sum + Object.keys(tags).length, 0)
  return count > MOST_DEFINED_TAGS - OWN_TAGS
    ? [`spec.definedTags: ${count} tags are too many; at most ${MOST_DEFINED_TAGS - OWN_TAGS} are possible`]
    : []
}

/** The maximum number of free-form tags on an instance (Oracle's documentation of tagging). */
const MOST_FREEFORM_TAGS = 10
/** The number of free-form tags that Kerf adds to instances of an OCINodeClass (`instances/tags.ts`). */
const OWN_FREEFORM_TAGS = 5
const LONGEST_TAG_KEY = 100
const LONGEST_TAG_VALUE = 256

/**
 * Returns the problems with the free-form tags.
 *
 * @param own the number of tags that Kerf adds
 */
const freeformProblems = (path: string, tags: Readonly<Record<string, string>>, own: number): readonly string[] => {
  const count = Object.keys(tags).length
  return [
    ...(count + own > MOST_FREEFORM_TAGS
      ? [`${path}: ${count} tags are too many; at most ${MOST_FREEFORM_TAGS - own} are possible`]
      : []),
    ...Object.entries(tags).flatMap(([key, value]) => [
      ...(key === '' || key.length > LONGEST_TAG_KEY || /[.\s]/.test(key)
        ? [
            `${path}: the key ${JSON.stringify(key)} must have 1 to ${LONGEST_TAG_KEY} characters, without dots and spaces`,
          ]
        : []),
      ...(value.length > LONGEST_TAG_VALUE
        ? [`${path}[${JSON.stringify(key)}]: a value has at most ${LONGEST_TAG_VALUE} characters`]
        : []),
    ]),
  ]
}

/**
 * Returns the problems that the CRD cannot detect and that prevent launches with an OciNodeClass, one sentence each.
 *
 * @param tagNamespace the namespace of the tags that mark Kerf's instances
 */
export const communityProblems = (nodeClass: CommunityNodeClass, tagNamespace: string): readonly string[] => {
  const { spec } = nodeClass
  if (spec === undefined) return ['spec is missing']
  const { kubelet } = resolveCommunityClass(nodeClass)
  const vpus = spec.bootConfig.bootVolumeVpusPerGB
  return [
    ...bootVolumeProblems('spec.bootConfig.bootVolumeSizeInGBs', { sizeInGBs: spec.bootConfig.bootVolumeSizeInGBs }),
    ...(vpus < 10 || vpus > 120 || vpus % 10 !== 0
      ? ['spec.bootConfig.bootVolumeVpusPerGB: it must be a multiple of 10 from 10 to 120']
      : []),
    ...(spec.vcnId === '' ? ['spec.vcnId is empty; write the OCID of the network'] : []),
    ...(spec.imageFamily === 'Ubuntu2204' && (spec.userData ?? '') === ''
      ? ['spec.userData: the image family Ubuntu2204 needs a script']
      : []),
    ...(Object.hasOwn(spec.definedTags ?? {}, tagNamespace)
      ? [`spec.definedTags: only the controller sets tags of the namespace ${tagNamespace}; remove them`]
      : []),
    ...tagProblems(spec.definedTags ?? {}),
    ...freeformProblems('spec.freeFormTags', spec.freeFormTags ?? {}, 0),
    ...kubeletProblems('spec.kubelet', kubelet),
  ]
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const scriptProblems = (spec: OracleNodeClassSpec): readonly string[] =>
  (['preBootstrapInitScript', 'postBootstrapInitScript'] as const).flatMap((field) =>
    BASE64.test(spec[field] ?? '') ? [] : [`spec.${field}: it must be base64; encode the script`],
  )

/** Returns the problems of the pod addresses: each count must be a power of two, and their sum at most 256. */
const addressProblems = ({ networkConfig }: OracleNodeClassSpec, defaultIpCount: number): readonly string[] => {
  const counts = (networkConfig.secondaryVnicConfigs ?? []).map(({ ipCount = defaultIpCount }) => ipCount)
  const sum = counts.reduce((total, count) => total + count, 0)
  return [
    ...counts.flatMap((count, index) =>
      Number.isInteger(Math.log2(count))
        ? []
        : [`spec.networkConfig.secondaryVnicConfigs[${index}].ipCount: ${count} must be a power of two`],
    ),
    ...(sum > 256 ? [`spec.networkConfig.secondaryVnicConfigs: all ipCount together are ${sum}, more than 256`] : []),
  ]
}

/**
 * Returns the problems that the CRD cannot detect and that prevent launches with an OCINodeClass, one sentence each.
 *
 * @param defaultIpCount the addresses of a secondary network interface without `ipCount`
 */
export const oracleProblems = (nodeClass: OracleNodeClass, defaultIpCount: number): readonly string[] => {
  const { spec } = nodeClass
  if (spec === undefined) return ['spec is missing']
  const { bootVolumeConfig } = spec.volumeConfig
  const { imageType } = bootVolumeConfig.imageConfig
  return [
    ...(imageType === 'OKEImage'
      ? []
      : ['spec.volumeConfig.bootVolumeConfig.imageConfig.imageType: only OKEImage can be launched']),
    ...(bootVolumeConfig.sizeInGBs === undefined
      ? []
      : bootVolumeProblems('spec.volumeConfig.bootVolumeConfig.sizeInGBs', { sizeInGBs: bootVolumeConfig.sizeInGBs })),
    ...scriptProblems(spec),
    ...addressProblems(spec, defaultIpCount),
    ...tagProblems(spec.definedTags ?? {}),
    ...freeformProblems('spec.freeformTags', spec.freeformTags ?? {}, OWN_FREEFORM_TAGS),
    ...kubeletProblems('spec.kubeletConfig', resolveOracleClass(nodeClass).kubelet),
  ]
}
