import { providerErrors } from '@kerf/provider-contract'
import { Batcher, type BatcherOptions, type BatchResult } from './batcher.ts'
import { type SplitOptions, splitOnRefusal } from './splitting.ts'

export interface IdBatchOptions<T> extends Omit<BatcherOptions<string, T>, 'bucketOf' | 'send'>, SplitOptions<T> {
  /** Returns whether the error means that the cloud does not know the id. Such a request gets the result `unknown`. */
  readonly isUnknown: (error: unknown) => boolean
  /** The result for an id that the cloud does not know. */
  readonly unknown: T
}

/**
 * Returns a batcher that combines requests for single ids into shared calls. If the cloud refuses a call because of some of its ids, the
 * call is split, so that each request gets the result for its own id.
 */
export const idBatches = <T>(options: IdBatchOptions<T>): Batcher<string, T> => {
  const { isUnknown, unknown } = options
  const answerFor = (id: string, answer: BatchResult<T> | undefined): BatchResult<T> => {
    if (answer === undefined)
      return {
        ok: false,
        error: providerErrors.IncompleteAnswer({ problem: `${options.name} returned no result for ${id}` }),
      }
    return !answer.ok && isUnknown(answer.error) ? { ok: true, value: unknown } : answer
  }
  return new Batcher({
    ...options,
    bucketOf: () => '',
    send: async (ids, signal) => {
      const answers = await splitOnRefusal(ids, options, signal)
      return ids.map((id) => answerFor(id, answers.get(id)))
    },
  })
}
