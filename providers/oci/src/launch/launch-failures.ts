import { CreateError, InsufficientCapacityError } from '@kerf/provider-contract'
import { textOfThrown } from '@kerf/runtime'
import { causeOf, causeOfKind } from '../failures/cause-of.ts'
import type { FailureKind } from '../failures/failure-kind.ts'

/** The failures after which Kerf tries another offering, or the same one later. */
export type ShortageKind = 'capacity' | 'limit' | 'addresses'

export const isShortage = (kind: FailureKind): kind is ShortageKind =>
  kind === 'capacity' || kind === 'limit' || kind === 'addresses'

/** The remedies for the user. Undefined if it is enough to wait or to try another offering. */
const remedies: Readonly<Record<ShortageKind, string | undefined>> = {
  capacity: undefined,
  limit: 'ask Oracle for a higher service limit, raise the quota of the compartment, or allow other shapes',
  addresses: 'free addresses of the subnet, or select a larger one',
}

/** Returns the error for a launch for which no offering had capacity. */
export const shortageError = (
  problems: readonly { readonly kind: ShortageKind; readonly problem: string }[],
): InsufficientCapacityError => {
  const texts = new Set(problems.map(({ problem }) => problem))
  const advice = new Set(problems.flatMap(({ kind }) => remedies[kind] ?? []))
  return new InsufficientCapacityError([...texts, ...advice].join('; '))
}

/** Returns the error for a launch that Oracle Cloud refused, or for which it sent no response. */
export const launchError = (kind: FailureKind, error: unknown): CreateError => {
  if (kind === 'request' || kind === 'not-found') {
    const { message } = causeOfKind(kind, textOfThrown(error))
    return new CreateError('LaunchConfigurationInvalid', message, { cause: error })
  }
  const cause = causeOf(error)
  if (cause !== undefined && cause.isBrief !== true)
    return new CreateError(cause.reason, cause.message, { cause: error })
  return kind === 'throttled'
    ? new CreateError('Throttled', 'Oracle Cloud throttles launches; Kerf retries the launch', { cause: error })
    : new CreateError(
        'LaunchFailed',
        `Oracle Cloud did not launch an instance (${textOfThrown(error)}); Kerf retries the launch`,
        {
          cause: error,
        },
      )
}
