import { fieldOf, textFieldOf } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { AzureApiError } from './azure-api-error.ts'

/** How the SDK's poller tells of a change that Azure accepted and that failed afterwards: code and message in one text. */
const FAILED_CHANGE = /^The long-running operation has failed\. ([^.\s]+)\. ([\s\S]*)$/
const CANCELED_CHANGE = 'Operation was canceled'

/** Turns whatever the SDK threw into an error of the interface. What the signal ended is thrown as it is. */
const azureErrorOf = (thrown: unknown, signal: AbortSignal): Error => {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Error('aborted')
  if (thrown instanceof AzureApiError) return thrown
  const text = textOfThrown(thrown)
  const [, code, message] = FAILED_CHANGE.exec(text) ?? []
  if (code !== undefined && message !== undefined) return new AzureApiError({ code, message }, { cause: thrown })
  if (text === CANCELED_CHANGE)
    return new AzureApiError({ code: 'OperationCanceled', message: 'somebody canceled the change' }, { cause: thrown })
  const status = fieldOf(thrown, 'statusCode')
  return new AzureApiError(
    {
      code: textFieldOf(thrown, 'code') ?? 'UnknownError',
      message: text,
      status: typeof status === 'number' ? status : undefined,
    },
    { cause: thrown },
  )
}

/**
 * What a call of the SDK answers.
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

/** Every item of a list of the SDK, whose iterator reads page after page. */
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
