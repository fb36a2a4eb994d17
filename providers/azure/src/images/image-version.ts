import type { ResolvedFamily } from './image-family.ts'

interface Gallery {
  /** The public name of the community gallery. */
  readonly publicName: string
  readonly resourceGroup: string
  readonly name: string
}

const UBUNTU: Gallery = {
  publicName: 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2',
  resourceGroup: 'AKS-Ubuntu',
  name: 'AKSUbuntu',
}
const AZURE_LINUX: Gallery = {
  publicName: 'AKSAzureLinux-f7c7cda5-1c9a-4bdc-a222-9614c968580b',
  resourceGroup: 'AKS-AzureLinux',
  name: 'AKSAzureLinux',
}

/** Returns the AKS galleries with the images of an operating system (`providers/azure/docs/spec/azure.md#image-families-and-versions`). */
export const imageGallery = (family: ResolvedFamily): Gallery => (family.startsWith('Ubuntu') ? UBUNTU : AZURE_LINUX)

export const communityImageId = (gallery: Gallery, definition: string, version: string): string =>
  `/CommunityGalleries/${gallery.publicName}/images/${definition}/versions/${version}`

export const sharedImageId = (subscription: string, gallery: Gallery, definition: string, version: string): string =>
  `/subscriptions/${subscription}/resourceGroups/${gallery.resourceGroup}/providers/Microsoft.Compute/galleries/${gallery.name}/images/${definition}/versions/${version}`

const SHARED = /\/galleries\/([^/]+)\/images\/([^/]+)\/versions\/([^/]+)$/i

/**
 * Returns the AKS name of a node image: GALLERY-DEFINITION-VERSION. Undefined for an image of a community gallery, which has no
 * AKS name.
 */
export const parseNodeImageVersion = (imageId: string): string | undefined => {
  const [, gallery, definition, version] = SHARED.exec(imageId) ?? []
  return gallery === undefined ? undefined : `${gallery}-${definition}-${version}`
}

const versionNumbers = (version: string): readonly number[] | undefined => {
  const parts = version.split('.')
  return parts.every((part) => /^\d+$/.test(part)) ? parts.map(Number) : undefined
}

/**
 * Returns true if `version` is newer than `than`. Compares number by number. If one version is a prefix of the other, the longer
 * one is newer. Works for both formats, such as 202601.01.0 and 24.01.15. Returns false if either version cannot be parsed.
 */
export const isNewerImageVersion = (version: string, than: string): boolean => {
  const [own, other] = [versionNumbers(version), versionNumbers(than)]
  if (own === undefined || other === undefined) return false
  for (const [index, number] of own.entries()) {
    const against = other[index]
    if (against === undefined) return true
    if (number !== against) return number > against
  }
  return false
}
