import { proxyFor } from '@kerf/runtime'
import { readCaBundle } from './ca-bundle.ts'

/** How requests get to a cloud. */
export interface Network {
  /** The proxy for a server, by its URL; nothing for one that is reached directly. */
  readonly proxyFor: (server: string) => string | undefined
  readonly hasProxy: boolean
  /** The only authorities to trust, PEM; those of the system where there are none. */
  readonly ca?: string
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const

/**
 * The network of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (lower case too), and of a file with certificates, which take
 * the place of the system's authorities; an empty name is no file.
 *
 * @throws CaBundleError when there is no such file, or nothing usable in it.
 */
export const networkFrom = (env: Readonly<Record<string, string | undefined>>, caBundle: string): Network => ({
  proxyFor: (server) => proxyFor(server, env),
  hasProxy: PROXIES.some((name) => (env[name] ?? '') !== ''),
  ...(caBundle === '' ? {} : { ca: readCaBundle(caBundle) }),
})
