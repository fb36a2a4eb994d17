import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'

const EVERY = 1_800_000

/** Asks for published images again when the one that is known was deprecated (`spec/aws.md` 3.9). */
export const imageInvalidation = ({ context, parameters, images }: AwsParts): Controller => ({
  name: 'providers.ssm.invalidation',
  sources: [],
  concurrency: 1,
  singleton: true,
  reconcile: async (_key, signal) => {
    for (const [name, id] of parameters.moving) {
      if (!(await images.isDeprecated(id, signal))) continue
      parameters.forget(name)
      images.clear()
      context.log.info('a published image was deprecated; its parameter is read again', { parameter: name, ami: id })
    }
    return retryAfter(EVERY)
  },
})
