import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeObject } from '@kerf/apis'
import { type ControlPlane, findComponents, startControlPlane } from '@kerf/control-plane'
import { node, pod } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { reportRole } from '../../../packages/cli/src/report/cluster-reader.ts'
import type { ReportDocument } from '../../../packages/cli/src/report/report-document.ts'
import { type ReportOptions, runReport } from '../../../packages/cli/src/report/run-report.ts'
import { GuideShell } from '../../../tests/integration/guides/guide-shell.ts'
import { documentSteps } from '../../../tests/integration/guides/guide-steps.ts'
import { kerfCommand } from '../../../tests/integration/story/start-kerf.ts'
import { firstPrices } from '../src/tables/first-prices.ts'

const price = firstPrices('us-east-1').onDemand.get('m5.large') ?? Number.NaN

const labels = (name: string) => ({
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/hostname': name,
  'topology.kubernetes.io/region': 'us-east-1',
  'topology.kubernetes.io/zone': 'us-east-1a',
  'node.kubernetes.io/instance-type': 'm5.large',
  'eks.amazonaws.com/nodegroup': 'general',
  'eks.amazonaws.com/capacityType': 'ON_DEMAND',
})
const nodeOf = (name: string): KubeObject => {
  const { status: _, ...applied } = node(name, { providerID: `aws:///us-east-1a/i-${name}`, labels: labels(name) })
  return applied
}
const podOf = (namespace: string, name: string, nodeName: string): KubeObject => {
  const { status: _, ...applied } = pod(name, {
    namespace,
    nodeName,
    requests: { cpu: '400m', memory: '500Mi' },
    container: { image: 'registry.k8s.io/pause:3.10' },
    spec: { tolerations: [{ operator: 'Exists' }] },
  })
  return applied
}
const binding = (kind: 'ClusterRole' | 'Role', name: string, user: string, namespace?: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: `${kind}Binding`,
  metadata: { name: user, ...(namespace === undefined ? {} : { namespace }) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
})

const reportOf = async (options: Partial<ReportOptions>): Promise<ReportDocument> => {
  let stdout = ''
  await runReport(
    { paths: [], output: 'json', ...options },
    { stdout: { write: (text) => (stdout += text) }, stderr: { write: () => true }, env: {} },
  )
  return JSON.parse(stdout) as ReportDocument
}

describe.skipIf('missing' in findComponents())('kerf report on a real control plane with RBAC', () => {
  let plane: ControlPlane
  /** Runs kubectl as administrator. */
  const kubectl = async (args: readonly string[], input?: string): Promise<void> => {
    const { code, stderr } = await plane.kubectl(args, input)
    if (code !== 0) throw new Error(stderr)
  }
  const apply = (objects: readonly unknown[]): Promise<void> =>
    kubectl(
      ['apply', '-f', '-'],
      objects.map((object) => (typeof object === 'string' ? object : stringify(object))).join('---\n'),
    )

  beforeAll(async () => {
    plane = await startControlPlane({ rbac: true, schedulers: false, users: [{ name: 'reader' }, { name: 'member' }] })
    await apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'other' } },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
      reportRole(),
      binding('ClusterRole', 'kerf-report', 'reader'),
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'pods', namespace: 'default' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
      },
      binding('Role', 'pods', 'member', 'default'),
      ...['a', 'b', 'c'].map(nodeOf),
    ])
    const status = { capacity: { cpu: '2', memory: '7577Mi', pods: '29' } }
    const ready = { ...status, allocatable: status.capacity, conditions: [{ type: 'Ready', status: 'True' }] }
    for (const name of ['a', 'b', 'c'])
      await kubectl([
        'patch',
        'node',
        name,
        '--subresource=status',
        '--type=merge',
        '-p',
        JSON.stringify({ status: ready }),
      ])
    await apply([podOf('default', 'web', 'a'), podOf('other', 'api', 'b')])
  })
  afterAll(() => plane.stop())

  test('with only the printed ClusterRole: a complete report on a cluster without Karpenter', async () => {
    const report = await reportOf({ kubeconfig: plane.kubeconfigOf('reader') })
    expect(report.now).toMatchObject({
      nodes: 3,
      pods: 2,
      cost: expect.closeTo(3 * price, 9),
      unpriced: 0,
      comparedNodes: 3,
    })
    expect(report.findings.slice(0, 2)).toMatchObject([
      { kind: 'empty-nodes', about: ['c'], saves: price },
      { kind: 'underused-nodes', saves: price },
    ])
    expect(report.notLookedAt.filter((line) => line.includes('may not') || line.includes('may list'))).toEqual([])
    // The role is enough for the report, and permits nothing else.
    const { stdout } = await plane.kubectl(['auth', 'can-i', 'get', 'secrets', '--as=reader'])
    expect(stdout.trim()).toBe('no')
  })

  test('with access to one namespace: a partial report that names what is missing', async () => {
    const report = await reportOf({ kubeconfig: plane.kubeconfigOf('member') })
    expect(report.now.nodes).toBe(0)
    expect(report.notCompared).toBe('not every pod could be read, so it is unknown which nodes are needed')
    const missing = report.notLookedAt.join('\n')
    expect(missing).toContain('nodes (this user cannot list them)')
    expect(missing).toContain('pods outside namespace default (this user can list them only there)')
  })

  test('the commands of the page, unchanged', async () => {
    const steps = documentSteps('guides/report')
    const shell = new GuideShell({ kubectl: [plane.kubectlPath], kerf: kerfCommand }, { KUBECONFIG: plane.kubeconfig })
    onTestFinished(() => shell.close())
    const written = (name: string): string => readFileSync(join(shell.directory, name), 'utf8')
    // Creates the reader's files: an export, and a recording. The recording is made in a cluster with NodePools.
    await shell.run({
      heading: 'what is there',
      commands: `mkdir dump
kubectl get nodes,pods --all-namespaces -o yaml > dump/cluster.yaml
kerf crds | kubectl apply --server-side -f - > /dev/null
kerf record yesterday.json.gz --for 5s`,
    })
    const outputs: string[] = []
    for (const step of steps) outputs.push(await shell.run(step))
    expect(shell.unrun(steps)).toEqual([])
    expect(written('report.html')).toContain('us-east-1a')
    expect(outputs[0]).toContain('"empty-nodes"')
    expect(outputs[1]).toMatch(/clusterrolebinding\.rbac\.authorization\.k8s\.io\/kerf-report created/)
    const { stdout } = await plane.kubectl(['auth', 'can-i', 'list', 'nodes', '--as=system:serviceaccount:team:reader'])
    expect(stdout.trim()).toBe('yes')
  })
})
