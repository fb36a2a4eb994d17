import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { TlsSettings } from './connection.ts'
import type { Field } from './field.ts'

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/
const PROXY_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:'])
/** The name of the cluster extension that credential plugins receive as `spec.cluster.config`. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec'

/**
 * Returns the content of `NAME-data` (base64), or of the file at the path in `NAME`. The path is relative to the kubeconfig. As in
 * client-go, the data is used if both are set, but the file must still be readable.
 *
 * @throws KubeconfigInvalid
 */
export const readData = (holder: Field, name: string): string | undefined => {
  const encoded = holder.field(`${name}-data`)
  const data = encoded.text()
  if (data && !BASE64.test(data)) throw encoded.problem('must be base64')
  const reference = holder.field(name)
  const path = reference.text()
  let content: string | undefined
  try {
    content = path ? readFileSync(resolve(dirname(holder.file), path), 'utf8') : undefined
  } catch (error) {
    throw reference.problem(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return data ? Buffer.from(data, 'base64').toString('utf8') : content
}

/** Returns the URL of the API server without a trailing slash. As in client-go, an address without a scheme uses plain HTTP. */
export const readServer = (cluster: Field): string => {
  const field = cluster.field('server')
  const given = field.required().replace(/\/+$/, '')
  const server = given.includes('://') ? given : `http://${given}`
  if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
    throw field.problem(`${JSON.stringify(given)} is not a valid URL`)
  return server
}

/** Returns whether client-go sends credentials to the server. It does not send them over plain HTTP. */
export const isSecure = (server: string): boolean => server.startsWith('https:')

export const readProxyUrl = (cluster: Field): string | undefined => {
  const field = cluster.field('proxy-url')
  const url = field.text()
  if (!url) return undefined
  if (!URL.canParse(url) || !PROXY_SCHEMES.has(new URL(url).protocol))
    throw field.problem(`${JSON.stringify(url)} must be an http, https or socks5 URL`)
  return url
}

/**
 * Returns the TLS settings for the server, without the client certificate.
 *
 * @throws KubeconfigInvalid
 */
export const readTlsSettings = (cluster: Field): TlsSettings => {
  const ca = readData(cluster, 'certificate-authority')
  const serverName = cluster.field('tls-server-name').text()
  const insecureField = cluster.field('insecure-skip-tls-verify')
  const insecure = insecureField.flag()
  if (insecure && ca !== undefined) throw insecureField.problem('must not be true if certificate-authority is set')
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw cluster.field('certificate-authority').problem('contains no certificate in PEM format')
  return { ...(ca && { ca }), ...(serverName && { serverName }), ...(insecure && { insecure }) }
}

/** Returns the cluster information for credential plugins (`spec.cluster`), with certificate data instead of file names. */
export const readClusterInfo = (cluster: Field): Readonly<Record<string, unknown>> => {
  const ca = readData(cluster, 'certificate-authority')
  const serverName = cluster.field('tls-server-name').text()
  const proxyUrl = readProxyUrl(cluster)
  const extension = cluster
    .field('extensions')
    .items()
    .find((each) => each.field('name').text() === EXEC_EXTENSION)
  return {
    server: cluster.field('server').required(),
    ...(serverName && { 'tls-server-name': serverName }),
    ...(cluster.field('insecure-skip-tls-verify').flag() && { 'insecure-skip-tls-verify': true }),
    ...(ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(proxyUrl && { 'proxy-url': proxyUrl }),
    ...(cluster.field('disable-compression').flag() && { 'disable-compression': true }),
    config: extension?.field('extension').value ?? null,
  }
}
