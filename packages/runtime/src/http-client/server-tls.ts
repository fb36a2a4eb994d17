import { createSecureContext, type SecureContext } from 'node:tls'
import type { Connection, TlsSettings } from '../connection/connection.ts'
import type { ClientCertificate } from '../connection/credentials.ts'

/** TLS options for an API server, as `tls.connect` accepts them. */
export interface ServerTls {
  readonly ca?: string | string[]
  readonly cert?: string
  readonly key?: string
  /** Certificates and key, parsed once and not for each connection. */
  readonly secureContext?: SecureContext
  readonly servername?: string
  readonly rejectUnauthorized?: boolean
  /** Whether to trust a CA certificate that is not self-signed. Go trusts every CA certificate in the kubeconfig. */
  readonly allowPartialTrustChain?: boolean
}

/**
 * Returns the TLS options for the server of a connection. `certificate`, which comes from the credentials, replaces the certificate
 * in `tls`.
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
 * Parses certificates and key once, and not for each of a hundred connections. If parsing fails, returns the options unchanged, so
 * that every connection fails with an error that names the cause.
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
