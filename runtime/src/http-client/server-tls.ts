import { createSecureContext, type SecureContext } from 'node:tls'
import type { Connection, TlsSettings } from '../connection/connection.ts'
import type { ClientCertificate } from '../connection/credentials.ts'

/** TLS with an API server, as `tls.connect` takes it. */
export interface ServerTls {
  readonly ca?: string | string[]
  readonly cert?: string
  readonly key?: string
  /** Certificates and key, read once and not for each connection. */
  readonly secureContext?: SecureContext
  readonly servername?: string
  readonly rejectUnauthorized?: boolean
  /** An authority that is not self-signed counts, as for Go: what the kubeconfig names is trusted as it is. */
  readonly allowPartialTrustChain?: boolean
}

/**
 * Returns the options of TLS with the server of a connection. `certificate`, from the credentials, takes the place of the one in
 * `tls`.
 */
export const serverTls = (
  { ca, cert, key, serverName, insecure }: TlsSettings,
  certificate: ClientCertificate | undefined,
  authorities: Connection['authorities'],
): ServerTls => {
  const trusted = ca ?? (insecure === true ? undefined : authorities?.())
  const read = {
    ...(trusted !== undefined && { ca: typeof trusted === 'string' ? trusted : [...trusted] }),
    ...(certificate ?? (cert && key ? { cert, key } : {})),
    allowPartialTrustChain: true,
  }
  const others = {
    ...(serverName !== undefined && { servername: serverName }),
    ...(insecure === true && { rejectUnauthorized: false }),
  }
  return { ...others, ...readOnce(read) }
}

/**
 * Reads certificates and key once, and not for each of a hundred connections. Those that cannot be read are returned as they
 * are: then every connection fails, and its error says why.
 */
export const readOnce = (tls: ServerTls): ServerTls => {
  const { ca, cert, key, allowPartialTrustChain, ...others } = tls
  if (others.secureContext !== undefined) return tls
  const read = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(allowPartialTrustChain !== undefined && { allowPartialTrustChain }),
  }
  try {
    return { ...others, secureContext: createSecureContext(read) }
  } catch {
    return tls
  }
}
