import { proxyFor } from '@kerf/runtime'
import { readCaBundle } from './ca-bundle.ts'

/** How requests reach a cloud. */
export interface Network {
  /** Returns the proxy for a server URL, or undefined if the server is reached directly. */
  readonly proxyFor: (server: string) => string | undefined
  readonly hasProxy: boolean
  /** The only trusted certificate authorities, in PEM format. If absent, those of the system are trusted. */
  readonly ca?: string
  /** Whether any server certificate is accepted, which gives no protection against attackers. Default false. */
  readonly isUnverified?: boolean
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const

/**
 * Returns the network settings from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (or their lower-case names) and from a CA bundle, which
 * replaces the certificate authorities of the system. An empty file name means that there is no bundle.
 *
 * @throws CaBundleError if the file does not exist or contains no usable certificate.
 */
export const networkFrom = (env: Readonly<Record<string, string | undefined>>, caBundle: string): Network => ({
  proxyFor: (server) => proxyFor(server, env),
  hasProxy: PROXIES.some((name) => (env[name] ?? '') !== ''),
  ...(caBundle === '' ? {} : { ca: readCaBundle(caBundle) }),
})
