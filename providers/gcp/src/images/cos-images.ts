import type { GceImage } from '../api/compute-shapes.ts'
import { parseGkeVersion } from './gke-version.ts'
import { imageRequirements } from './image-requirements.ts'
import { ImageSelectionError } from './image-selection-error.ts'
import { type ImageSources, newestImage, type SelectedImage } from './image-sources.ts'

/** The project of Google's images of Container-Optimized OS for GKE. */
const PROJECT = 'gke-node-images'

/** Variants of an image that are not for general use. Images for cgroup v1 do not run with recent kubelets. */
const VARIANTS = ['arm64', 'kmod', 'nvda', 'gvisor', '-test', 'cgpv1']

const isGeneral = ({ name, isDeprecated }: GceImage): boolean =>
  !isDeprecated && !VARIANTS.some((variant) => name.includes(variant))

/** The form of a regular image's name. The names of the variants for Arm and GPUs are derived from it. */
const REGULAR = /^(gke-\d+-gke\d+-cos)-(\d+-\d+-\d+-\d+-c)-pre$/

const path = (name: string): string => `projects/${PROJECT}/global/images/${name}`

/** Returns the image and its listed variants for Arm and GPUs. */
const withVariants = ({ name }: GceImage, listed: readonly GceImage[]): readonly SelectedImage[] => {
  const names = new Set(listed.map((image) => image.name))
  const [, family, version] = REGULAR.exec(name) ?? []
  const arm = family === undefined ? '' : `${family}-arm64-${version}-pre`
  const gpu = name.replaceAll('-pre', '-nvda')
  return [
    { sourceImage: path(name), requirements: imageRequirements.withoutGpus('amd64') },
    ...(names.has(arm) ? [{ sourceImage: path(arm), requirements: imageRequirements.withoutGpus('arm64') }] : []),
    ...(gpu !== name && names.has(gpu)
      ? [{ sourceImage: path(gpu), requirements: imageRequirements.withGpus('amd64') }]
      : []),
  ]
}

const selected = (
  listed: readonly GceImage[],
  isWanted: (image: GceImage) => boolean,
  problem: string,
): readonly SelectedImage[] => {
  const newest = newestImage(listed.filter((image) => isGeneral(image) && isWanted(image)))
  if (newest === undefined) throw new ImageSelectionError(problem)
  return withVariants(newest, listed)
}

/** Returns the images for the version of the API server, or all images if that version cannot be parsed. */
const listForCluster = async ({ compute, kubernetesVersion }: ImageSources, signal: AbortSignal) => {
  const version = parseGkeVersion(await kubernetesVersion(signal))
  const prefix = version === undefined ? 'gke-*-cos-*-c-*' : `gke-${version.major}${version.minor}${version.patch}-*`
  return { prefix, listed: await compute.images(PROJECT, `name=${prefix}`, signal) }
}

/**
 * Returns the images of Container-Optimized OS for the cluster's version of Kubernetes (`providers/gcp/docs/spec/gcp.md#images`).
 *
 * @param version `latest`, or a version of four numbers, of which the newest build is selected
 * @throws ImageSelectionError if there is no such image
 */
export const cosImages = async (
  version: string,
  sources: ImageSources,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const { prefix, listed } = await listForCluster(sources, signal)
  if (version === 'latest')
    return selected(listed, () => true, `there is no image ${prefix} of ContainerOptimizedOS in ${PROJECT}`)
  const milestone = `-cos-${version.replaceAll('.', '-')}-c-pre`
  return selected(
    listed,
    ({ name }) => name.endsWith(milestone),
    `there is no image ${prefix} of ContainerOptimizedOS ${version} in ${PROJECT}; use a version that is published for the cluster's version of Kubernetes`,
  )
}

/**
 * Returns the images of a GKE build. Release channels list such builds.
 *
 * @param gkeVersion for example `1.34.6-gke.1068000`
 * @throws ImageSelectionError if there is no such image
 */
export const cosImagesOfBuild = async (
  gkeVersion: string,
  { compute }: Pick<ImageSources, 'compute'>,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const version = parseGkeVersion(gkeVersion)
  if (version?.build === undefined) throw new ImageSelectionError(`${gkeVersion} is not a version of GKE`)
  const { major, minor, patch, build } = version
  const listed = await compute.images(PROJECT, `name=gke-${major}${minor}${patch}-gke${build}-*`, signal)
  return selected(
    listed,
    () => true,
    `there is no image of ContainerOptimizedOS for ${gkeVersion} in ${PROJECT}; Google may not have published it yet`,
  )
}
