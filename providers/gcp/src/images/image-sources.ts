import type { GceImage } from '../api/compute-shapes.ts'
import type { ComputeApi, GkeApi } from '../api/gcp-api.ts'
import type { GCENodeClassStatus } from '../node-class/gce-node-class.ts'

/** The data sources for the selection of images. */
export interface ImageSources {
  readonly compute: Pick<ComputeApi, 'image' | 'images'>
  readonly gke: Pick<GkeApi, 'cluster' | 'releaseChannels'>
  /** Returns the version of the API server, for example `v1.35.1`. */
  kubernetesVersion(signal: AbortSignal): Promise<string>
}

/** An image in the format of a node class's status. */
export type SelectedImage = NonNullable<GCENodeClassStatus['images']>[number]

/** Returns the newest image, or undefined if the list is empty. */
export const newestImage = (images: readonly GceImage[]): GceImage | undefined =>
  images.reduce<GceImage | undefined>(
    (newest, image) =>
      newest === undefined || Date.parse(image.createdAt) > Date.parse(newest.createdAt) ? image : newest,
    undefined,
  )
