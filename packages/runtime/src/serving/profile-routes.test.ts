import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { HttpServer } from './http-server.ts'
import { type ProcessProfiler, ProfilerBusy } from './process-profiler.ts'
import { serveProfile } from './profile-routes.ts'
import { requestUrl } from './request-target.ts'

let port = 0
let taken: string[] = []
let failure: Error | undefined
let faults: unknown[] = []
/** If set, a profile continues until its caller has disconnected. */
let lasts: { begin(): void; end(name: string): void } | undefined

const take = async (name: string, duration: number, signal: AbortSignal): Promise<Buffer> => {
  taken.push(`${name} ${duration}`)
  if (lasts !== undefined) {
    lasts.begin()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    lasts.end(name)
  }
  if (failure !== undefined) throw failure
  return Buffer.from(`a ${name}`)
}
/** Responds like `ProcessProfiler`, but profiles nothing. */
const profiler: Pick<ProcessProfiler, 'heap' | 'allocations' | 'cpu'> = {
  heap: () => take('heap', 0, new AbortController().signal),
  allocations: (duration, signal) => take('allocations', duration, signal),
  cpu: (duration, signal) => take('cpu', duration, signal),
}

beforeEach(async () => {
  taken = []
  faults = []
  failure = undefined
  lasts = undefined
  const clock = new VirtualClock()
  const server = await HttpServer.listen({
    endpoint: 'test',
    address: '127.0.0.1',
    port: 0,
    handle: async ({ request, response, target }) => {
      if (!(await serveProfile(clock, profiler, requestUrl(target), request, response))) response.writeHead(404).end()
    },
    fault: (error) => faults.push(error),
  })
  port = server.port
  onTestFinished(() => server.close())
})

const get = (path: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, signal === undefined ? {} : { signal })
const responseHeaders = ({ headers }: Response, ...names: readonly string[]): readonly (string | null)[] =>
  names.map((name) => headers.get(name))

test.each([
  ['heap', 'heap 0', 'a heap'],
  ['profile', 'cpu 30000', 'a cpu'],
  ['profile?seconds=0', 'cpu 30000', 'a cpu'],
  ['profile?seconds=-1', 'cpu 30000', 'a cpu'],
  ['profile?seconds=', 'cpu 30000', 'a cpu'],
  ['profile?seconds=0.5', 'cpu 500', 'a cpu'],
  ['profile?seconds=300', 'cpu 300000', 'a cpu'],
  ['allocs?seconds=1', 'allocations 1000', 'a allocations'],
  ['allocs', 'allocations 30000', 'a allocations'],
])('%s is served as a file that tools can read', async (path, asked, content) => {
  const answer = await get(`/debug/pprof/${path}`)
  expect([answer.status, await answer.text(), taken]).toEqual([200, content, [asked]])
  expect(
    responseHeaders(answer, 'content-type', 'content-disposition', 'content-length', 'x-content-type-options'),
  ).toEqual([
    'application/octet-stream',
    `attachment; filename="${path.split('?')[0]}"`,
    String(content.length),
    'nosniff',
  ])
})

test.each(['301', '300.001', 'soon', 'Infinity'])('a duration of %s seconds is refused', async (seconds) => {
  const answer = await get(`/debug/pprof/profile?seconds=${seconds}`)
  expect([answer.status, await answer.text()]).toEqual([400, 'seconds must be a number up to 300\n'])
  expect(responseHeaders(answer, 'content-type', 'x-content-type-options')).toEqual([
    'text/plain; charset=utf-8',
    'nosniff',
  ])
  expect(taken).toEqual([])
})

test('while a profile is being taken, others get 503; other failures have another status', async () => {
  failure = new ProfilerBusy('ask again')
  const busy = await get('/debug/pprof/heap')
  expect([busy.status, await busy.text()]).toEqual([503, 'ask again\n'])
  expect(faults).toEqual([])
  failure = new Error('broken')
  expect((await get('/debug/pprof/heap')).status).toBe(500)
  expect(faults).toEqual([failure])
})

test.each([
  ['profile', 'cpu'],
  ['allocs', 'allocations'],
])('%s ends when nobody waits for it any more', async (path, name) => {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  lasts = { begin: begun.resolve, end: ended.resolve }
  const caller = new AbortController()
  const answer = get(`/debug/pprof/${path}`, caller.signal).catch(() => 'called off')
  await begun.promise
  caller.abort()
  expect([await answer, await ended.promise]).toEqual(['called off', name])
})

test.each([
  ['block', 'contentions/count', 0],
  ['mutex', 'contentions/count', 0],
  ['threadcreate', 'threadcreate/count', 0],
  ['goroutine', 'goroutine/count', 1],
])('%s serves a profile of %s', async (name, unit, least) => {
  const bytes = Buffer.from(await (await get(`/debug/pprof/${name}`)).arrayBuffer())
  const { sampleType, stringTable, sample, timeNanos } = Profile.decode(gunzipSync(bytes))
  const text = (at: number | bigint | undefined): string => stringTable.strings[Number(at)] ?? '?'
  expect(sampleType.map((each) => `${text(each.type)}/${text(each.unit)}`)).toEqual([unit])
  expect(Math.min(1, sample.length)).toBe(least)
  expect(Number(timeNanos) / 1e6).toBe(new VirtualClock().now())
})

test('a profile counts, by kind, what the event loop waits for', async () => {
  const text = await (await get('/debug/pprof/goroutine?debug=1')).text()
  const [head = '', ...kinds] = text.trim().split('\n')
  const counts = kinds.map((line) => Number(/^(\d+) @ \w+$/.exec(line)?.[1]))
  expect(head).toBe(`goroutine profile: total ${counts.reduce((sum, count) => sum + count, 0)}`)
  // The first is this server, and the others are connections.
  expect(text).toMatch(/^[1-9]\d* @ TCPServerWrap$/m)
  expect(text).toMatch(/^[1-9]\d* @ TCPSocketWrap$/m)
  expect(new Set(kinds.map((line) => line.split(' ')[2])).size).toBe(kinds.length)
})

test('a kind that the event loop waits for several times is counted as often', async () => {
  const resources = vi.spyOn(process, 'getActiveResourcesInfo').mockReturnValue(['Timeout', 'TCPSocketWrap', 'Timeout'])
  onTestFinished(() => resources.mockRestore())
  const text = await (await get('/debug/pprof/goroutine?debug=1')).text()
  expect(text).toBe('goroutine profile: total 3\n2 @ Timeout\n1 @ TCPSocketWrap\n')
})

test('the index has a line for each profile, and says which ones V8 does not have', async () => {
  const text = await (await get('/debug/pprof/')).text()
  expect(text.startsWith('/debug/pprof/\n\nallocs        memory')).toBe(true)
  const listed = [...text.matchAll(/^([a-z]+) {2,}\w.*$/gm)].map(([, name]) => name)
  // These are the profile names of Go's net/http/pprof.
  expect(listed).toEqual([
    'allocs',
    'block',
    'cmdline',
    'goroutine',
    'heap',
    'mutex',
    'profile',
    'symbol',
    'threadcreate',
    'trace',
  ])
  expect(await (await get('/debug/pprof/symbol')).text()).toBe('num_symbols: 0\n')
  expect(await (await get('/debug/pprof/cmdline')).text()).toBe(process.argv.join('\0'))
  const trace = await get('/debug/pprof/trace')
  expect([trace.status, await trace.text()]).toEqual([501, expect.stringMatching(/^trace: not available/)])
})

test.each(['/debug/pprof', '/debug/pprof/nothing', '/debug/pprof/toString', '/debug/pprofs/heap', '/heap', '/'])(
  '%s',
  async (path) => {
    expect((await get(path)).status).toBe(path === '/debug/pprof' ? 200 : 404)
    expect(taken).toEqual([])
  },
)
