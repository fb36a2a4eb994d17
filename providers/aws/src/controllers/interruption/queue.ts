import { parseTime } from '@kerf/apis'
import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { type Controller, defineMetrics, mapLimit, type Outcome, retryAfter, source } from '@kerf/runtime'
import type { QueueMessage } from '../../api/aws-api.ts'
import type { AwsDeps } from '../../aws-deps.ts'
import { awsErrors } from '../../failures/aws-errors.ts'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import { parseInterruption } from '../../interruption/message.ts'
import type { InterruptionResponder } from './respond.ts'

const AT_ONCE = 10

export const interruptionMetrics = defineMetrics({
  received: {
    name: 'karpenter_interruption_received_messages_total',
    type: 'counter',
    help: 'Messages of the interruption queue, by type.',
    labels: ['message_type'],
  },
  deleted: {
    name: 'karpenter_interruption_deleted_messages_total',
    type: 'counter',
    help: 'Messages deleted from the interruption queue.',
  },
  latency: {
    name: 'karpenter_interruption_message_queue_duration_seconds',
    type: 'histogram',
    help: 'Time from an event until Kerf has processed its message.',
    buckets: DURATION_BUCKETS,
  },
})

/**
 * Reads the interruption queue and acts on its messages (`providers/aws/docs/spec/aws-controllers.md#interruption`). Deletes a
 * message after Kerf has acted on it, or if it does not concern Kerf. If acting on a message fails, the message reappears in the
 * queue.
 */
export class InterruptionQueue {
  readonly #deps: AwsDeps
  readonly #responder: InterruptionResponder
  readonly #name: string
  readonly #received
  readonly #deleted
  readonly #latency
  #url: string | undefined

  constructor(deps: AwsDeps, responder: InterruptionResponder) {
    const { metrics, settings } = deps.options
    this.#deps = deps
    this.#responder = responder
    this.#name = settings.interruptionQueue
    const registered = interruptionMetrics.register(metrics)
    this.#received = registered.received
    this.#deleted = registered.deleted
    this.#latency = registered.latency
  }

  controller(): Controller {
    return {
      name: 'interruption',
      sources: [source(this.#responder.index.claims, () => []), source(this.#responder.index.nodes, () => [])],
      concurrency: 1,
      singleton: true,
      backoff: { base: 1_000, max: 60_000 },
      reconcile: (_key, signal) => this.#reconcile(signal),
    }
  }

  async #reconcile(signal: AbortSignal): Promise<Outcome> {
    try {
      await this.#receive(signal)
      // The receive call itself waits for messages.
      return retryAfter(0)
    } catch (error) {
      signal.throwIfAborted()
      const { class: kind, code } = classifyAwsFailure(error)
      if (kind !== 'not-found') throw error
      this.#url = undefined
      throw awsErrors.NoInterruptionQueue({ queue: this.#name, code }, { cause: error })
    }
  }

  async #receive(signal: AbortSignal): Promise<void> {
    const { sqs } = this.#deps.options.api
    this.#url ??= await sqs.queueUrl(this.#name, signal)
    const url = this.#url
    const messages = await sqs.receive(url, signal)
    const failures: unknown[] = []
    await mapLimit(
      messages,
      AT_ONCE,
      async (message, inner) => {
        try {
          await this.#handle(url, message, inner)
        } catch (error) {
          inner.throwIfAborted()
          failures.push(error)
        }
      },
      signal,
    )
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} messages of queue ${this.#name} could not be processed`)
  }

  async #handle(queueUrl: string, { body, receiptHandle }: QueueMessage, signal: AbortSignal): Promise<void> {
    const { context, options } = this.#deps
    const parsed = parseInterruption(body)
    this.#received.inc({ message_type: parsed.readable ? parsed.message.kind : 'no_op' })
    if (parsed.readable) {
      await this.#responder.respond(parsed.message, signal)
      const time = parseTime(parsed.message.time)
      if (time !== undefined) this.#latency.observe(Math.max(context.clock.now() - time, 0) / 1000)
    } else {
      context.log.error('a message of the interruption queue cannot be parsed; deleting it', {
        queue: this.#name,
        problem: parsed.problem,
      })
    }
    if (receiptHandle === undefined) return
    await options.api.sqs.delete(queueUrl, receiptHandle, signal)
    this.#deleted.inc()
  }
}
