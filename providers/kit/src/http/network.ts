import { proxyFor } from '@kerf/runtime'
import { readCaBundle } from './ca-bundle.ts'

/** How requests reach a cloud. */
export interface Network {
  /** Returns the proxy for a server URL, or undefined if the server is reached directly. */
  readonly proxyFor: (server: string) => string | undefined
  readonly hasProxy: boolean
  /** The only trusted certificate authorities, in PEM format. If undefined, those of the system are trusted. */
  readonly ca?: string
  /** Whether any certificate of a server is accepted, which protects from no attacker. The default is false. */
  readonly isUnverified?: boolean
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const

/**
 * Returns the network settings from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (or the lower-case names) and from a CA bundle, which
 * replaces the certificate authorities of the system. An empty file name means no bundle.
 *
 * @throws CaBundleError when the file does not exist or contains no usable certificate.
 */
export const networkFrom = (env: Readonly<Record<string, string | undefined>>, caBundle: string): Network => ({
  proxyFor: (server) => proxyFor(server, env),
  hasProxy: PROXIES.some((name) => (env[name] ?? '') !== ''),
  ...(caBundle === '' ? {} : { ca: readCaBundle(caBundle) }),
})
