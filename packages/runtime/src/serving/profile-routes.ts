import type { IncomingMessage, ServerResponse } from 'node:http'
import { ownValue } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { pprofOfCounts } from './pprof.ts'
import { type ProcessProfiler, ProfilerBusy } from './process-profiler.ts'

const LONGEST_SECONDS = 300
const DEFAULT_SECONDS = 30
const ROOT = '/debug/pprof/'

/** The descriptions of the profiles in the index. The names are those of Go's net/http/pprof, which upstream serves. */
const PROFILES: Readonly<Record<string, string>> = {
  allocs: 'memory allocated during ?seconds=30, including garbage; resets /heap',
  block: 'empty: nothing in this process blocks on a lock',
  cmdline: 'the command line, with arguments separated by NUL',
  goroutine: 'what the event loop waits for, by kind; ?debug=1 for text',
  heap: 'live memory by allocation site, sampled since the start',
  mutex: 'empty: nothing in this process holds a lock',
  profile: 'where CPU time goes during ?seconds=30',
  symbol: 'profiles include their symbols',
  threadcreate: 'empty: threads belong to the runtime',
  trace: 'not available: V8 has no execution trace in the format of Go',
}

/**
 * Serves profiles of the process with the paths and the format of Go's net/http/pprof, so that `go tool pprof` can read them.
 * Returns whether the path was one of these.
 */
export const serveProfile = async (
  clock: Clock,
  profiler: Pick<ProcessProfiler, 'heap' | 'allocations' | 'cpu'>,
  { pathname, searchParams }: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  if (!`${pathname}/`.startsWith(ROOT)) return false
  const name = pathname.slice(ROOT.length)
  if (name !== '' && !Object.hasOwn(PROFILES, name)) return false
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    switch (name) {
      case 'heap':
        attach(response, name, await profiler.heap())
        break
      case 'profile':
      case 'allocs': {
        const seconds = secondsOf(searchParams)
        if (seconds === undefined) {
          text(response, 400, `seconds must be a number up to ${LONGEST_SECONDS}\n`)
          break
        }
        // The time limit for silent connections is removed, because taking a profile may take longer.
        request.socket.setTimeout(0)
        const take = name === 'profile' ? profiler.cpu : profiler.allocations
        attach(response, name, await take.call(profiler, seconds * 1_000, gone.signal))
        break
      }
      default:
        await serveSnapshot(clock, name, searchParams.has('debug'), response)
    }
  } catch (error) {
    if (!(error instanceof ProfilerBusy)) throw error
    text(response, 503, `${error.message}\n`)
  }
  return true
}

/** Serves profiles that need no duration. Responds with 501 for profiles that V8 does not have. */
const serveSnapshot = async (clock: Clock, name: string, asText: boolean, response: ServerResponse): Promise<void> => {
  const attachCounts = async (counts: ReadonlyMap<string, number>, type: string): Promise<void> =>
    attach(response, name, await pprofOfCounts(counts, { type, unit: 'count' }, clock.now()))
  switch (name) {
    case '':
      return text(response, 200, index())
    case 'goroutine': {
      const counts = activeResourceCounts()
      return asText ? text(response, 200, countsText(counts)) : await attachCounts(counts, 'goroutine')
    }
    case 'block':
    case 'mutex':
      return await attachCounts(new Map(), 'contentions')
    case 'threadcreate':
      return await attachCounts(new Map(), 'threadcreate')
    case 'cmdline':
      return text(response, 200, process.argv.join('\0'))
    case 'symbol':
      return text(response, 200, 'num_symbols: 0\n')
    default:
      return text(response, 501, `${name}: ${ownValue(PROFILES, name)}\n`)
  }
}

/** Returns the duration in seconds, or `undefined` if it is not a number or too long. As in Go, 0 or no value means the default. */
const secondsOf = (query: URLSearchParams): number | undefined => {
  const asked = Number(query.get('seconds') ?? DEFAULT_SECONDS)
  if (Number.isNaN(asked) || asked > LONGEST_SECONDS) return undefined
  return asked > 0 ? asked : DEFAULT_SECONDS
}

const activeResourceCounts = (): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

const countsText = (counts: ReadonlyMap<string, number>): string => {
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  return `goroutine profile: total ${total}\n${[...counts].map(([kind, count]) => `${count} @ ${kind}\n`).join('')}`
}

const index = (): string =>
  `${ROOT}\n\n${Object.entries(PROFILES)
    .map(([name, what]) => `${name.padEnd(14)}${what}\n`)
    .join('')}`

const text = (response: ServerResponse, code: number, body: string): void => {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
  response.end(body)
}

const attach = (response: ServerResponse, name: string, profile: Buffer): void => {
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'content-length': profile.length,
    'x-content-type-options': 'nosniff',
  })
  response.end(profile)
}
