import { CaBundleError, type Network, networkFrom } from '@kerf/provider-kit'
import { awsErrors } from '../failures/aws-errors.ts'

/**
 * The network of `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` (lower case too) and `AWS_CA_BUNDLE`, as AWS's other SDKs read them:
 * the bundle takes the place of the system's authorities.
 *
 * @throws UnreadableCaBundle when there is no such file, or nothing usable in it.
 */
export const networkOf = (env: Readonly<Record<string, string | undefined>>): Network => {
  const file = env['AWS_CA_BUNDLE'] ?? ''
  try {
    return networkFrom(env, file)
  } catch (error) {
    if (!(error instanceof CaBundleError)) throw error
    throw awsErrors.UnreadableCaBundle({ file, problem: error.message }, { cause: error })
  }
}
