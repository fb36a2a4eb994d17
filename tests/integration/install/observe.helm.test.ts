import { findComponents } from '@kerf/control-plane'
import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodePool, pod } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { KerfProcess } from '../story/kerf-process.ts'
import { type AuditedPlane, startAuditedPlane } from './audited-plane.ts'
import { chartEnvironment } from './chart-env.ts'
import { allowedByOthers, forbidden } from './granted.ts'
import { chart, helm, named, parseDocuments, withValues } from './helm.ts'

const ACCOUNT = { namespace: 'kube-system', name: 'karpenter' }
const components = findComponents()
const why = 'missing' in components ? ` (skipped: no ${components.missing.join(', ')})` : ''
const READS = ['get', 'list', 'watch']
const PODS = 6

const waiting = (index: number) => {
  const { status: _, ...made } = pod(`waits-${index}`, { requests: { cpu: '900m' } })
  return made
}

describe.skipIf('missing' in components)(`a controller that observes another one${why}`, () => {
  let audited: AuditedPlane | undefined
  let acting: KerfProcess | undefined
  let observing: KerfProcess | undefined

  beforeAll(async () => {
    audited = await startAuditedPlane(ACCOUNT)
    const { kubectl, plane } = audited
    for (const { manifest } of allCrdFiles()) await kubectl(['apply', '-f', '-'], JSON.stringify(manifest))
    await untilCrdsEstablished(kubectl)
    const settings = { provider: 'kwok', observe: true }
    const installed = await withValues({ settings }, (flag) =>
      helm(
        ['install', 'karpenter', chart('karpenter'), '--namespace=kube-system', '--skip-crds', flag],
        plane.kubeconfig,
      ),
    )
    expect(installed.stderr).toBe('')
    const { stdout } = await helm(['get', 'manifest', 'karpenter', '--namespace=kube-system'], plane.kubeconfig)
    const env = chartEnvironment(named(parseDocuments(stdout), 'Deployment'))
    expect(env['OBSERVE']).toBe('true')
    // This process acts with administrator permissions, like another autoscaler in the cluster.
    acting = KerfProcess.start(plane.kubeconfig, ['--leader-election-namespace=kube-system'], {
      ...env,
      OBSERVE: 'false',
    })
    observing = KerfProcess.start(await audited.accountKubeconfig(), ['--leader-election-namespace=kube-system'], env)
    await kubectl(['apply', '-f', '-'], JSON.stringify(kwokNodeClass('default')))
    await kubectl(['apply', '-f', '-'], JSON.stringify(nodePool('general')))
    await kubectl(['wait', '--for=condition=Ready', 'nodepool/general', '--timeout=10m'])
  })

  afterAll(async () => {
    await acting?.kill()
    await observing?.kill()
    await audited?.stop()
  })

  test('makes decisions for the same pods, and writes only its Lease, Events and one ConfigMap', async () => {
    if (audited === undefined) throw new Error('no control plane')
    const { kubectl } = audited
    const list = { apiVersion: 'v1', kind: 'List', items: Array.from({ length: PODS }, (_, index) => waiting(index)) }
    await kubectl(['apply', '-f', '-'], JSON.stringify(list))
    const scheduled = '--for=condition=PodScheduled'
    await kubectl(['wait', scheduled, 'pod', '--all', '--timeout=10m'])
    const written = [
      'get',
      'configmap',
      'kerf-observed-decisions',
      '-n',
      'kube-system',
      '-o',
      'jsonpath={.data.decisions}',
    ]
    await kubectl(['wait', '--for=create', 'configmap/kerf-observed-decisions', '-n', 'kube-system', '--timeout=10m'])
    const decisions = (await kubectl(written)).split('\n').map((line) => JSON.parse(line) as { pods: string[] })
    const uids = (await kubectl(['get', 'pods', '-o', 'jsonpath={.items[*].metadata.uid}'])).split(' ')
    expect(new Set(decisions.flatMap(({ pods }) => pods))).toEqual(new Set(uids))
    const writes = audited.requests().filter(({ verb }) => !READS.includes(verb))
    const what = new Set(
      writes.map(({ objectRef: of }) => (of?.resource === 'events' ? 'events' : `${of?.resource} ${of?.name}`)),
    )
    expect([...what].sort()).toEqual(['configmaps kerf-observed-decisions', 'events', 'leases kerf-observe'])
    // The API server refused no request, and allowed none because of another role.
    expect(forbidden(audited.requests())).toEqual([])
    expect(allowedByOthers(audited.requests(), new Set(['karpenter', 'karpenter-core']))).toEqual([])
    const events = JSON.parse(await kubectl(['get', 'events', '-A', '-o', 'json'])) as {
      items: { reason: string; source: { component?: string } }[]
    }
    const would = events.items.filter(({ reason }) => reason === 'WouldLaunch')
    expect(would.length).toBeGreaterThan(0)
    expect(would.every(({ source }) => source.component === 'kerf-observe')).toBe(true)
  })
})
