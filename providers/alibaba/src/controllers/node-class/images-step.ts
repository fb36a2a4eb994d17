import { labels } from '@kerf/apis'
import type { Step } from '@kerf/provider-kit'
import { mapLimit } from '@kerf/runtime'
import type { AlibabaApi, ClusterImage } from '../../api/actions.ts'
import type { ClusterFacts } from '../../discovery/cluster-facts.ts'
import type { ECSNodeClass } from '../../node-class/ecs-node-class.ts'
import { unmatchedText } from './selector-query.ts'

const TYPE = 'ImagesReady'
const AGAIN = 300_000
const MISSING_AGAIN = 60_000
const PARALLEL = 4

interface FoundImage {
  readonly id: string
  readonly name: string | undefined
  readonly arch: 'amd64' | 'arm64'
}

/** Returns the Kubernetes name of an ECS architecture. Returns undefined for architectures that Kerf does not support. */
const archOf = (architecture: string | undefined): 'amd64' | 'arm64' | undefined =>
  architecture === 'x86_64' ? 'amd64' : architecture === 'arm64' ? 'arm64' : undefined

const ALIBABA_LINUX = /aliyun_3_.*G_alibase_.*vhd/

const isOfFamily = ({ image_id = '', image_name = '' }: ClusterImage, family: string): boolean =>
  family === 'ContainerOS' ? image_name.startsWith('ContainerOS') : ALIBABA_LINUX.test(image_id)

const familyImages = (images: readonly ClusterImage[], alias: string): readonly FoundImage[] => {
  const family = alias.split('@')[0] ?? ''
  return images
    .filter((image) => isOfFamily(image, family))
    .flatMap(({ image_id: id, image_name: name, architecture }) => {
      const arch = archOf(architecture)
      return id === undefined || arch === undefined ? [] : [{ id, name, arch }]
    })
}

/**
 * Selects the images of a node class: for each architecture, the first image in the order of the terms
 * (`providers/alibaba/docs/spec/alibaba.md#images`).
 */
export const imagesStep = ({
  api,
  region,
  cluster,
}: {
  readonly api: AlibabaApi
  readonly region: string
  readonly cluster: ClusterFacts
}): Step<ECSNodeClass> => ({
  condition: TYPE,
  run: async ({ spec }, signal) => {
    const terms = spec?.imageSelectorTerms ?? []
    const find = async ({ alias, id }: (typeof terms)[number], inner: AbortSignal): Promise<readonly FoundImage[]> => {
      // Only ACK publishes the images that match the cluster's version, so an alias works only in clusters that ACK manages.
      if (alias !== undefined) return cluster.isManaged ? familyImages(await cluster.images(inner), alias) : []
      const query = { RegionId: region, ImageId: id ?? '', ShowExpired: true }
      const { Images } = await api.call('DescribeImages', query, inner)
      return (Images?.Image ?? []).flatMap(({ ImageId, ImageName, Architecture }) => {
        const arch = archOf(Architecture)
        return arch === undefined ? [] : [{ id: ImageId, name: ImageName, arch }]
      })
    }
    const found = await mapLimit(terms, PARALLEL, find, signal)
    const firsts = new Map<string, FoundImage>()
    for (const image of found.flat()) if (!firsts.has(image.arch)) firsts.set(image.arch, image)
    const images = [...firsts.values()].map(({ id, name, arch }) => ({
      id,
      ...(name === undefined ? {} : { name }),
      requirements: [{ key: labels.arch, operator: 'In', values: [arch] }],
    }))
    const unmatched = terms.filter((_, index) => (found[index] ?? []).length === 0)
    const why = cluster.isManaged ? '' : ' (an alias needs a cluster that ACK manages)'
    const texts = unmatched.map(({ alias, id }) => ({ ...(alias === undefined ? { id: id ?? '' } : { name: alias }) }))
    const problem = unmatchedText('image', 'imageSelectorTerms', texts)
    if (images.length > 0)
      return {
        status: { images },
        condition: { type: TYPE, status: 'True', ...(problem === undefined ? {} : { message: problem }) },
        again: AGAIN,
      }
    const message = `${problem ?? 'spec.imageSelectorTerms is empty'}${why}`
    return {
      status: { images: [] },
      condition: { type: TYPE, status: 'False', reason: 'ImagesNotFound', message },
      again: MISSING_AGAIN,
    }
  },
})
