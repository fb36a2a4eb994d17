import { ReadCache, RecentItems } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { ImageApi } from '../api/azure-api.ts'
import { type ImageDefinition, listImageDefinitions } from '../images/image-definitions.ts'
import { type ImageQuestion, resolvedFamily } from '../images/image-family.ts'
import { communityImageId, imageGallery, isNewerImageVersion, sharedImageId } from '../images/image-version.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'

/** An image for nodes, in its newest version. */
export interface FoundImage {
  readonly id: string
  readonly definition: ImageDefinition
}

/** How long Kerf caches an answer. Answers are cached separately for each Kubernetes version. */
const KEPT_FOR = 3 * 24 * 60 * 60_000
const REFUSED_FOR = 5_000
/**
 * How long a definition that is missing in an answer keeps its version. Kerf reads the versions every three days, so a definition may be
 * missing in two answers.
 */
const REMEMBERED_FOR = 7 * 24 * 60 * 60_000

/**
 * Finds the newest version of each image of a node class (`providers/azure/docs/spec/azure.md#image-families-and-versions`). Compares
 * publication dates in community galleries, and version numbers in shared galleries. Omits a definition without a version in the location.
 * If an answer lacks a definition that an earlier one contained, the definition keeps its version for a week, so that its nodes do not
 * drift.
 */
export class ImageVersions {
  readonly #images: ImageApi
  readonly #settings: Pick<AzureSettings, 'useSIG' | 'sigSubscriptionID'>
  readonly #answers: ReadCache<readonly FoundImage[]>
  readonly #recent: RecentItems<readonly [definition: string, version: string]>

  constructor(images: ImageApi, clock: Clock, settings: Pick<AzureSettings, 'useSIG' | 'sigSubscriptionID'>) {
    this.#images = images
    this.#settings = settings
    this.#recent = new RecentItems(clock, { keptFor: REMEMBERED_FOR })
    this.#answers = new ReadCache(clock, { ttl: KEPT_FOR, refusedFor: REFUSED_FOR })
  }

  /**
   * Returns the images, the preferred one first. @throws Azure's error if any of them cannot be read, because a partial list would
   * look complete.
   */
  find(question: ImageQuestion, kubernetesVersion: string, signal: AbortSignal): Promise<readonly FoundImage[]> {
    const family = resolvedFamily(question, kubernetesVersion)
    const definitions = listImageDefinitions(family, question)
    if (definitions.length === 0) return Promise.resolve([])
    const gallery = imageGallery(family)
    const key = JSON.stringify([definitions.map(({ name }) => name), kubernetesVersion])
    const { useSIG, sigSubscriptionID } = this.#settings
    const find = async (inner: AbortSignal): Promise<readonly FoundImage[]> => {
      const newest = useSIG
        ? await this.#newestShared(inner)
        : await this.#newestOfCommunity(gallery.publicName, definitions, inner)
      const pathOf = ({ name }: ImageDefinition): string => `${gallery.name}/${name}`
      const answered = definitions.flatMap((definition) => {
        const version = newest.get(useSIG ? pathOf(definition) : definition.name)
        return version === undefined ? [] : [[pathOf(definition), version] as const]
      })
      const known = new Map(this.#recent.merge(answered, ([path]) => path))
      return definitions.flatMap((definition): FoundImage[] => {
        const version = known.get(pathOf(definition))
        if (version === undefined) return []
        const id = useSIG
          ? sharedImageId(sigSubscriptionID, gallery, definition.name, version)
          : communityImageId(gallery, definition.name, version)
        return [{ id, definition }]
      })
    }
    return this.#answers.read(key, find, signal)
  }

  async #newestOfCommunity(
    gallery: string,
    definitions: readonly ImageDefinition[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all(
      definitions.map(async ({ name }) => {
        const versions = await this.#images.communityImageVersions(gallery, name, signal)
        const [newest] = versions.toSorted((a, b) => Date.parse(b.publishedDate) - Date.parse(a.publishedDate))
        return newest === undefined ? [] : [[name, newest.name] as const]
      }),
    )
    return new Map(found.flat())
  }

  async #newestShared(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const newest = new Map<string, string>()
    for (const { os, sku, version } of await this.#images.nodeImageVersions(signal)) {
      const key = `${os}/${sku}`
      const known = newest.get(key)
      if (known === undefined || isNewerImageVersion(version, known)) newest.set(key, version)
    }
    return newest
  }
}
