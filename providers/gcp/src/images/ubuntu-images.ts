import type { GceImage } from '../api/compute-shapes.ts'
import { parseGkeVersion } from './gke-version.ts'
import { imageRequirements } from './image-requirements.ts'
import { ImageSelectionError } from './image-selection-error.ts'
import { type ImageSources, newestImage, type SelectedImage } from './image-sources.ts'

/** The project of Canonical's images of Ubuntu for GKE. */
const PROJECT = 'ubuntu-os-gke-cloud'

/** The series of Ubuntu. */
export type UbuntuRelease = '2404' | '2204'

const ARCHITECTURES = ['amd64', 'arm64'] as const

/**
 * Matches the names of regular images only: others have a suffix such as `-tpu`. Names of Ubuntu 22.04 images for amd64 do not contain
 * the architecture.
 */
const namePattern = (release: UbuntuRelease, arch: 'amd64' | 'arm64'): RegExp =>
  new RegExp(`^ubuntu-gke-${release}-\\d+-\\d+${release === '2204' && arch === 'amd64' ? '' : `-${arch}`}-v\\d+[a-z]?$`)

const isWanted = ({ name, isDeprecated }: GceImage, pattern: RegExp, version: string): boolean =>
  !isDeprecated && pattern.test(name) && (version === 'latest' || name.endsWith(`-${version}`))

/**
 * Returns the images of Ubuntu for the cluster's minor version of Kubernetes, one for each architecture
 * (`providers/gcp/docs/spec/gcp.md#images`).
 *
 * @param version `latest`, or `v` and a date
 * @throws ImageSelectionError if one of the architectures has no such image
 */
export const ubuntuImages = async (
  release: UbuntuRelease,
  version: string,
  { compute, kubernetesVersion }: ImageSources,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const kubernetes = parseGkeVersion(await kubernetesVersion(signal))
  const minor = kubernetes === undefined ? '' : `-${kubernetes.major}-${kubernetes.minor}-`
  const prefix = `ubuntu-gke-${release}${minor}*`
  const listed = await compute.images(PROJECT, `name=${prefix}`, signal)
  return ARCHITECTURES.map((arch) => {
    const pattern = namePattern(release, arch)
    const newest = newestImage(listed.filter((image) => isWanted(image, pattern, version)))
    if (newest === undefined)
      throw new ImageSelectionError(`there is no ${arch} image ${prefix} of the version ${version} in ${PROJECT}`)
    return {
      sourceImage: `projects/${PROJECT}/global/images/${newest.name}`,
      requirements: arch === 'arm64' ? imageRequirements.withoutGpus(arch) : imageRequirements.arch(arch),
    }
  })
}
