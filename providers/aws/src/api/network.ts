import { CaBundleError, type Network, networkFrom } from '@kerf/provider-kit'
import { awsErrors } from '../failures/aws-errors.ts'

/**
 * Returns the network settings from `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` (or the lower-case names) and `AWS_CA_BUNDLE`. The variables
 * work as in the other AWS SDKs. The bundle replaces the certificate authorities of the system.
 *
 * @throws UnreadableCaBundle when the file does not exist or contains no usable certificate.
 */
export const awsNetwork = (env: Readonly<Record<string, string | undefined>>): Network => {
  const file = env['AWS_CA_BUNDLE'] ?? ''
  try {
    return networkFrom(env, file)
  } catch (error) {
    if (!(error instanceof CaBundleError)) throw error
    throw awsErrors.UnreadableCaBundle({ file, problem: error.message }, { cause: error })
  }
}
