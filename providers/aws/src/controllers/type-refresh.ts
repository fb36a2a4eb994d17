import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'

const EVERY = 12 * 3_600_000

/** Reads the instance types and the zones that have them (`docs/spec/aws.md#instance-types`). */
export const typeRefresh = ({ context, catalogue }: AwsParts): Controller => ({
  name: 'providers.instancetype',
  sources: [],
  concurrency: 1,
  singleton: true,
  reconcile: async (_key, signal) => {
    // The start has just read them.
    if (catalogue.age < EVERY) return retryAfter(EVERY - catalogue.age)
    const before = catalogue.sequence
    await catalogue.read(signal)
    if (catalogue.sequence !== before)
      context.log.info('discovered instance types', { count: catalogue.types.length, zones: catalogue.zones })
    return retryAfter(EVERY)
  },
})
