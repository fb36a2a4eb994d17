import type { IncomingMessage, ServerResponse } from 'node:http'
import { Session } from 'node:inspector/promises'
import { getHeapSnapshot } from 'node:v8'
import { type Clock, sleep } from '../clock.ts'

const LONGEST_SECONDS = 300

/**
 * V8 profiles of the running process under upstream's paths: `profile?seconds=30` (CPU, for Chrome's or VS Code's viewer)
 * and `heap` (a heap snapshot). Returns whether the path was one of them.
 */
export const answerProfile = async (
  clock: Clock,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  switch (url.pathname) {
    case '/debug/pprof/profile': {
      const asked = Number(url.searchParams.get('seconds') ?? 30)
      const seconds = Number.isFinite(asked) ? Math.min(LONGEST_SECONDS, Math.max(1, asked)) : 30
      const gone = new AbortController()
      request.once('close', () => gone.abort())
      const profile = await cpuProfile(clock, seconds * 1_000, gone.signal)
      attach(response, 'kerf.cpuprofile').end(JSON.stringify(profile))
      return true
    }
    case '/debug/pprof/heap':
      getHeapSnapshot().pipe(attach(response, 'kerf.heapsnapshot'))
      return true
    default:
      return false
  }
}

const attach = (response: ServerResponse, file: string): ServerResponse =>
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="${file}"`,
  })

const cpuProfile = async (clock: Clock, span: number, signal: AbortSignal): Promise<unknown> => {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    await sleep(clock, span, signal).catch(() => {})
    const { profile } = await session.post('Profiler.stop')
    return profile
  } finally {
    session.disconnect()
  }
}
