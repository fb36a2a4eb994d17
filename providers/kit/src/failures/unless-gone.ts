import { NodeClaimNotFoundError } from '@kerf/provider-contract'

/**
 * Returns the result of a call about one instance. `isGone` returns whether an error means that the instance does not exist.
 *
 * @throws NodeClaimNotFoundError with the message if the instance is gone; any other error unchanged.
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
