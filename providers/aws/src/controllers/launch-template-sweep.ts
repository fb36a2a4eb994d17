import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'

const EVERY = 10_000

/**
 * Deletes launch templates a minute after their last use, those of earlier runs too
 * (`docs/spec/aws.md#launch-templates`).
 */
export const launchTemplateSweep = ({ templates }: AwsParts): Controller => {
  let isAdopted = false
  return {
    name: 'launchtemplate.garbagecollection',
    sources: [],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      if (!isAdopted) {
        await templates.adopt(signal)
        isAdopted = true
      }
      await templates.sweep(signal)
      return retryAfter(EVERY)
    },
  }
}
