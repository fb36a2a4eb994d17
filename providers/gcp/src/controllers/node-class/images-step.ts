import type { Milliseconds } from '@kerf/apis'
import type { Step } from '@kerf/provider-kit'
import { ImageSelectionError } from '../../images/image-selection-error.ts'
import type { ImageSources } from '../../images/image-sources.ts'
import { selectedImages } from '../../images/selected-images.ts'
import type { GCENodeClass } from '../../node-class/gce-node-class.ts'

const TYPE = 'ImagesReady'
const MINUTE: Milliseconds = 60_000
const AGAIN: Milliseconds = 5 * MINUTE

/** Selects the images of a node class (`providers/gcp/docs/spec/gcp.md#status`). If a term fails, the earlier images stay in the status. */
export const imagesStep = (sources: ImageSources): Step<GCENodeClass> => ({
  condition: TYPE,
  run: async ({ spec }, signal) => {
    try {
      const images = await selectedImages(spec?.imageSelectorTerms ?? [], sources, signal)
      if (images.length > 0) return { status: { images }, condition: { type: TYPE, status: 'True' }, again: AGAIN }
      return {
        status: { images: [] },
        condition: {
          type: TYPE,
          status: 'False',
          reason: 'ImagesNotFound',
          message: 'spec.imageSelectorTerms selects no image; check that the images exist and that Kerf may read them',
        },
        again: AGAIN,
      }
    } catch (error) {
      if (!(error instanceof ImageSelectionError)) throw error
      const { message } = error
      return {
        condition: { type: TYPE, status: 'False', reason: 'ImageResolutionFailed', message },
        again: MINUTE,
      }
    }
  },
})
