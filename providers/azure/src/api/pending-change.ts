import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '@kerf/runtime'
import type { PendingChange } from './azure-api.ts'
import { asked } from './sdk-error.ts'

/** The methods of the SDK's pollers that Kerf uses. Kerf does not use their wait methods, which depend on the wall clock. */
interface Poller<T> {
  readonly isDone: boolean
  readonly result: T | undefined
  submitted(): Promise<void>
  poll(options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>
}

const INTERVAL: Milliseconds = 3_000

/**
 * Sends a change. Resolves once Azure has accepted it. The signal only aborts sending: an accepted change continues.
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
  // A poller is itself a promise, which resolves when the change ends. Return it inside an object, so that `await` does not wait for the
  // end.
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
      // If the change failed immediately, this call throws its error.
      await asked(() => poller.poll(), waiting)
      return read(poller.result)
    },
  }
}

/** Sends a change, and waits until it is done. */
export const change = async <Client, Sdk, T>(...call: Parameters<typeof beginChange<Client, Sdk, T>>): Promise<T> =>
  (await beginChange(...call)).done(call[3].signal)
