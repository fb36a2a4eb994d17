import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kinds } from '@kerf/apis'
import { ApiError, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { loadChecks } from '../../../../packages/cli/src/doctor/checks.ts'
import { failLevels } from '../../../../packages/cli/src/doctor/finding.ts'
import { readCluster } from '../../../../packages/cli/src/doctor/read-cluster.ts'
import { type DoctorOptions, explainCheck, runDoctor } from '../../../../packages/cli/src/doctor/run-doctor.ts'
import { brokenClusters, type Objects } from './broken-clusters.ts'
import { healthyCluster } from './healthy-cluster.ts'

const run = async (items: Objects, options: Partial<DoctorOptions> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  const cloud = [fileURLToPath(new URL('./in-order-cloud.json', import.meta.url))]
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  let text = ''
  let notes = ''
  const stderr = { write: (part: string) => (notes += part) }
  const streams = { stdout: { write: (part: string) => (text += part) }, stderr, env: {} }
  const clock = new VirtualClock({ start: Date.parse('2026-08-22T09:01:00Z') })
  const code = await runDoctor({ filename: [file], cloud, output: 'table', ignore: [], ...options }, streams, clock)
  return { code, text, notes }
}

const broken = (name: string): Objects => {
  const objects = healthyCluster()
  brokenClusters[name]?.breaks(objects, [])
  return objects
}

test('a table for people, and an exit code that depends on the findings', async () => {
  const { code, text } = await run(broken('a workload that tolerates both taints'))
  expect(code).toBe(3)
  const [report = '', counts] = text.split('\n\n')
  expect(report).toMatchInlineSnapshot(`
    "Coexistence
      INFO      COX-001   Cluster Autoscaler in the cluster
                Deployment kube-system/cluster-autoscaler: Cluster Autoscaler v1.36.1 runs; node groups: eks-system-1234, eks-workers-1234
                → kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml
      CRITICAL  COX-002   Pods that both autoscalers would launch nodes for
                Deployment shop/web: both can run them: NodePool default and node group eks-workers-1234
                → taint the NodePool and the node group, or add the annotation cluster-autoscaler.kubernetes.io/pod-scale-up-delay: 10m to the pod templates that Karpenter should serve"
  `)
  const inOrder = (await loadChecks()).length - 2
  expect(counts).toBe(`1 critical, 0 warnings, 1 for information, ${inOrder} in order, 0 skipped\n`)
  expect((await run(broken('no limits'), { ignore: ['pool-004'] })).code).toBe(0)
})

test('--fail-on defines which findings give exit code 3', async () => {
  const codes = async (name: string): Promise<readonly number[]> => {
    const answers = failLevels.map((failOn) => run(broken(name), { failOn }))
    return (await Promise.all(answers)).map(({ code }) => code)
  }
  expect(failLevels).toEqual(['critical', 'warning', 'information', 'never'])
  expect(await codes('a workload that tolerates both taints')).toEqual([3, 3, 3, 0])
  expect(await codes('no limits')).toEqual([0, 3, 3, 0])
  expect((await run(broken('no limits'))).code).toBe(3)
  // The cluster has a Cluster Autoscaler in addition to Kerf, which is an informational finding.
  expect(await codes('nothing')).toEqual([0, 0, 3, 0])
})

test.each(['table', 'markdown'] as const)('skipped checks come after the findings: %s', async (output) => {
  const objects = broken('no limits').filter(({ kind }) => kind !== 'Event' && kind !== 'Lease')
  // An incomplete object, which is skipped with a note.
  objects.push(JSON.parse('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"half","namespace":"a"}}'))
  const { text, notes } = await run(objects, { output })
  expect(text.indexOf('POOL-004')).toBeGreaterThan(0)
  expect(text.indexOf('POOL-004')).toBeLessThan(text.indexOf('Skipped'))
  expect(text.slice(0, text.indexOf('Skipped'))).not.toContain('COX-003')
  expect(text).toMatch(/(?:COX|POOL|WL)-\d+, .*(?:COX|POOL|WL)-\d+: the files hold no Event/)
  expect(notes).toContain('skipped: ')
})

test('JSON has an entry for every check', async () => {
  const { text } = await run(broken('no limits'), { output: 'json' })
  const findings = JSON.parse(text) as readonly Record<string, unknown>[]
  expect(findings.find(({ id }) => id === 'POOL-004')).toEqual({
    id: 'POOL-004',
    group: 'pools',
    title: 'NodePools without limits',
    severity: 'warning',
    status: 'warn',
    objects: ['NodePool default'],
    seen: 'they can grow without limit',
    why: expect.stringContaining('runaway Deployment'),
    remedy: `kubectl patch nodepool default --type merge -p '{"spec":{"limits":{"cpu":"1000"}}}'`,
  })
  expect(new Set(findings.map(({ status }) => status))).toEqual(new Set(['info', 'pass', 'warn']))
})

test('Markdown has a table for each group with findings, and cells are escaped', async () => {
  const objects = broken('no limits')
  for (const object of objects) if (object['kind'] === 'NodePool') object['metadata'].name = 'a|b<c>'
  const { text } = await run(objects, { output: 'markdown' })
  expect(text).toContain('## Pools')
  expect(text).toContain('NodePool a\\|b&lt;c> |')
})

test('SARIF has a rule for each check and a result for each object', async () => {
  const { text } = await run(broken('the controller in a group that may shrink'), { output: 'sarif' })
  const [sarif] = (
    JSON.parse(text) as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[]
    }
  ).runs
  const rules = sarif?.tool.driver.rules ?? []
  const errors = (sarif?.results ?? []).filter(({ level }) => level === 'error')
  expect(errors.map(({ ruleId, ruleIndex }) => [ruleId, rules[ruleIndex as number]?.id])).toEqual([
    ['COX-007', 'COX-007'],
    ['COX-007', 'COX-007'],
  ])
  expect(JSON.stringify(errors)).toContain('"fullyQualifiedName":"Node system-b"')
})

test('the page says what to do first and draws both scopes; names are escaped', async () => {
  const objects = broken('a workload that tolerates both taints')
  for (const object of objects) if (object['kind'] === 'NodePool') object['metadata'].name = '<script>x'
  const folder = await mkdtemp(join(tmpdir(), 'kerf-doctor-page-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const html = join(folder, 'page.html')
  await run(objects, { html })
  const page = readFileSync(html, 'utf8')
  expect(page).not.toContain('<script')
  expect(page).not.toMatch(/(href|src)="(?!#)/)
  expect(page).toContain(
    '<li><a href="#COX-002">COX-002</a> Pods that both autoscalers would launch nodes for (1)</li>',
  )
  expect(page).toContain('Both, launched twice: 3 pods')
  expect(page).toContain('Only node groups: 8 pods')
  await expect(run(objects, { html: join(folder, 'nowhere', 'page.html') })).rejects.toThrow('cannot be written')
})

test('--explain describes a check; an unknown id is refused', async () => {
  expect(await explainCheck('cox-017')).toMatch(
    /^COX-017 {2}NotTriggerScaleUp .*\ninformation, coexistence\n\n.*harmless/,
  )
  await expect(explainCheck('COX-999')).rejects.toThrow('unknown check COX-999; kerf doctor -o json lists all checks')
})

test('files without an object, and files combined with a kubeconfig, are refused with a remedy', async () => {
  await expect(run([])).rejects.toThrow('contains no objects; write some with: kubectl get')
  await expect(run(healthyCluster(), { kubeconfig: 'x' })).rejects.toThrow(
    '-f reads files and --kubeconfig a live cluster',
  )
})

test('with damaged objects, doctor reports what it can and names what is missing', async () => {
  const checks = await loadChecks()
  const objects = healthyCluster()
  const kinds = new Map(objects.map((object, index) => [object['kind'], index]))
  for (const [kind, index] of kinds) {
    const damaged = healthyCluster()
    const name = objects[index]?.['metadata'].name
    damaged[index] = { apiVersion: objects[index]?.['apiVersion'], kind, metadata: { name } }
    const { text, notes } = await run(damaged, { output: 'json' })
    expect(JSON.parse(text)).toHaveLength(checks.length)
    if (['ConfigMap', 'KWOKNodeClass', 'ClusterRole'].includes(kind)) expect(notes).toBe('')
    else
      expect(notes, kind).toMatch(
        new RegExp(`skipped: .*: ${kind} ${name}: (spec|involvedObject|roleRef)[.a-zA-Z]* is missing`),
      )
  }
})

test('a field of the wrong type stops only the check that reads it', async () => {
  const objects = healthyCluster()
  for (const object of objects) if (object['kind'] === 'Node') object['spec'].taints = 'none'
  const { text } = await run(objects, { output: 'json' })
  const findings = JSON.parse(text) as readonly { id: string; status: string; seen: string }[]
  expect(findings.find(({ id }) => id === 'COX-010')).toMatchObject({
    status: 'skipped',
    seen: expect.stringContaining('an object does not match its API'),
  })
  expect(findings.filter(({ status }) => status === 'pass').length).toBeGreaterThan(20)
})

test('in a live cluster, kinds that may not be listed are named, and the others are read', async () => {
  const api = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) })
  const listed: string[] = []
  const client = api.client({
    interceptor: {
      before: ({ verb, kind }) => {
        if (verb === 'list') listed.push(kind?.plural ?? '')
        if (verb === 'list' && kind?.kind === 'Event')
          throw new ApiError({ code: 403, reason: 'Forbidden', message: 'no' })
        if (verb !== 'list') throw new Error(`doctor only lists, and did ${verb}`)
      },
    },
  })
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'status', namespace: 'kube-system' } }
  await api.client().create(kinds.ConfigMap, config)
  const kept = { name: 'karpenter-aws-prices' }
  for (const namespace of ['default', 'kube-system'])
    await api.client().create(kinds.ConfigMap, { ...config, metadata: { ...kept, namespace } })
  const { objects, unread } = await readCluster(client)
  expect([...unread]).toEqual([['Event', 'you cannot list events']])
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toContain('ConfigMap status')
  expect(objects.filter(({ metadata }) => metadata.name === kept.name)).toHaveLength(2)
  expect(listed).toContain('validatingwebhookconfigurations')
})
