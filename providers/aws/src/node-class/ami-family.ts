import type { EC2NodeClassSpec } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

/** How nodes are started (`docs/spec/aws.md`). */
export type AmiFamily = NonNullable<EC2NodeClassSpec['amiFamily']>

/** An image that AWS publishes, as `family@version` names it. */
export interface AmiAlias {
  readonly family: Exclude<AmiFamily, 'Custom'>
  /** `latest`, or what the family calls its versions. */
  readonly version: string
}

/** The families by the part of an alias before `@`. */
export const familiesByAlias: Readonly<Record<string, AmiAlias['family']>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
}

/** The alias among the selector terms, where there is one that a schema would admit. */
export const amiAliasOf = (spec: Pick<EC2NodeClassSpec, 'amiSelectorTerms'>): AmiAlias | undefined => {
  for (const { alias } of spec.amiSelectorTerms) {
    if (alias === undefined) continue
    const [name = '', ...version] = alias.split('@')
    const family = ownValue(familiesByAlias, name)
    if (family !== undefined) return { family, version: version.join('@') }
  }
  return undefined
}

/** Whether the family is one of this release: an object may be older or newer than the schema, and name another. */
export const isKnownFamily = (family: string): family is AmiFamily => Object.hasOwn(familyTraits, family)

/** The family that is named, else that of the alias, else Custom. */
export const amiFamilyOf = (spec: Pick<EC2NodeClassSpec, 'amiFamily' | 'amiSelectorTerms'>): AmiFamily =>
  spec.amiFamily ?? amiAliasOf(spec)?.family ?? 'Custom'

/** What the families do differently (`docs/spec/aws.md#defaults-of-image-families`). */
export interface FamilyTraits {
  /** Volumes of an instance whose class names none. */
  readonly defaultVolumes: readonly { readonly deviceName: string; readonly size: string }[]
  /** The device that holds pods and images; unknown for Custom. */
  readonly ephemeralDevice: string | undefined
  /** Whether the kubelet's memory reservation follows the pods that the network allows, whatever `maxPods` says. */
  readonly reservesForNetworkPods: boolean
  readonly supportsPodsPerCore: boolean
  /** Whether the network interfaces bound the pods; where not, 110 fit. */
  readonly hasNetworkPodDensity: boolean
  /** `windows` with the build of the family, or `linux`. */
  readonly windowsBuild: string | undefined
}

const amazonLinux: FamilyTraits = {
  defaultVolumes: [{ deviceName: '/dev/xvda', size: '20Gi' }],
  ephemeralDevice: '/dev/xvda',
  reservesForNetworkPods: true,
  supportsPodsPerCore: true,
  hasNetworkPodDensity: true,
  windowsBuild: undefined,
}

const windows = (windowsBuild: string): FamilyTraits => ({
  defaultVolumes: [{ deviceName: '/dev/sda1', size: '50Gi' }],
  ephemeralDevice: '/dev/sda1',
  reservesForNetworkPods: false,
  supportsPodsPerCore: true,
  hasNetworkPodDensity: false,
  windowsBuild,
})

export const familyTraits: Readonly<Record<AmiFamily, FamilyTraits>> = {
  AL2: amazonLinux,
  AL2023: amazonLinux,
  Bottlerocket: {
    defaultVolumes: [
      { deviceName: '/dev/xvda', size: '4Gi' },
      { deviceName: '/dev/xvdb', size: '20Gi' },
    ],
    ephemeralDevice: '/dev/xvdb',
    reservesForNetworkPods: false,
    supportsPodsPerCore: false,
    hasNetworkPodDensity: true,
    windowsBuild: undefined,
  },
  Windows2019: windows('10.0.17763'),
  Windows2022: windows('10.0.20348'),
  Windows2025: windows('10.0.26100'),
  Custom: { ...amazonLinux, defaultVolumes: [], ephemeralDevice: undefined },
}
