import { karpenterKinds, kinds } from '@kerf/apis'
import { findComponents, findHelm } from '@kerf/control-plane'
import { untilCrdsEstablished } from '@kerf/control-plane/established'
import { gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { FakeGcp, gcpEnv, publishImages, serveGcp, sourceTemplate } from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { SystemClock } from '@kerf/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { type AuditedPlane, startAuditedPlane } from '../../../tests/integration/install/audited-plane.ts'
import { forbidden } from '../../../tests/integration/install/granted.ts'
import { chart, helm, withValues } from '../../../tests/integration/install/helm.ts'
import type { CloudNodes } from '../../../tests/integration/kubelets/cloud-nodes.ts'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { httpClient } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil, type Until } from '../../../tests/integration/story/until.ts'
import { signingRequestKind } from '../src/csr/signing-request.ts'
import { gcpNodes } from './gcp-nodes.ts'
import { KubeletRequests } from './kubelet-requests.ts'

const ACCOUNT = { namespace: 'kube-system', name: 'karpenter' }
const classRef = { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'default' }
const isPossible = !('missing' in findComponents()) && findHelm() !== undefined

describe.skipIf(!isPossible)('certificates of kubelets on a real API server', () => {
  const gcp = new FakeGcp(new SystemClock())
  gcp.templates = [sourceTemplate('default-pool')]
  // For Arm, Kerf would read a hash from Google's public server.
  gcp.offer.types = gcp.offer.types.filter(({ arch }) => arch === 'amd64')
  let audited: AuditedPlane
  let client: ReturnType<typeof httpClient>
  let nodes: CloudNodes
  let kerf: KerfProcess
  let until: Until
  const closers: (() => unknown)[] = []

  beforeAll(async () => {
    audited = await startAuditedPlane(ACCOUNT)
    closers.push(() => audited.stop())
    const { kubectl, plane } = audited
    for (const { manifest } of allCrdFiles()) await kubectl(['apply', '-f', '-'], JSON.stringify(manifest))
    await untilCrdsEstablished(kubectl)
    const { code, stderr } = await withValues({ settings: { provider: 'gcp' } }, (flag) =>
      helm(
        ['install', 'karpenter', chart('karpenter'), '--namespace=kube-system', '--skip-crds', flag],
        plane.kubeconfig,
      ),
    )
    expect(code, stderr).toBe(0)
    // Kubelets may create certificate requests. The roles for approval by kube-controller-manager are not bound, so only Kerf can approve.
    const mayAsk = ['--clusterrole=system:node-bootstrapper', '--group=system:authenticated']
    await kubectl(['create', 'clusterrolebinding', 'requesters', ...mayAsk])
    client = httpClient(plane)
    const served = await serveGcp(gcp)
    const { env, close } = await gcpEnv(served.endpoint)
    closers.push(
      close,
      () => served.close(),
      () => client.close(),
    )
    await publishImages(gcp, client, '125-19216-220-12', 0)
    kerf = KerfProcess.start(await audited.accountKubeconfig(), ['--provider=gcp', '--disable-leader-election'], {
      ...env,
      SYSTEM_NAMESPACE: 'kube-system',
    })
    nodes = gcpNodes(client, gcp)
    closers.push(
      () => kerf.kill(),
      () => nodes.stop(),
    )
    until = realUntil(client, () => kerf.output)
    await client.create(gceNodeClassKind, gceNodeClass('default'))
    await client.create(karpenterKinds.NodePool, spreadPool(classRef))
    await client.create(kinds.Deployment, nginx(1))
    await until('an instance', async () => gcp.instances.all().length > 0)
  })
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
  })

  test('Kerf approves requests of its own instances and ignores all others', async () => {
    const name = gcp.instances.all()[0]?.body.name ?? ''
    const requests = new KubeletRequests(audited.plane, name)
    const isApproved = async (request: string): Promise<boolean> => {
      const { status } = await client.get(signingRequestKind, { name: request })
      return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Approved' && is === 'True')
    }

    // Before the Node exists, the kubelet uses the instance's credentials.
    await requests.createForeign()
    await requests.client('first', 'kubelet')
    await until('the first client certificate approved', () => isApproved('first'))

    nodes.start()
    await until('a registered node', async () =>
      (await client.list(karpenterKinds.NodeClaim)).items.some(({ status }) =>
        status?.conditions?.some(({ type, status: is }) => type === 'Registered' && is === 'True'),
      ),
    )
    await requests.serving('serving', ['10.0.0.7'])
    await requests.createForeignOfNode()
    await requests.client('renewal', requests.user)
    await until('the renewal approved', () => isApproved('renewal'))
    expect(await isApproved('serving')).toBe(false)
    // The cloud controller manager sets the Node's addresses after the kubelet has sent its request.
    const addresses = [{ type: 'InternalIP', address: '10.0.0.7' }]
    const body = { status: { addresses } }
    await client.patch(kinds.Node, { name }, { type: 'merge', body }, { subresource: 'status' })
    await until('the serving certificate approved', () => isApproved('serving'))

    expect(await kerf.stop()).toBe(0)
    const { items } = await client.list(signingRequestKind)
    const decided = items.filter(({ status }) => (status?.conditions ?? []).length > 0)
    expect(decided.map(({ metadata }) => metadata.name).toSorted()).toEqual(['first', 'renewal', 'serving'])
    expect(items).toHaveLength(decided.length + requests.foreign)
    expect(forbidden(audited.requests())).toEqual([])
  })
})
