import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'

const EVERY = 1_800_000

/**
 * Reads a published image parameter again after its image has been deprecated
 * (`providers/aws/docs/spec/aws-controllers.md#image-invalidation`).
 */
export const imageInvalidation = ({ context, parameters, images }: AwsDeps): Controller => ({
  name: 'providers.ssm.invalidation',
  sources: [],
  concurrency: 1,
  singleton: true,
  backoff: { base: 1_000, max: 60_000 },
  reconcile: async (_key, signal) => {
    const moving = [...parameters.moving]
    // One request covers all images. The ids are only a filter of the request, so EC2 returns the other images even if some no longer
    // exist.
    const deprecated = await images.deprecated(
      moving.map(([, id]) => id),
      signal,
    )
    for (const [name, id] of moving) {
      if (!deprecated.has(id)) continue
      parameters.forget(name)
      images.clear()
      context.log.info('a published image was deprecated; reading its parameter again', { parameter: name, ami: id })
    }
    return retryAfter(EVERY)
  },
})
