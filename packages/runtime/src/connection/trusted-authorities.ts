import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import tls from 'node:tls'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The files in which Linux distributions keep the CA certificates of the system, from Go (crypto/x509, root_linux.go). The first
 * file that contains certificates is used.
 */
const FILES: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]
const FOLDERS: readonly string[] = ['/etc/ssl/certs', '/etc/pki/tls/certs']
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const fileText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

const certificatesIn = (file: string): readonly string[] => fileText(file)?.match(CERTIFICATE) ?? []

/** Returns the certificates of the first file that contains any. */
const firstCertificates = (files: readonly string[]): readonly string[] => {
  for (const file of files) {
    const found = certificatesIn(file)
    if (found.length > 0) return found
  }
  return []
}

/** Returns whether the certificate can be parsed. A single invalid certificate would make all others unusable. */
const isReadable = (certificate: string): boolean => {
  try {
    return new X509Certificate(certificate) !== undefined
  } catch {
    return false
  }
}

const onDisk = (env: Environment): readonly string[] => {
  const files = env['SSL_CERT_FILE'] ? [env['SSL_CERT_FILE']] : FILES
  const folders = env['SSL_CERT_DIR'] ? env['SSL_CERT_DIR'].split(delimiter) : FOLDERS
  return [...firstCertificates(files), ...folders.flatMap(filesIn).flatMap(certificatesIn)]
}

/** Node 20 lacks this function. The dashboard's plugin is compiled with the types of Node 20, which also lack it. */
const { getCACertificates } = tls as typeof tls & {
  readonly getCACertificates?: (kind: 'default' | 'system') => readonly string[]
}

const ofNode = (kind: 'default' | 'system', otherwise: () => readonly string[]): readonly string[] =>
  getCACertificates === undefined ? otherwise() : getCACertificates(kind)

/**
 * Returns the CA certificates (PEM) for servers whose kubeconfig entry specifies none: those of the operating system, as in kubectl, and
 * those of Node, which include `NODE_EXTRA_CA_CERTS`. `SSL_CERT_FILE` and `SSL_CERT_DIR` replace the files of the operating system. On
 * macOS and Windows, Node reads the certificate store of the system, which needs Node 22.15 or later.
 */
export const trustedAuthorities = (
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly string[] => {
  const extra = env['NODE_EXTRA_CA_CERTS']
  const known = ofNode('default', () => [...tls.rootCertificates, ...(extra ? certificatesIn(extra) : [])])
  const own = platform === 'darwin' || platform === 'win32' ? ofNode('system', () => []) : onDisk(env)
  const added = new Set(own.map((each) => each.trim()))
  for (const each of known) added.delete(each.trim())
  return [...known, ...[...added].filter(isReadable)]
}
