/**
 * `npm run lab:observe -- --binary PATH [--minutes 20 --out DIR --pods mixed]`: runs the autoscaler at PATH (Karpenter with its KWOK
 * provider) on a real control plane, while pods arrive and leave in waves. Kerf runs with OBSERVE=true and makes its decisions for the same
 * cluster. Writes `observed.json`, `observed.html` (the report), the audit log and both programs' logs to DIR, and prints the findings.
 * Fails if Kerf wrote anything that observe mode must not write, or if it decided nothing.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds } from '@kerf/apis'
import { programOptions } from '../../../tools/program-options.ts'
import { AutoscalerProcess, installKerf } from '../beside/autoscaler.ts'
import { openRealCluster } from '../beside/bench-cluster.ts'
import { NAMESPACE, type PodMix, replicasFor } from '../beside/workload.ts'
import { judgeAudit } from './observed-audit.ts'
import { WAVES } from './waves.ts'

const { values } = programOptions(
  'npm run lab:observe -- --binary PATH: a Karpenter build acts on a real control plane, and Kerf in observe mode decides beside it.',
  {
    options: {
      binary: { type: 'string' },
      minutes: { type: 'string', default: '20' },
      out: { type: 'string' },
      pods: { type: 'string', default: 'mixed' },
    },
  },
)

/** The accounts in the API server. Both have all permissions, so only Kerf itself prevents writes. */
const OBSERVER = 'kerf-that-observes'
const ACTING = 'karpenter-that-acts'

const parsePodMix = (text: string): PodMix => {
  if (text === 'plain' || text === 'mixed') return text
  throw new Error(`--pods ${text}: give plain or mixed`)
}

const { binary } = values
if (binary === undefined) throw new Error('--binary PATH is missing: Karpenter, built from ./kwok of its repository')
const podMix = parsePodMix(values.pods)
const minutes = Number(values.minutes)
const out = values.out ?? mkdtempSync(join(tmpdir(), 'kerf-observe-lab-'))
mkdirSync(out, { recursive: true })
const auditLog = join(out, 'audit.log')
const policyFile = join(out, 'audit-policy.json')
writeFileSync(auditLog, '')
writeFileSync(
  policyFile,
  JSON.stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      { level: 'Metadata', users: [OBSERVER], verbs: ['get', 'list', 'watch'] },
      { level: 'Request', users: [OBSERVER] },
      { level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'], users: [ACTING] },
      { level: 'None' },
    ],
  }),
)

const print = (line: string): void => console.error(line)
const program = join(out, 'program')
mkdirSync(program)
process.once('exit', () => rmSync(program, { recursive: true, force: true }))
const kerf = await installKerf(program)

const cluster = await openRealCluster(
  { capacityTypes: 'spot,on-demand', podMix },
  {
    users: [OBSERVER, ACTING].map((name) => ({ name })),
    flags: {
      'kube-apiserver': [
        `--audit-policy-file=${policyFile}`,
        `--audit-log-path=${auditLog}`,
        '--audit-log-maxsize=1000',
      ],
    },
  },
)
const at = (user: string) => ({ kubeconfig: cluster.kubeconfigOf(user), catalogueFile: cluster.catalogueFile })
const acting = new AutoscalerProcess(
  { name: 'acting', command: [binary, '--metrics-port=0', '--health-probe-port=0'] },
  at(ACTING),
  join(out, 'acting.log'),
)
const observing = new AutoscalerProcess(
  {
    ...kerf,
    env: { ...kerf.env, OBSERVE: 'true', DISABLE_LEADER_ELECTION: 'false', LEADER_ELECTION_NAMESPACE: 'kube-system' },
  },
  at(OBSERVER),
  join(out, 'observing.log'),
)
try {
  const began = cluster.clock.monotonic()
  const whole = minutes * 60_000
  const report = spawn(
    process.execPath,
    [
      kerf.command[1] ?? '',
      ...['observe', 'report', `--kubeconfig=${cluster.kubeconfig}`, `--for=${minutes * 60 + 10}s`],
      ...[`--instance-types=${cluster.catalogueFile}`, '--output=json', `--html=${join(out, 'observed.html')}`],
    ],
    { stdio: ['ignore', openSync(join(out, 'observed.json'), 'w'), 'inherit'] },
  )
  const reported = once(report, 'close')
  for (const [share, pods] of WAVES) {
    const due = began + share * whole
    await cluster.pass(Math.max(0, due - cluster.clock.monotonic()))
    print(`${(share * minutes).toFixed(1)} min: ${pods} pods; load ${loadavg()[0]?.toFixed(1)}`)
    for (const { name, replicas } of replicasFor(podMix, pods)) {
      const ref = { namespace: NAMESPACE, name }
      await cluster.client.patch(kinds.Deployment, ref, { type: 'merge', body: { spec: { replicas } } })
    }
  }
  await cluster.pass(Math.max(0, began + whole - cluster.clock.monotonic()))
  await reported
  if (acting.hasEnded || observing.hasEnded) throw new Error(`a process ended before its time; see the logs in ${out}`)
} finally {
  await acting.stop()
  await observing.stop()
  await cluster.close()
}

const { summary, pods } = JSON.parse(readFileSync(join(out, 'observed.json'), 'utf8')) as {
  readonly summary: readonly string[]
  readonly pods: readonly { readonly kerf?: unknown }[]
}
const verdict = judgeAudit(readFileSync(auditLog, 'utf8'), OBSERVER)
for (const line of summary) console.log(line)
console.log(`Audit log: Kerf read ${verdict.reads} times; it wrote`)
for (const [what, count] of Object.entries(verdict.writes).sort()) console.log(`  ${count} × ${what}`)
console.log(
  `Of this observe mode may not: ${verdict.violations.length}. The other wrote ${verdict.writesOfOthers} times.`,
)
for (const line of verdict.violations.slice(0, 20)) console.log(`  ${line}`)
print(`everything is in ${out}`)
if (
  verdict.violations.length > 0 ||
  verdict.writesOfOthers === 0 ||
  !pods.some(({ kerf: decided }) => decided !== undefined)
)
  process.exitCode = 1
