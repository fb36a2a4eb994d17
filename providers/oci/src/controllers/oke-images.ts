import type { OciImage } from '../api/oci-shapes.ts'

/** A version of Kubernetes, without the patch. */
export interface MinorVersion {
  readonly major: number
  readonly minor: number
}

/** Parses `v1.34.1`. Returns undefined for any other text. */
export const minorVersion = (text: string): MinorVersion | undefined => {
  const [, major, minor] = /^v?(\d+)\.(\d+)/i.exec(text.trim()) ?? []
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) }
}

const VERSION_TAG = 'k8s_version'
/** The maximum number of base images that Kerf follows from an image. */
const MOST_BASES = 5
/** The maximum number of minor versions by which a kubelet may be older than the API server (Kubernetes' version skew policy). */
const MOST_SKEW = 3

/** Returns the kubelet's version in an OKE image. The version is a tag of the image, or of one of its base images. */
const kubeletVersion = async (
  image: OciImage,
  read: (id: string) => Promise<OciImage | undefined>,
): Promise<MinorVersion | undefined> => {
  let current: OciImage | undefined = image
  for (let depth = 0; current !== undefined && depth < MOST_BASES; depth++) {
    const version = current.freeformTags[VERSION_TAG]
    if (version !== undefined) return minorVersion(version)
    current = current.baseImageId === undefined ? undefined : await read(current.baseImageId)
  }
  return undefined
}

/**
 * Returns the images whose kubelet is compatible with the cluster's version. They are sorted by kubelet version, then by age, newest first.
 * Excludes images without a kubelet version, because they are not OKE images.
 */
export const fittingImages = async (
  images: readonly OciImage[],
  cluster: MinorVersion,
  read: (id: string) => Promise<OciImage | undefined>,
): Promise<readonly OciImage[]> => {
  const scored = await Promise.all(
    images.map(async (image) => {
      const version = await kubeletVersion(image, read)
      return { image, skew: version?.major === cluster.major ? cluster.minor - version.minor : undefined }
    }),
  )
  return scored
    .flatMap(({ image, skew }) => (skew === undefined || skew < 0 || skew > MOST_SKEW ? [] : [{ image, skew }]))
    .toSorted((a, b) => a.skew - b.skew || Date.parse(b.image.timeCreated) - Date.parse(a.image.timeCreated))
    .map(({ image }) => image)
}
