import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixedCredentials, type HttpLimits, RecordingLogger, SeededRandom, SystemClock } from '@kerf/runtime'
import { type AttackedServer, rawSocketSuite } from '@kerf/runtime/testing'
import { SandboxApi, SandboxServer } from '@kerf/sandbox'
import { DashboardServer } from './dashboard-server.ts'

const attacked = async (limits: Partial<HttpLimits> = {}): Promise<AttackedServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  for (const [path, text] of Object.entries({
    'frontend/index.html': '<html><head></head></html>',
    'plugin/main.js': 'plugin',
    'icons/icons.json': '{"prefix":"mdi","icons":{}}',
  })) {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  const logger = new RecordingLogger()
  const api = await SandboxServer.start(new SandboxApi({ clock: new SystemClock(), random: new SeededRandom(7) }), {
    logger,
  })
  const connection = {
    server: api.url,
    tls: {},
    credentials: fixedCredentials({ authorization: `Bearer ${api.token}` }),
    origin: 'a test',
  }
  const server = await DashboardServer.start({
    files: {
      frontend: join(directory, 'frontend'),
      plugin: join(directory, 'plugin'),
      icons: join(directory, 'icons'),
    },
    clusters: [
      { name: 'kerf', connection },
      { name: 'gone', connection: { ...connection, server: 'http://127.0.0.1:9' } },
    ],
    limits,
    logger,
  })
  const { port, pathname } = new URL(server.url)
  const base = pathname.replace(/\/$/, '')
  return {
    port: Number(port),
    good: `${base}/config`,
    prefixes: ['', base, `${base}/clusters/kerf`, `${base}/controllers/kerf`],
    upgrades: [
      { name: 'with the token', path: `${base}/clusters/kerf/api/v1/nodes?watch=true`, opens: true },
      { name: 'to what is no watch', path: `${base}/clusters/kerf/api/v1/nodes`, opens: false },
      { name: 'to a cluster that is gone', path: `${base}/clusters/gone/api/v1/nodes?watch=true`, opens: false },
      { name: 'without the token', path: '/clusters/kerf/api/v1/nodes?watch=true', opens: false },
    ],
    bodies: [
      { method: 'POST', path: `${base}/clusters/kerf/api/v1/namespaces`, headers: [] },
      { method: 'POST', path: `${base}/config`, headers: [] },
      { method: 'POST', path: '/config', headers: [] },
    ],
    connections: () => server.connections(),
    faults: () => logger.messages('error'),
    stop: async () => {
      await server.close()
      await api.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

rawSocketSuite('the dashboard', attacked)
