import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { proxyFor } from '@kerf/runtime'
import { awsErrors } from '../failures/aws-errors.ts'

/** How requests get to AWS, as the environment of the process says. */
export interface Network {
  /** The proxy for a server, by its URL; nothing for one that is reached directly. */
  readonly proxyFor: (server: string) => string | undefined
  readonly hasProxy: boolean
  /** The only authorities to trust, PEM; those of the system where there are none. */
  readonly ca?: string
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of `AWS_CA_BUNDLE`, each looked at. */
const readBundle = (file: string): string => {
  const refuse = (problem: string, cause?: unknown): Error =>
    awsErrors.UnreadableCaBundle({ file, problem }, cause === undefined ? {} : { cause })
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error), error)
  }
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) throw refuse('it holds no certificate in PEM')
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (error) {
      throw refuse(`its certificate ${index + 1} cannot be read`, error)
    }
  }
  return certificates.join('\n')
}

/**
 * The network of `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` (lower case too) and `AWS_CA_BUNDLE`, as AWS's other SDKs read them:
 * the bundle takes the place of the system's authorities.
 *
 * @throws UnreadableCaBundle when there is no such file, or nothing usable in it.
 */
export const networkOf = (env: Readonly<Record<string, string | undefined>>): Network => {
  const file = env['AWS_CA_BUNDLE'] ?? ''
  return {
    proxyFor: (server) => proxyFor(server, env),
    hasProxy: PROXIES.some((name) => (env[name] ?? '') !== ''),
    ...(file === '' ? {} : { ca: readBundle(file) }),
  }
}
