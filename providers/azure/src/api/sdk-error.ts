import { readField, readTextField } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { AzureApiError } from './azure-api-error.ts'

/** The message format of the SDK's poller for an accepted change that failed later: code and message in one text. */
const FAILED_CHANGE = /^The long-running operation has failed\. ([^.\s]+)\. ([\s\S]*)$/
const CANCELED_CHANGE = 'Operation was canceled'

/** Converts an SDK error to an AzureApiError. If the signal was aborted, returns the signal's reason. */
const azureErrorOf = (thrown: unknown, signal: AbortSignal): Error => {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error('aborted')
  if (thrown instanceof AzureApiError) return thrown
  const text = textOfThrown(thrown)
  const [, code, message] = FAILED_CHANGE.exec(text) ?? []
  if (code !== undefined && message !== undefined) return new AzureApiError({ code, message }, { cause: thrown })
  if (text === CANCELED_CHANGE)
    return new AzureApiError({ code: 'OperationCanceled', message: 'the change was canceled' }, { cause: thrown })
  const status = readField(thrown, 'statusCode')
  return new AzureApiError(
    {
      code: readTextField(thrown, 'code') ?? 'UnknownError',
      message: text,
      status: typeof status === 'number' ? status : undefined,
    },
    { cause: thrown },
  )
}

/**
 * Returns the result of an SDK call.
 *
 * @throws AzureApiError, or the signal's reason.
 */
export const asked = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  try {
    return await call()
  } catch (error) {
    throw azureErrorOf(error, signal)
  }
}

/** Returns all items of an SDK list, whose iterator reads one page after another. */
export const whole = <Sdk, T>(
  list: () => Promise<AsyncIterable<Sdk>>,
  read: (item: Sdk) => T,
  signal: AbortSignal,
): Promise<readonly T[]> =>
  asked(async () => {
    const items: T[] = []
    for await (const item of await list()) items.push(read(item))
    return items
  }, signal)
