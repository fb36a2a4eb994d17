import { ownValue } from '@kerf/apis'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'

/** The image family of a node class, which defines how nodes boot (`providers/aws/docs/spec/aws.md`). */
export type AmiFamily = NonNullable<EC2NodeClassSpec['amiFamily']>

/** An image alias of AWS in the form `family@version`. */
export interface AmiAlias {
  readonly family: Exclude<AmiFamily, 'Custom'>
  /** `latest`, or a version in the format of the family. */
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

/** Returns the alias in the selector terms, if there is one in a valid form. */
export const nodeClassAmiAlias = (spec: Pick<EC2NodeClassSpec, 'amiSelectorTerms'>): AmiAlias | undefined => {
  for (const { alias } of spec.amiSelectorTerms) {
    if (alias === undefined) continue
    const [name = '', ...version] = alias.split('@')
    const family = ownValue(familiesByAlias, name)
    if (family !== undefined) return { family, version: version.join('@') }
  }
  return undefined
}

/** Returns true if this release of Kerf knows the family. A stored object may come from an older or newer release. */
export const isKnownFamily = (family: string): family is AmiFamily => Object.hasOwn(familyTraits, family)

/** Returns the explicit family, or else the family of the alias, or else Custom. */
export const nodeClassAmiFamily = (spec: Pick<EC2NodeClassSpec, 'amiFamily' | 'amiSelectorTerms'>): AmiFamily =>
  spec.amiFamily ?? nodeClassAmiAlias(spec)?.family ?? 'Custom'

/** The differences between families (`providers/aws/docs/spec/aws.md#defaults-of-image-families`). */
export interface FamilyTraits {
  /** The volumes of an instance whose node class defines none. */
  readonly defaultVolumes: readonly { readonly deviceName: string; readonly size: string }[]
  /** The device that stores pods' files and container images. Unknown for Custom. */
  readonly ephemeralDevice: string | undefined
  /** Whether the kubelet's memory reservation depends on the network's pod limit even if `maxPods` is set. */
  readonly reservesForNetworkPods: boolean
  readonly supportsPodsPerCore: boolean
  /** Whether the network interfaces limit the number of pods. If not, the limit is 110. */
  readonly hasNetworkPodDensity: boolean
  /** The Windows build of the family. Undefined for a Linux family. */
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
