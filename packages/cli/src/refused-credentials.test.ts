import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { issueCertificate } from '@kerf/runtime/testing'
import { sampled } from '@kerf/testing'
import { Command } from 'commander'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runProgram } from './program.ts'
import { providerVerbs } from './provider-verbs.ts'
import { runSettings } from './run/run-settings.ts'
import { verbs } from './verbs.ts'

const PROBLEMS = ['expired', 'missing', 'insufficient'] as const
type Problem = (typeof PROBLEMS)[number]

const folder = mkdtempSync(join(tmpdir(), 'kerf-refused-'))
const authority = issueCertificate('authority')

const subjects = { missing: 'system:anonymous', insufficient: 'dev' } as const
/**
 * Returns the Status that k8s.io/apiserver sends (pkg/endpoints/filters/authentication.go and
 * pkg/endpoints/handlers/responsewriters/errors.go).
 */
const refusalStatus = (problem: Problem, path: string) => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
  if (problem === 'expired') return { ...status, message: 'Unauthorized', reason: 'Unauthorized', code: 401 }
  const message = `forbidden: User "${subjects[problem]}" cannot get path "${path}"`
  return { ...status, message, reason: 'Forbidden', details: {}, code: 403 }
}

/** The first segment of the path selects the problem. A load balancer in front of several clusters also selects the cluster by the path. */
const server = createTlsServer({ cert: authority.cert, key: authority.key }, (request, response) => {
  const [, problem = '', ...path] = (request.url ?? '').split('/')
  const known = PROBLEMS.find((each) => each === problem) ?? 'expired'
  const status = refusalStatus(known, `/${path.join('/')}`)
  response.writeHead(status.code, { 'content-type': 'application/json' })
  response.end(JSON.stringify(status))
})

const kubeconfigPath = (problem: Problem): string => join(folder, `${problem}.yaml`)

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const problem of PROBLEMS) {
    const config = {
      'current-context': 'c',
      clusters: [
        {
          name: 'k',
          cluster: {
            server: `https://127.0.0.1:${port}/${problem}`,
            'certificate-authority-data': Buffer.from(authority.cert).toString('base64'),
          },
        },
      ],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      users: [{ name: 'u', user: problem === 'missing' ? {} : { token: 'old' } }],
    }
    writeFileSync(kubeconfigPath(problem), JSON.stringify(config))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const run = async (args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> => {
  let text = ''
  const keep = (chunk: string | Uint8Array): boolean => {
    text += String(chunk)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  vi.spyOn(process.stderr, 'write').mockImplementation(keep)
  const code = await runProgram(verbs, args, { out: keep, err: keep })
  return { code, text }
}

const out = join(folder, 'out')
const migration = join(folder, 'migration')
mkdirSync(migration)
writeFileSync(join(migration, 'plan.yaml'), 'version: 1\ngroups: []\nphases: [{ phase: 1, steps: [] }]\n')
writeFileSync(join(migration, 'cluster.yaml'), '')

/**
 * Every command that reads or writes a live cluster. Other commands of providers mainly read from a cloud; if the cluster refuses them,
 * they only print one line about it.
 */
const COMMANDS: readonly (readonly string[])[] = [
  ['cluster-api', 'instance-types'],
  ['consolidate', '--now', '--owner=ada'],
  ['cordon-pool', 'n-1', '--owner=ada'],
  ['dashboard'],
  ['doctor'],
  ['explain', 'node', 'n-1'],
  ['explain', 'nodeclaim', 'n-1'],
  ['explain', 'nodepool', 'n-1'],
  ['explain', 'pod', 'p-1'],
  ['migrate', 'apply', migration, '--phase=1'],
  ['migrate', 'cas', `--output-dir=${out}`],
  ['migrate', 'status', migration],
  ['observe', 'report'],
  ['pause', '--owner=ada'],
  ['plan'],
  ['policy', 'explain'],
  ['policy', 'fence'],
  ['policy', 'lint'],
  ['policy', 'list'],
  ['record', join(folder, 'recording.json')],
  ['report'],
  ['resume'],
  ['simulate', 'remove', 'node', 'n-1'],
  ['up', '--cluster=kubeconfig', '--headless', '--until-settled'],
]
const commandName = (args: readonly string[]): string => args.filter((arg) => /^[a-z][a-z-]*$/.test(arg)).join(' ')

const WORDS: Readonly<Record<Problem, RegExp>> = {
  expired:
    /^kerf: the API server https:\S+ does not accept the credentials of context c of \S+expired.yaml; log in again, /,
  missing:
    /^kerf: context c of \S+missing.yaml has no credentials: forbidden: User "system:anonymous" cannot get .*; log in, /,
  insufficient: /^kerf: .*(?:forbidden: User "dev" cannot get|cannot be read \(Forbidden\)).*; .*(?:grant|needs)/,
}

test.each(COMMANDS.flatMap((args) => PROBLEMS.map((problem) => ({ command: commandName(args), problem, args }))))(
  '$command with credentials that are $problem reports it and exits with 1',
  async ({ args, problem }) => {
    const { code, text } = await run([...args, `--kubeconfig=${kubeconfigPath(problem)}`])
    expect(text).toMatch(WORDS[problem])
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  },
)

/**
 * This code is loaded before the program. It makes timers of up to two seconds fire immediately. undici's tick timer (`onTick`) keeps its
 * interval, because undici counts the ticks to measure its connect timeout.
 */
const HASTE = `const wait = globalThis.setTimeout
const isHastened = (call, time) => time <= 2000 && call.name !== 'onTick'
globalThis.setTimeout = (call, time, ...rest) => wait(call, isHastened(call, time) ? 0 : time, ...rest)`

/**
 * Runs `kerf run` in a separate process, because `kerf run` ends its process. `kerf run` retries refused requests for half a minute,
 * because an API server that is starting also refuses every request. `HASTE` shortens these retries.
 */
const runController = (problem: Problem): Promise<{ readonly code: unknown; readonly text: string }> =>
  new Promise((resolve) => {
    const haste = `data:text/javascript,${encodeURIComponent(HASTE)}`
    const main = fileURLToPath(new URL('main.ts', import.meta.url))
    const flags = [`--kubeconfig=${kubeconfigPath(problem)}`, '--disable-leader-election', '--log-level=error']
    const env = { PATH: process.env['PATH'] ?? '' }
    execFile(process.execPath, ['--import', haste, main, 'run', ...flags], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, text: `${stdout}${stderr}` }),
    )
  })

test.each(sampled(PROBLEMS, 1, 'credentials of kerf run'))(
  'run with credentials that are %s retries, reports it and exits with 1',
  async (problem) => {
    const { code, text } = await runController(problem)
    expect(text).toMatch(WORDS[problem])
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  },
)

test('if the API server refuses the credentials, Kerf stops looking for a running controller', async () => {
  const { code, text } = await run(['plan', '--instance-types=controller', `--kubeconfig=${kubeconfigPath('expired')}`])
  expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(WORDS.expired) })
  const named = ['plan', '-f', join(folder, 'pod.json'), '--instance-types=controller:a/b:80']
  writeFileSync(
    join(folder, 'pod.json'),
    '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "b"}]}}',
  )
  vi.stubEnv('KUBECONFIG', kubeconfigPath('expired'))
  expect((await run(named)).text).toMatch(WORDS.expired)
  vi.unstubAllEnvs()
})

const namesWithKubeconfig = (command: Command, path: readonly string[] = []): readonly string[] => [
  ...(command.options.some(({ long }) => long === '--kubeconfig') ? [path.join(' ')] : []),
  ...command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => namesWithKubeconfig(child, [...path, child.name()])),
]

test('the list contains every command with --kubeconfig, except commands of providers', async () => {
  const program = new Command()
  for (const verb of verbs) await verb.register(program)
  const listed = COMMANDS.map(commandName)
  const isOfProvider = (name: string): boolean => providerVerbs.some((verb) => name.startsWith(`${verb.name} `))
  const expected = namesWithKubeconfig(program).filter((name) => !isOfProvider(name) || listed.includes(name))
  expect(listed.toSorted()).toEqual(expected.toSorted())
  // The flags of `kerf run` are settings that are not declared in commander.
  expect(Object.values(runSettings).map(({ flag }) => flag)).toContain('kubeconfig')
})

test('the page about kubeconfigs lists these commands', () => {
  const page = readFileSync(new URL('../../../docs/reference/kubeconfig.md', import.meta.url), 'utf8')
  for (const name of [...COMMANDS.map(commandName), 'run']) expect(page).toContain(`| \`kerf ${name}\` |`)
})
