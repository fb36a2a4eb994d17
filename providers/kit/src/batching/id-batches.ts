import { Batcher, type BatcherOptions, type BatchResult } from './batcher.ts'
import { type SplitOptions, splitOnRefusal } from './splitting.ts'

export interface IdBatchOptions<T> extends Omit<BatcherOptions<string, T>, 'bucketOf' | 'send'>, SplitOptions<T> {
  /** Whether an error says that the cloud knows no such id. That is an answer too: … */
  readonly isUnknown: (error: unknown) => boolean
  /** … this one. */
  readonly unknown: T
}

/**
 * Requests about single ids, many to a call. A call that is refused because of some ids is split, so that each request
 * is answered for its own id.
 */
export const idBatches = <T>(options: IdBatchOptions<T>): Batcher<string, T> => {
  const { isUnknown, unknown } = options
  const answerOf = (id: string, answer: BatchResult<T> | undefined): BatchResult<T> => {
    if (answer === undefined) return { ok: false, error: new Error(`${options.name} has no answer for ${id}`) }
    return !answer.ok && isUnknown(answer.error) ? { ok: true, value: unknown } : answer
  }
  return new Batcher({
    ...options,
    bucketOf: () => '',
    send: async (ids, signal) => {
      const answers = await splitOnRefusal(ids, options, signal)
      return ids.map((id) => answerOf(id, answers.get(id)))
    },
  })
}
