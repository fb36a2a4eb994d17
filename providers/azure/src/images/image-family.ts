import type { ImageFamily } from '../instance-type/class-traits.ts'

/** The operating system of a node, after defaults were resolved. */
export type ResolvedFamily = 'Ubuntu2004' | 'Ubuntu2204' | 'Ubuntu2404' | 'AzureLinux' | 'AzureLinux3'

/** The properties of a node class on which its images depend. */
export interface ImageQuestion {
  readonly imageFamily: ImageFamily
  readonly fips: boolean
  readonly trustedLaunch: boolean
}

/** Returns true if a Kubernetes version is at least 1.MINOR. Returns false for a version that cannot be parsed. */
const isAtLeast = (version: string, minor: number): boolean => {
  const [, major, own] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return major !== undefined && (Number(major) > 1 || (Number(major) === 1 && Number(own) >= minor))
}

/**
 * Returns the operating system for the node class and the Kubernetes version
 * (`providers/azure/docs/spec/azure.md#image-families-and-versions`).
 */
export const resolvedFamily = (
  { imageFamily, fips, trustedLaunch }: ImageQuestion,
  kubernetesVersion: string,
): ResolvedFamily => {
  switch (imageFamily) {
    case 'Ubuntu2204':
    case 'Ubuntu2404':
      return imageFamily
    case 'AzureLinux':
      return isAtLeast(kubernetesVersion, 32) ? 'AzureLinux3' : 'AzureLinux'
    case 'Ubuntu':
      if (fips) return trustedLaunch ? 'Ubuntu2204' : 'Ubuntu2004'
      return !trustedLaunch && isAtLeast(kubernetesVersion, 34) ? 'Ubuntu2404' : 'Ubuntu2204'
  }
}
