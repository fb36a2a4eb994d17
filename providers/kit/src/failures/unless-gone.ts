import { NodeClaimNotFoundError } from '@kerf/provider-contract'

/**
 * The answer of a call about one instance. `isGone` says of an error whether the cloud certainly knows no such instance.
 *
 * @throws NodeClaimNotFoundError with the message, for an instance that is gone; any other error as it is.
 */
export const unlessGone = async <T>(
  call: () => Promise<T>,
  isGone: (error: unknown) => boolean,
  message: string,
): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (isGone(error)) throw new NodeClaimNotFoundError(message, { cause: error })
    throw error
  }
}
