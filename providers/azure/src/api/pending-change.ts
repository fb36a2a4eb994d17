import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '@kerf/runtime'
import type { PendingChange } from './azure-api.ts'
import { asked } from './sdk-error.ts'

/** The part of the SDK's pollers that is used. Their own way of waiting keeps to the wall clock. */
interface Poller<T> {
  readonly isDone: boolean
  readonly result: T | undefined
  submitted(): Promise<void>
  poll(options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

const INTERVAL: Milliseconds = 3_000

/**
 * Sends a change, and answers once Azure has accepted it. The signal ends the sending alone: a change that was accepted goes on.
 *
 * @throws AzureApiError when Azure refuses it.
 */
export const beginChange = async <Client, Sdk, T>(
  client: () => Promise<Client>,
  send: (client: Client, signal: AbortSignal) => Poller<Sdk>,
  read: (result: Sdk | undefined) => T,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<PendingChange<T>> => {
  const sending = new AbortController()
  const stop = (): void => sending.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  // A poller is a promise of the end too, so nothing may await it.
  const { poller } = await asked(async () => {
    const made = send(await client(), sending.signal)
    await made.submitted()
    return { poller: made }
  }, signal).finally(() => signal.removeEventListener('abort', stop))
  return {
    done: async (waiting) => {
      while (!poller.isDone) {
        await sleep(clock, INTERVAL, waiting)
        await asked(() => poller.poll({ abortSignal: waiting }), waiting)
      }
      // A change that failed at once throws what it failed with.
      await asked(() => poller.poll(), waiting)
      return read(poller.result)
    },
  }
}

/** The same, to the end of the change. */
export const change = async <Client, Sdk, T>(...call: Parameters<typeof beginChange<Client, Sdk, T>>): Promise<T> =>
  (await beginChange(...call)).done(call[3].signal)
