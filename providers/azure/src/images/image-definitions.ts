import type { ImageQuestion, ResolvedFamily } from './image-family.ts'

/** An image definition of a gallery. */
export interface ImageDefinition {
  readonly name: string
  readonly arch: 'amd64' | 'arm64'
  /** The Hyper-V generation. */
  readonly generation: '1' | '2'
  /** The distro name in AKS's bootstrap service. */
  readonly distro: string
}

interface Definitions {
  readonly plain: readonly ImageDefinition[]
  readonly trustedLaunch: readonly ImageDefinition[]
  readonly fips: readonly ImageDefinition[]
  readonly fipsTrustedLaunch: readonly ImageDefinition[]
}

const amd64 = (name: string, generation: '1' | '2', distro: string): ImageDefinition => ({
  ...{ name, arch: 'amd64', generation, distro },
})
const arm64 = (name: string, distro: string): ImageDefinition => ({ name, arch: 'arm64', generation: '2', distro })

const ubuntu = (short: string, version: string): Pick<Definitions, 'plain' | 'trustedLaunch'> => ({
  plain: [
    amd64(`${short}gen2containerd`, '2', `aks-ubuntu-containerd-${version}-gen2`),
    amd64(`${short}containerd`, '1', `aks-ubuntu-containerd-${version}`),
    arm64(`${short}gen2arm64containerd`, `aks-ubuntu-arm64-containerd-${version}-gen2`),
  ],
  trustedLaunch: [amd64(`${short}gen2TLcontainerd`, '2', `aks-ubuntu-containerd-${version}-tl-gen2`)],
})

const azureLinux = (version: '2' | '3'): Definitions => {
  const distro = `aks-azurelinux-v${version}`
  const name = `V${version}`
  return {
    plain: [
      amd64(`${name}gen2`, '2', `${distro}-gen2`),
      amd64(name, '1', distro),
      arm64(`${name}gen2arm64`, `${distro}-arm64-gen2`),
    ],
    trustedLaunch: [amd64(`${name}gen2TL`, '2', `${distro}-gen2-tl`)],
    fips: [
      amd64(`${name}gen2fips`, '2', `${distro}-gen2-fips`),
      amd64(`${name}fips`, '1', `${distro}-fips`),
      ...(version === '3' ? [arm64(`${name}gen2arm64fips`, `${distro}-arm64-gen2-fips`)] : []),
    ],
    fipsTrustedLaunch: [],
  }
}

const definitions: Readonly<Record<ResolvedFamily, Definitions>> = {
  Ubuntu2004: {
    plain: [],
    trustedLaunch: [],
    fips: [
      amd64('2004gen2fipscontainerd', '2', 'aks-ubuntu-fips-containerd-20.04-gen2'),
      amd64('2004fipscontainerd', '1', 'aks-ubuntu-fips-containerd-20.04'),
    ],
    fipsTrustedLaunch: [],
  },
  Ubuntu2204: {
    ...ubuntu('2204', '22.04'),
    fips: [],
    fipsTrustedLaunch: [amd64('2204gen2fipsTLcontainerd', '2', 'aks-ubuntu-fips-containerd-22.04-tl-gen2')],
  },
  Ubuntu2404: { ...ubuntu('2404', '24.04'), fips: [], fipsTrustedLaunch: [] },
  AzureLinux: azureLinux('2'),
  AzureLinux3: azureLinux('3'),
}

/** Returns the image definitions for nodes, the preferred one first. FIPS images exist only in the shared galleries. */
export const listImageDefinitions = (
  family: ResolvedFamily,
  { fips, trustedLaunch }: Pick<ImageQuestion, 'fips' | 'trustedLaunch'>,
): readonly ImageDefinition[] => {
  const of = definitions[family]
  if (fips) return trustedLaunch ? of.fipsTrustedLaunch : of.fips
  return trustedLaunch ? of.trustedLaunch : of.plain
}
