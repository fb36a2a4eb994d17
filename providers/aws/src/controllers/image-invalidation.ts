import { type Controller, mapLimit, retryAfter } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'

const EVERY = 1_800_000
const AT_ONCE = 2

/** Asks for published images again when the one that is known was deprecated (`spec/aws.md` 3.9). */
export const imageInvalidation = ({ context, parameters, images }: AwsParts): Controller => ({
  name: 'providers.ssm.invalidation',
  sources: [],
  concurrency: 1,
  singleton: true,
  backoff: { base: 1_000, max: 60_000 },
  reconcile: async (_key, signal) => {
    await mapLimit(
      parameters.moving,
      AT_ONCE,
      async ([name, id]) => {
        if (!(await images.isDeprecated(id, signal))) return
        parameters.forget(name)
        images.clear()
        context.log.info('a published image was deprecated; its parameter is read again', { parameter: name, ami: id })
      },
      signal,
    )
    return retryAfter(EVERY)
  },
})
