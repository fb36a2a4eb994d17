import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds, policyKinds } from '@kerf/apis'
import { DECISIONS_CONFIG_MAP } from '@kerf/controllers'
import { node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { Command } from 'commander'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { plannedKinds } from './plan/read-live-cluster.ts'
import { runProgram } from './program.ts'
import { verbs } from './verbs.ts'

const TYPE = 's-16x-amd64-linux'
const today = new Date().toISOString().slice(0, 10)
/** A weekday that is at least two days away in every time zone. */
const farDay = new Intl.DateTimeFormat('en-US', { weekday: 'short' }).format(Date.now() + 3 * 86_400_000)

const size = { cpu: '16', memory: '32Gi', pods: '110' }
const placed = {
  'node.kubernetes.io/instance-type': TYPE,
  'karpenter.sh/capacity-type': 'on-demand',
  'topology.kubernetes.io/zone': 'test-zone-a',
}
const runningNode = (name: string): readonly object[] => {
  const labels = { ...placed, 'kubernetes.io/hostname': name }
  const providerID = `kwok://${name}`
  return [
    nodeClaim(`claim-${name}`, {
      ...{ pool: 'general', providerID, nodeName: name, capacity: size, labels },
      metadata: { creationTimestamp: '2026-08-22T09:00:10Z' },
    }),
    node(name, { pool: 'general', providerID, capacity: size, labels }),
    pod(`on-${name}`, { requests: { cpu: '900m' }, nodeName: name }),
  ]
}

/** Returns a decision of a Kerf that only observes the cluster. */
const launchAt = (time: string): string =>
  JSON.stringify({
    ...{ kind: 'launch', at: Date.parse(time), nodePools: ['general'], pods: [time] },
    ...{ instanceType: 'c-4x-amd64-linux', zone: 'test-zone-a', capacityType: 'spot', price: 0.4 },
  })

/** A cluster with a pending pod, and with running nodes of the type to which the policies apply. */
const cluster: readonly object[] = [
  nodePool('general'),
  nodePool('night', {
    templateSpec: { taints: [{ key: 'night', value: 'true', effect: 'NoSchedule' }] },
  }),
  ...['m', 'n'].flatMap(runningNode),
  // It fits on no running node.
  pod('waits', { requests: { cpu: '15200m' } }),
  {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: DECISIONS_CONFIG_MAP, namespace: 'kerf-observe' } },
    data: { decisions: ['2026-08-22T09:00:00Z', '2026-08-22T09:01:00Z'].map(launchAt).join('\n') },
  },
]

const policies: readonly object[] = [
  {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: {
      ceilings: { nodes: 2 },
      commitments: [
        { name: 'reserved', prepaid: { instanceType: TYPE, count: 1 } },
        { name: 'half', discount: { factor: '0.5', capacityTypes: ['spot', 'on-demand'] } },
      ],
      priceBook: { configMap: {} },
    },
    // The controller stores the prices that it uses in this status, so no command needs to read the ConfigMap.
    status: {
      priceBook: {
        source: 'ConfigMap kerf-prices (prices.yaml)',
        readAt: `${today}T00:00:00Z`,
        prices: [{ instanceType: TYPE, capacityType: 'on-demand', zone: '', usdPerHour: '9.75', asOf: '2020-01-01' }],
      },
    },
  },
  {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'night' },
    spec: {
      targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: 'night' }],
      sleep: { timeZone: 'UTC', awake: [{ days: [farDay], start: '07:00', end: '19:00' }] },
      access: { schedulerNames: ['volcano'] },
    },
  },
]

/** Whether the cluster has the CRDs of policies, with policies, or refuses to list them. */
type Policies = 'exist' | 'are not served' | 'are forbidden'

const pathPlurals = new Map(
  [...plannedKinds, kinds.ConfigMap].map((kind) => [
    `${kind.group === '' ? '/api' : `/apis/${kind.group}`}/${kind.version}/${kind.plural}`,
    kind,
  ]),
)
const policyPaths = new Set([...pathPlurals].flatMap(([path, { group }]) => (group === 'kerf.sh' ? [path] : [])))

const status = (code: number, reason: string) => ({
  ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
  ...{ code, reason, message: reason },
})

/** Returns the response to a list request for this path. The API server in this test serves only lists. */
const listResponse = (state: Policies, path: string): { readonly code: number; readonly body: object } => {
  if (policyPaths.has(path) && state !== 'exist') {
    const code = state === 'are forbidden' ? 403 : 404
    return { code, body: status(code, code === 403 ? 'Forbidden' : 'NotFound') }
  }
  const kind = pathPlurals.get(path)
  const objects = [...cluster, ...policies] as readonly { readonly kind: string }[]
  const items = kind === undefined ? [] : objects.filter((object) => object.kind === kind.kind)
  return { code: 200, body: { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items } }
}

const folder = mkdtempSync(join(tmpdir(), 'kerf-live-policies-'))
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost')
  const [, state = '', ...path] = pathname.split('/')
  const { code, body } = listResponse(decodeURIComponent(state) as Policies, `/${path.join('/')}`)
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

const kubeconfig = (state: Policies): string => join(folder, `${state}.yaml`)
const dump = join(folder, 'cluster.json')
const change = join(folder, 'change.json')

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const state of ['exist', 'are not served', 'are forbidden'] as const) {
    const config = {
      'current-context': 'c',
      clusters: [{ name: 'k', cluster: { server: `http://127.0.0.1:${port}/${encodeURIComponent(state)}` } }],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      users: [{ name: 'u', user: { token: 't' } }],
    }
    writeFileSync(kubeconfig(state), JSON.stringify(config))
  }
  writeFileSync(dump, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...cluster, ...policies] }))
  writeFileSync(change, JSON.stringify(nodePool('general', { weight: 3, limits: { cpu: '100' } })))
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

const run = async (args: readonly string[]) => {
  let [out, err] = ['', '']
  const streams = {
    out: (chunk: unknown): boolean => {
      out += String(chunk)
      return true
    },
    err: (chunk: unknown): boolean => {
      err += String(chunk)
      return true
    },
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(streams.out)
  vi.spyOn(process.stderr, 'write').mockImplementation(streams.err)
  const code = await runProgram(verbs, args, streams)
  // Exit code 3 reports a finding, for example a pod that is not schedulable.
  expect([0, 3], err).toContain(code)
  return { out: out.replaceAll(/"(?:from|madeAt)": ".*?"/g, ''), err }
}
const live = (args: readonly string[], state: Policies) => run([...args, `--kubeconfig=${kubeconfig(state)}`])

/** Every command that plans or computes prices for a live cluster, and prints the result at once. */
const COMMANDS: readonly (readonly string[])[] = [
  ['plan', '--output=json'],
  ['plan', '--output=json', '--diff'],
  ['plan', '--output=json', `--change=${change}`],
  ['explain', 'pod', 'waits', '--output=json'],
  ['explain', 'node', 'n', '--output=json'],
  ['explain', 'nodeclaim', 'claim-n', '--output=json'],
  ['explain', 'nodepool', 'general', '--output=json'],
  ['simulate', 'remove', 'node', 'n', '--output=json'],
  ['policy', 'explain', '--output=json'],
  ['policy', 'lint', '--output=json'],
  ['policy', 'list', '--output=json'],
  ['policy', 'fence'],
  ['report', '--output=json'],
  ['observe', 'report', '--output=json'],
  ['doctor', '--output=json'],
]
const commandName = (args: readonly string[]): string => args.join(' ').replaceAll(folder, '')

/** Doctor treats files as an incomplete cluster, so its output for files differs. */
const isSameForFiles = ([verb]: readonly string[]): boolean => verb !== 'doctor'

test.each(COMMANDS.map((args) => ({ command: commandName(args), args })))(
  'kerf $command applies the policies of a live cluster as those of files',
  async ({ args }) => {
    const [applied, without] = [await live(args, 'exist'), await live(args, 'are not served')]
    expect(applied.out).not.toBe(without.out)
    if (isSameForFiles(args)) expect(applied.out).toBe((await run([...args, `--filename=${dump}`])).out)
  },
)

test.each(COMMANDS.map((args) => ({ command: commandName(args), args })))(
  'kerf $command says that policies are ignored if the user is not allowed to list them',
  async ({ args }) => {
    const { out, err } = await live(args, 'are forbidden')
    expect(`${err}${out}`).toMatch(/list (?:them|clusterpolicies)/)
  },
)

const withPermissions = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] => [
  ...(command.options.some(({ long }) => long === '--permissions') ? [path] : []),
  ...command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => withPermissions(child, [...path, child.name()])),
]

test('every ClusterRole that --permissions prints allows the command to list policies', async () => {
  const program = new Command()
  for (const verb of verbs) await verb.register(program)
  const commands = withPermissions(program)
  expect(commands.length).toBeGreaterThan(8)
  for (const path of commands) {
    const { rules } = parse((await run([...path, '--permissions'])).out) as {
      readonly rules: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[] }[]
    }
    const own = rules.find(({ apiGroups }) => apiGroups.includes(policyKinds.ClusterPolicy.group))
    expect([path, own?.resources]).toEqual([path, ['clusterpolicies', 'nodepoolpolicies']])
  }
})

test('every command with --permissions is in the list, except those that copy or migrate a cluster', async () => {
  const program = new Command()
  for (const verb of verbs) await verb.register(program)
  const listed = COMMANDS.map((args) => args.filter((each) => /^[a-z]+$/.test(each)).join(' '))
  const missing = withPermissions(program)
    .map((path) => path.join(' '))
    .filter((name) => !listed.some((each) => each === name || each.startsWith(`${name} `)))
  expect(missing.toSorted()).toEqual(['migrate cas', 'record'])
})
