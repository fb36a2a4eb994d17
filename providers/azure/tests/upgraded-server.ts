import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '@kerf/runtime/testing'

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { server: string; 'certificate-authority-data': string } }]
}

/** A proxy that makes the API server look upgraded. It changes only the reported version. */
export interface UpgradedServer {
  readonly kubeconfig: string
  close(): void
}

/** Starts the proxy for the API server of a kubeconfig. */
export const startUpgradedServer = async (original: string, version: string): Promise<UpgradedServer> => {
  const config = JSON.parse(readFileSync(original, 'utf8')) as Kubeconfig
  const [{ cluster }] = config.clusters
  const { server: target } = cluster
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString('utf8')
  const authority = issueCertificate('the authority of the upgraded server')
  const { cert, key } = issueCertificate('kube-apiserver', { issuer: authority })
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    if (incoming.url === '/version') {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ gitVersion: version }))
      return
    }
    const { host: _own, ...headers } = incoming.headers
    const onward = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method ?? 'GET', headers, ca },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('error', () => outgoing.destroy()).pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cluster.server = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  cluster['certificate-authority-data'] = Buffer.from(authority.cert).toString('base64')
  const folder = mkdtempSync(join(tmpdir(), 'kerf-upgraded-'))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(config))
  return {
    kubeconfig,
    close: () => {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
