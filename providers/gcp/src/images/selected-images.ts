import { isGcpNotFound } from '../api/gcp-api-error.ts'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { channelVersion } from './channel-version.ts'
import { cosImages, cosImagesOfBuild } from './cos-images.ts'
import { imageRequirements } from './image-requirements.ts'
import { ImageSelectionError } from './image-selection-error.ts'
import type { ImageSources, SelectedImage } from './image-sources.ts'
import { ubuntuImages } from './ubuntu-images.ts'

type Term = GCENodeClassSpec['imageSelectorTerms'][number]

const PATH = /^projects\/([^/]+)\/global\/images\/([^/]+)$/

/** Returns the image with this path, even if it is deprecated. Returns an empty list if it does not exist. */
const imageById = async (
  id: string,
  { compute }: ImageSources,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const [, project, name] = PATH.exec(id) ?? []
  if (project === undefined || name === undefined)
    throw new ImageSelectionError(`the id ${JSON.stringify(id)} must have the form projects/PROJECT/global/images/NAME`)
  try {
    const { arch = 'amd64' } = await compute.image(project, name, signal)
    return [{ sourceImage: id, requirements: imageRequirements.arch(arch) }]
  } catch (error) {
    if (isGcpNotFound(error)) return []
    throw error
  }
}

const imagesByAlias = (
  alias: string,
  sources: ImageSources,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const [family = '', version = ''] = alias.split('@')
  return family === 'Ubuntu' ? ubuntuImages('2404', version, sources, signal) : cosImages(version, sources, signal)
}

const imagesOfTerm = async (
  term: Term,
  sources: ImageSources,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const { alias = '', id = '', family, channel, version = 'latest' } = term
  if (alias !== '') return imagesByAlias(alias, sources, signal)
  if (id !== '') return imageById(id, sources, signal)
  if (family === undefined)
    throw new ImageSelectionError('a term of spec.imageSelectorTerms has none of "alias", "id" and "family"')
  switch (family) {
    case 'Ubuntu2404':
      return ubuntuImages('2404', version, sources, signal)
    case 'Ubuntu2204':
      return ubuntuImages('2204', version, sources, signal)
    case 'ContainerOptimizedOS':
      return channel === undefined
        ? cosImages(version, sources, signal)
        : cosImagesOfBuild(await channelVersion(channel, sources, signal), sources, signal)
  }
}

/**
 * Returns the images that the terms select, in the order of the terms.
 *
 * @throws ImageSelectionError if a term selects nothing and only the user can change that; GcpApiError if a call fails
 */
export const selectedImages = async (
  terms: readonly Term[],
  sources: ImageSources,
  signal: AbortSignal,
): Promise<readonly SelectedImage[]> => {
  const images: SelectedImage[] = []
  for (const term of terms) images.push(...(await imagesOfTerm(term, sources, signal)))
  return images
}
