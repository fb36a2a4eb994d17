import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { type Controller, mapLimit, retryAfter, source } from '@kerf/runtime'
import type { QueueMessage } from '../../api/aws-api.ts'
import type { AwsParts } from '../../aws-parts.ts'
import { awsFailureOf } from '../../failures/aws-failure.ts'
import { parseInterruption } from '../../interruption/message.ts'
import type { interruptionResponder } from './respond.ts'

const AT_ONCE = 10

/**
 * Reads the interruption queue and acts on what it brings (`docs/spec/aws-controllers.md#interruption`). A message that
 * was acted on, or that means nothing, is deleted; one that could not be acted on comes back by itself.
 */
export const interruptionQueue = (parts: AwsParts, respond: ReturnType<typeof interruptionResponder>): Controller => {
  const { context, options } = parts
  const { clock, log } = context
  const { sqs } = options.api
  const queue = options.settings.interruptionQueue
  const received = options.metrics.counter({
    name: 'karpenter_interruption_received_messages_total',
    help: 'Messages of the interruption queue, by what they mean.',
    labels: ['message_type'],
  })
  const deleted = options.metrics.counter({
    name: 'karpenter_interruption_deleted_messages_total',
    help: 'Messages that were deleted from the interruption queue.',
  })
  const latency = options.metrics.histogram({
    name: 'karpenter_interruption_message_queue_duration_seconds',
    help: 'From an event to its message being acted on.',
    buckets: DURATION_BUCKETS,
  })
  let url: string | undefined

  const handle = async (
    queueUrl: string,
    { body, receiptHandle }: QueueMessage,
    signal: AbortSignal,
  ): Promise<void> => {
    const parsed = parseInterruption(body)
    received.inc({ message_type: parsed.readable ? parsed.message.kind : 'no_op' })
    if (parsed.readable) {
      await respond(parsed.message, signal)
      const time = Date.parse(parsed.message.time ?? '')
      if (!Number.isNaN(time)) latency.observe(Math.max(clock.now() - time, 0) / 1000)
    } else {
      log.error('a message of the interruption queue cannot be read and is deleted', { queue, problem: parsed.problem })
    }
    if (receiptHandle === undefined) return
    await sqs.delete(queueUrl, receiptHandle, signal)
    deleted.inc()
  }

  return {
    name: 'interruption',
    sources: [source(respond.index.claims, () => []), source(respond.index.nodes, () => [])],
    concurrency: 1,
    singleton: true,
    backoff: { base: 1_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      try {
        url ??= await sqs.queueUrl(queue, signal)
        const messages = await sqs.receive(url, signal)
        const failures: unknown[] = []
        const at = url
        await mapLimit(
          messages,
          AT_ONCE,
          async (message, inner) => {
            try {
              await handle(at, message, inner)
            } catch (error) {
              inner.throwIfAborted()
              failures.push(error)
            }
          },
          signal,
        )
        if (failures.length > 0)
          throw new AggregateError(failures, `${failures.length} messages of queue ${queue} could not be acted on`)
        // The receive call itself waits for messages.
        return retryAfter(0)
      } catch (error) {
        signal.throwIfAborted()
        const { class: kind, code } = awsFailureOf(error)
        if (kind !== 'not-found') throw error
        url = undefined
        throw new Error(
          `the interruption queue ${queue} does not exist (${code}); create it, or correct INTERRUPTION_QUEUE`,
          { cause: error },
        )
      }
    },
  }
}
