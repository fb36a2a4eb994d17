import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import type { Connection, TlsSettings } from './connection.ts'
import { TokenFile } from './credentials.ts'

const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Returns the connection that a pod has through its service account, or undefined outside of a cluster. */
export const inClusterConnection = (
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  folder: string = SERVICE_ACCOUNT_FOLDER,
): Connection | undefined => {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  const token = join(folder, 'token')
  if (!host || !port || !existsSync(token)) return undefined
  const ca = join(folder, 'ca.crt')
  const namespaceFile = join(folder, 'namespace')
  const readTls = (): TlsSettings => (existsSync(ca) ? { ca: readFileSync(ca, 'utf8') } : {})
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: readTls(),
    readTls,
    credentials: new TokenFile(token, clock),
    ...(existsSync(namespaceFile) && { namespace: readFileSync(namespaceFile, 'utf8').trim() }),
    isInCluster: true,
    origin: 'the in-cluster service account',
  }
}
