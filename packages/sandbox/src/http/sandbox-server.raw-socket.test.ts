import { type HttpLimits, RecordingLogger, SeededRandom, SystemClock } from '@kerf/runtime'
import { type AttackedServer, rawSocketSuite } from '@kerf/runtime/testing'
import { SandboxApi } from '../api/sandbox-api.ts'
import { SandboxServer } from './sandbox-server.ts'

const attacked = async (limits: Partial<HttpLimits> = {}): Promise<AttackedServer> => {
  const logger = new RecordingLogger()
  const api = new SandboxApi({ clock: new SystemClock(), random: new SeededRandom(7) })
  const server = await SandboxServer.start(api, { limits, logger })
  const authorization = `Authorization: Bearer ${server.token}`
  const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(server.token).toString('base64url')}`
  const watch = 'api/v1/nodes?watch=true'
  return {
    port: Number(new URL(server.url).port),
    good: '/readyz',
    prefixes: ['', `/${server.token}`, `/${server.token}/api/v1/namespaces`],
    upgrades: [
      { name: 'with the token', path: `/${server.token}/${watch}`, opens: true },
      {
        name: 'with the token as a protocol',
        path: `/${watch}`,
        headers: [`Sec-WebSocket-Protocol: ${bearer}, base64.binary.k8s.io`],
        opens: true,
      },
      { name: 'without the token', path: `/${watch}`, opens: false },
    ],
    bodies: [
      { method: 'POST', path: '/api/v1/namespaces', headers: [authorization] },
      { method: 'PUT', path: '/api/v1/namespaces/default', headers: [authorization] },
      { method: 'DELETE', path: '/api/v1/nodes', headers: [authorization] },
      { method: 'POST', path: '/api/v1/namespaces', headers: [] },
    ],
    connections: () => server.connections(),
    faults: () => logger.messages('error'),
    stop: () => server.close(),
  }
}

rawSocketSuite('the sandbox’s API server', attacked)
