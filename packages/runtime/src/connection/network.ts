import { proxyFor } from './proxy.ts'
import { trustedAuthorities } from './trusted-authorities.ts'

/** How to reach servers according to the environment: certificate authorities and proxy. */
export interface Network {
  /** Returns the CA certificates (PEM) for servers without configured certificates. They are read on the first call. */
  readonly authorities: () => readonly string[]
  /** Returns the URL of the proxy for a server, or undefined if the server is reached directly. */
  proxyFor(server: string): string | undefined
}

/** Returns the network settings of a process with these environment variables (`docs/reference/kubeconfig.md#features`). */
export const networkFromEnv = (env: Readonly<Record<string, string | undefined>>): Network => {
  let known: readonly string[] | undefined
  return {
    authorities: () => {
      known ??= trustedAuthorities(env)
      return known
    },
    proxyFor: (server) => proxyFor(server, env),
  }
}
